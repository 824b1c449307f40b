import { type Document, isAlias, isMap, isScalar, isSeq, type Node, Scalar, visit } from 'yaml'
import { z } from 'zod'
import { AppError } from '../domain/errors.ts'
import { MOST_RETENTION_DAYS, type RetentionDays } from '../domain/retention.ts'
import { isSourceType, SOURCE_TYPES } from '../domain/source-type.ts'
import { closestName } from '../lib/closest-name.ts'
import { issueSentence } from './field-schema.ts'

/**
 * A section of config.yaml that another module checks. It is parsed when needed, so that a mistake in it stops
 * only those who need it; it knows its line numbers, for messages.
 */
export interface FileSection {
  /** As plain values. @throws AppError `invalid` for a variable that is not set or an alias without an anchor */
  read(): unknown
  /** As plain values, with the error in place of a bad value, so that it stops only those who need that value. */
  readWithErrors(): unknown
  /** File and line of the value at these keys, or of the nearest existing one. */
  where(path: readonly PropertyKey[]): string
}

interface Positions {
  /** Replaces `${VARIABLE}` in a scalar. */
  interpolate(value: string, where: string): string
  whereIs(offset: number | undefined): string
}

/** @param offset of the key of the section */
export function fileSection(
  document: Document,
  node: Node,
  { offset, interpolate, whereIs }: Positions & { offset: number | undefined },
): FileSection {
  let content: { readonly value: unknown; readonly errors: readonly AppError[] } | undefined
  const readAll = () => {
    const errors: AppError[] = []
    visit(node, {
      Scalar: (key, scalar) => {
        if (typeof scalar.value !== 'string') return
        try {
          scalar.value = interpolate(scalar.value, whereIs(scalar.range?.[0]))
        } catch (error) {
          // A value whose key is unreadable has no meaning.
          if (key === 'key' || !(error instanceof AppError)) throw error
          errors.push(error)
          scalar.value = error
        }
      },
      Alias: (_, alias) => {
        if (alias.resolve(document) !== undefined) return
        const location = whereIs(alias.range?.[0])
        const error = new AppError('invalid', 'text that starts with * must be in quotes, as in "*.md"', {
          location,
        })
        errors.push(error)
        return new Scalar(error)
      },
    })
    return { value: node.toJS(document) as unknown, errors }
  }
  return {
    read() {
      content ??= readAll()
      const [error] = content.errors
      if (error !== undefined) throw error
      return content.value
    },
    readWithErrors() {
      content ??= readAll()
      return content.value
    },
    where: (path) => whereIs(offsetOf(document, node, path) ?? offset),
  }
}

/** Offset of the deepest existing key or entry of a path; `undefined` when its first part does not exist. */
function offsetOf(document: Document, root: Node, path: readonly PropertyKey[]): number | undefined {
  let node: unknown = root
  let offset: number | undefined
  for (const part of path) {
    const target = isAlias(node) ? node.resolve(document) : node
    if (isMap(target)) {
      const pair = target.items.find(({ key }) => isScalar(key) && String(key.value) === part)
      if (pair === undefined) return offset
      if (isScalar(pair.key)) offset = pair.key.range?.[0]
      node = pair.value
    } else if (isSeq(target) && typeof part === 'number') {
      node = target.items[part]
      if (!isScalar(node) && !isMap(node) && !isSeq(node) && !isAlias(node)) return offset
      offset = node.range?.[0]
    } else return offset
  }
  return offset
}

const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g
const CARRIED = /\uE000([A-Za-z0-9_]+)\uE001/g

/**
 * YAML with references replaced by private-use characters while it is parsed: `{` would open a mapping inside `[{token:
 * ${TOKEN}}]`, and the value of a variable must never be parsed as YAML.
 */
export function carryReferences(yaml: string): string {
  return yaml.replace(REFERENCE, '\uE000$1\uE001')
}

/** Replaces each marker by the reference to its variable. */
export function replaceCarried(text: string, replacement: (name: string) => string): string {
  return text.replace(CARRIED, (_, name: string) => replacement(name))
}

const DAYS = z.int().min(1).max(MOST_RETENTION_DAYS)
const SECTION = z.record(z.string(), z.unknown())

/**
 * Days to keep items, by source type; sources not listed are kept forever.
 *
 * @throws AppError `invalid`, naming file, line and setting
 */
export function retentionSection(section: FileSection | undefined): RetentionDays {
  if (section === undefined) return {}
  const parsed = SECTION.safeParse(section.read())
  if (!parsed.success) {
    throw new AppError('invalid', 'retention must be a mapping, as in retention: {slack: 730}', {
      location: section.where([]),
    })
  }
  const entries = Object.entries(parsed.data).filter(([, days]) => days !== null)
  for (const [source, days] of entries) {
    if (!isSourceType(source))
      throw new AppError('invalid', `retention: ${unknown(source)}`, { location: section.where([source]) })
    if (DAYS.safeParse(days).success) continue
    throw new AppError('invalid', `retention: ${source} must be a number of days from 1 to ${MOST_RETENTION_DAYS}`, {
      location: section.where([source]),
    })
  }
  return Object.fromEntries(entries)
}

function unknown(source: string): string {
  const meant = closestName(source, SOURCE_TYPES)
  return `there is no source type ${source}. ${meant === undefined ? `Allowed: ${SOURCE_TYPES.join(', ')}` : `Did you mean ${meant}?`}`
}

const text = () => z.string().regex(/\S/)

/** The schema of `oidc`. */
export const OIDC_SECTION = z.strictObject({
  issuer: z.url({ protocol: /^https?$/ }).describe('Issuer URL of the provider.'),
  client_id: text().describe('Client ID of recalld at the provider.'),
  client_secret: text().describe('Client secret.'),
  title: text().default('single sign-on').describe('Name of the provider, shown on the sign-in button.'),
})

/**
 * The OpenID Connect provider for sign-in; `undefined` when none is configured.
 *
 * @throws AppError `invalid`, naming file, line and setting; never a value
 */
export function oidcSection(section: FileSection | undefined) {
  if (section === undefined) return undefined
  const content = section.read()
  const parsed = OIDC_SECTION.safeParse(content)
  if (parsed.success) {
    const { issuer, client_id: clientId, client_secret: clientSecret, title } = parsed.data
    return { issuer, clientId, clientSecret, title }
  }
  const [issue] = parsed.error.issues
  if (issue === undefined) throw parsed.error
  if (issue.path.length === 0 && issue.code !== 'unrecognized_keys') {
    throw new AppError('invalid', 'oidc must be a mapping, as in oidc: {issuer: ..., client_id: ...}', {
      location: section.where([]),
    })
  }
  const at = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : issue.path
  throw new AppError('invalid', `oidc: ${issueSentence(issue, OIDC_SECTION, content)}`, { location: section.where(at) })
}
