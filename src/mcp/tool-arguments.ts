import { z } from 'zod'
import { AppError } from '../domain/errors.ts'
import type { MemoryFilters, RecallQuery } from '../domain/memory.ts'
import { isSourceType, SOURCE_TYPES, type SourceType } from '../domain/source-type.ts'
import { closestName } from '../lib/closest-name.ts'
import { cleanLine } from './clean-text.ts'
import { LEAST_TOKENS, MOST_TOKENS } from './mcp-context.ts'

/**
 * Arguments as hosts send them: also numbers and booleans as text, comma-separated text as a list, and `''` or `null` for
 * absent ones. The published schema only has the plain form. Unknown arguments are errors, because a misspelled filter must
 * not be ignored.
 */
export function hostArguments<Shape extends z.ZodRawShape>(shape: Shape) {
  const names = Object.keys(shape)
  const schema = z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? unknownArguments(issue.keys, names) : undefined),
  })
  return z.preprocess((given) => (isRecord(given) ? plain(given, shape) : given), schema)
}

function plain(given: Readonly<Record<string, unknown>>, shape: z.ZodRawShape): Record<string, unknown> {
  const entries = Object.entries(given).flatMap(([name, value]): [string, unknown][] => {
    const schema = Object.hasOwn(shape, name) ? shape[name] : undefined
    if (schema === undefined) return [[name, value]]
    const one = isTexts(value) ? value.join(',') : value
    const isEmpty = one === null || (typeof one === 'string' && one.trim() === '')
    if (isEmpty && z.safeParse(schema, undefined).success) return []
    return [[name, typeof one === 'string' ? meant(one, schema) : one]]
  })
  return Object.fromEntries(entries)
}

/** Parses text for an argument that is a number or boolean. */
function meant(text: string, schema: z.core.$ZodType): unknown {
  if (z.safeParse(schema, text).error?.issues[0]?.code !== 'invalid_type') return text
  const word = text.trim().toLowerCase()
  if (word === 'true' || word === 'false') return word === 'true'
  const number = Number(word)
  return word === '' || Number.isNaN(number) ? text : number
}

function unknownArguments(unknown: readonly string[], names: readonly string[]): string {
  const sentences = unknown.slice(0, 5).map((name) => {
    const shown = name.slice(0, 40)
    const near = closestName(shown, names)
    return `There is no argument ${JSON.stringify(shown)}.${near === undefined ? '' : ` Did you mean ${near}?`}`
  })
  return `${sentences.join(' ')} There are: ${names.join(', ')}.`
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((part) => typeof part === 'string')
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Comma-separated text, because not all hosts can send lists. Also accepts a JSON list. */
export const sourcesArgument = sourcesArgumentSaying(
  `Only these sources, separated by commas: ${SOURCE_TYPES.join(', ')}.`,
)
/** For further tools: each list of all sources costs 80 tokens. */
export const sourcesAsInRecall = sourcesArgumentSaying('Only these sources, as in recall.')

function sourcesArgumentSaying(description: string) {
  return z.string().max(1_000).optional().describe(description)
}

/** @throws AppError `invalid`, naming an unknown source */
export function sourcesOf(given: string | undefined): readonly SourceType[] {
  const names = (given ?? '').split(/[\s,[\]"']+/).filter((name) => name !== '')
  return [...new Set(names.map((name) => name.toLowerCase()))].map((name) => {
    if (isSourceType(name)) return name
    const meant = closestName(name, SOURCE_TYPES)
    const hint = meant === undefined ? '' : ` Did you mean ${meant}?`
    throw new AppError(
      'invalid',
      `There is no source ${cleanLine(name, 40)}.${hint} There are: ${SOURCE_TYPES.join(', ')}.`,
    )
  })
}

export const handleArgument = (description: string) => z.string().min(1).max(600).describe(description)

/** Without the brackets in which results show handles. */
export function bareHandle(given: string): string {
  return given.trim().replace(/^\[(.*)\]$/, '$1')
}

export const timeArgument = (description: string) => z.string().max(60).optional().describe(description)

/** Of a result that has no levels of detail. */
export const maxTokens = z
  .int()
  .min(LEAST_TOKENS)
  .max(MOST_TOKENS)
  .default(800)
  .describe('Maximum tokens of the result.')

/** What recall, ask and recent can be limited to. */
export const filterArguments = {
  person: z.string().max(200).optional().describe('Only what this person said, wrote or took part in.'),
  project: z.string().max(400).optional().describe('Only from this repository, folder, project or channel.'),
  connector: z.string().max(60).optional().describe('Only from this app: notion, jira, whatsapp.'),
  tag: z.string().max(40).optional().describe('Only items with this tag.'),
  since: timeArgument('From this time on: 2026-03-04, 2026-03, "yesterday", "last week".'),
  until: timeArgument('Before this time, or to the end of that month or week.'),
}

type GivenFilters = { readonly [name in keyof typeof filterArguments]?: string | undefined }

/** Without those that are blank. */
export function filtersOf({ person, project, connector, tag, since, until }: GivenFilters): MemoryFilters {
  const known = Object.entries({ person, project, connector, tag, since, until }).flatMap(([name, value]) => {
    const text = value?.trim() ?? ''
    return text === '' ? [] : [[name, text] as const]
  })
  return Object.fromEntries(known)
}

const MOST_ECHO = 60

/** What was searched, where that was not everything: an empty answer would look like "knows nothing". */
export function searchedNote(
  sources: readonly SourceType[],
  filters: MemoryFilters & Pick<RecallQuery, 'asOf'>,
): string {
  const parts = [
    ...(sources.length > 0 ? [`sources ${sources.join(', ')}`] : []),
    ...Object.entries(filters).map(([name, value]) => `${name} ${String(value)}`),
  ]
  return parts.length === 0 ? '' : `Searched only: ${cleanLine(parts.join('; '), MOST_ECHO)}`
}
