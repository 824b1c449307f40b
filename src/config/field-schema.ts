import { z } from 'zod'
import { closestName } from '../lib/closest-name.ts'

/** One setting of a connection, described by its schema. */
export interface SchemaField {
  readonly name: string
  readonly required: boolean
  /** Absent when it has none. */
  readonly default: unknown
  /** Completes "must be ...". */
  readonly expects: string
  readonly describe: string
  /** The form input; `yaml` when nothing simpler fits. */
  readonly kind: FieldKind
  /** For a choice or a list of known entries. */
  readonly options: readonly string[] | undefined
}

type FieldKind = 'text' | 'number' | 'boolean' | 'list' | 'choice' | 'yaml'

const JSON_SCHEMA = z.looseObject({
  type: z.string().optional(),
  format: z.string().optional(),
  description: z.string().optional(),
  default: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  required: z.array(z.string()).optional(),
  get properties() {
    return z.record(z.string(), JSON_SCHEMA).optional()
  },
  get propertyNames() {
    return JSON_SCHEMA.optional()
  },
  get items() {
    return JSON_SCHEMA.optional()
  },
  get anyOf() {
    return z.array(JSON_SCHEMA).optional()
  },
})
type JsonSchema = z.infer<typeof JSON_SCHEMA>

/** Schemas never change, and describing those of all connectors takes 100 ms, too long for each request. */
const FIELDS = new WeakMap<z.ZodType, readonly SchemaField[]>()

/** The settings of an object schema, in order; looks through transformations and refinements. */
export function schemaFields(schema: z.ZodType): readonly SchemaField[] {
  const known = FIELDS.get(schema)
  if (known !== undefined) return known
  const fields = describeFields(schema)
  FIELDS.set(schema, fields)
  return fields
}

function describeFields(schema: z.ZodType): SchemaField[] {
  const { properties = {}, required = [] } = written(schema)
  return Object.entries(properties).map(([name, field]) => ({
    name,
    required: required.includes(name) && field.default === undefined,
    default: field.default,
    expects: expectation(field),
    describe: field.description ?? '',
    kind: kindOf(field),
    options: (field.enum ?? (field.type === 'array' ? field.items?.enum : undefined))?.map(String),
  }))
}

/** The names of the settings accepted at a path; empty where any name is accepted or the path does not exist. */
function namesAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  const found = at(schema, path)
  return found?.properties ? Object.keys(found.properties) : (found?.propertyNames?.enum ?? []).map(String)
}

/** What is accepted at a path, completing "must be ..."; `undefined` when the path does not exist. */
function expectedAt(schema: z.ZodType, path: readonly PropertyKey[]): string | undefined {
  const found = at(schema, path)
  return found && expectation(found)
}

function at(schema: z.ZodType, path: readonly PropertyKey[]): JsonSchema | undefined {
  return path.reduce<JsonSchema | undefined>(
    (at, part) => (typeof part === 'number' ? at?.items : at?.properties?.[String(part)]),
    written(schema),
  )
}

/** The schema of the value as written in the file, before transformations. */
function written(schema: z.ZodType): JsonSchema {
  return JSON_SCHEMA.parse(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
}

function kindOf(field: JsonSchema): FieldKind {
  if (field.anyOf !== undefined) {
    const kinds = new Set(field.anyOf.map(kindOf))
    return kinds.size === 1 && kinds.has('text') ? 'text' : 'yaml'
  }
  if (field.enum !== undefined) return 'choice'
  switch (field.type) {
    case 'string':
      return 'text'
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'array':
      return field.items?.type === 'string' ? 'list' : 'yaml'
    default:
      return 'yaml'
  }
}

function expectation(schema: JsonSchema): string {
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(expectation))].join(' or ')
  const choices = schema.enum ?? (schema.const === undefined ? undefined : [schema.const])
  if (choices !== undefined) return choices.length === 1 ? String(choices[0]) : `one of ${choices.join(', ')}`
  switch (schema.type) {
    case 'string':
      return expectedText(schema.format)
    case 'integer':
      return wholeNumber(schema)
    case 'number':
      return anyNumber(schema)
    case 'boolean':
      return 'true or false'
    case 'array':
      return schema.items?.type === 'string' ? 'a list of texts, as in [one, two]' : 'a list'
    case 'object':
      return 'a mapping, as in {key: value}'
    default:
      return 'something else'
  }
}

function expectedText(format: string | undefined): string {
  switch (format) {
    case 'date':
      return 'a day such as 2024-01-31'
    case 'date-time':
      return 'a time such as 2024-01-31T12:00:00Z'
    case 'uri':
      return 'an address such as https://example.org'
    default:
      return 'a text that is not empty'
  }
}

function wholeNumber(schema: JsonSchema): string {
  const { from, to } = rangeOf(schema)
  if (from !== undefined && to !== undefined) return `a whole number from ${from} to ${to}`
  if (from !== undefined) return `a whole number of at least ${from}`
  return to === undefined ? 'a whole number' : `a whole number of at most ${to}`
}

function anyNumber(schema: JsonSchema): string {
  const { from, to } = rangeOf(schema)
  if (from !== undefined && to !== undefined) return `a number from ${from} to ${to}`
  if (from !== undefined) return `a number of at least ${from}`
  return to === undefined ? 'a number' : `a number of at most ${to}`
}

function rangeOf({ minimum, maximum }: JsonSchema): { readonly from?: number; readonly to?: number } {
  return {
    ...(minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER && { from: minimum }),
    ...(maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER && { to: maximum }),
  }
}

/** How zod's own messages start; other messages were written for people and are shown. */
const OF_ZOD = /^(Invalid|Too |Unrecognized)/

/**
 * A sentence that names the setting and what it accepts. It never repeats the value, because it may be a
 * token.
 *
 * @param value the checked value, to distinguish missing from wrong settings
 */
export function issueSentence(issue: z.core.$ZodIssue, schema: z.ZodType, value: unknown): string {
  if (issue.code === 'unrecognized_keys') return unknownKey(issue.keys[0] ?? '', issue.path, schema)
  const field = fieldName(issue.path)
  if (!OF_ZOD.test(issue.message)) {
    return issue.message.startsWith('must ') && field !== '' ? `${field} ${issue.message}` : issue.message
  }
  const expected = expectedAt(schema, issue.path) ?? 'something else'
  const found = issue.path.reduce(inside, value)
  if (found === undefined) return `${field} is missing; it must be ${expected}`
  const quotes = expected.startsWith('a text') && (typeof found === 'number' || typeof found === 'boolean')
  return `${field} must be ${expected}${quotes ? '; put it in quotes' : ''}`
}

function unknownKey(key: string, path: readonly PropertyKey[], schema: z.ZodType): string {
  const known = namesAt(schema, path)
  const meant = closestName(key, known)
  const where = path.length === 0 ? '' : ` in ${fieldName(path)}`
  const sentence = `there is no setting ${key}${where}`
  return meant === undefined ? `${sentence}. Allowed: ${known.join(', ')}` : `${sentence}. Did you mean ${meant}?`
}

/** `paths`, `paths, entry 2`. */
function fieldName(path: readonly PropertyKey[]): string {
  return path.map((part) => (typeof part === 'number' ? `entry ${part + 1}` : String(part))).join(', ')
}

function inside(value: unknown, part: PropertyKey): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, part) : undefined
}
