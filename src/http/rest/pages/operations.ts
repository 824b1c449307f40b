import { z } from 'zod'

/** One operation of the OpenAPI document for the page. */
export interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly parameters: readonly Parameter[]
  readonly responses: readonly Response[]
  readonly curl: string
  /** A response, as indented JSON. */
  readonly example: string | undefined
}

export interface Parameter {
  readonly name: string
  readonly place: 'form' | 'query' | 'path'
  readonly required: boolean
  readonly type: string
  readonly description: string
  readonly standard: string | undefined
}

export interface Response {
  readonly status: string
  readonly description: string
}

export interface Tag {
  readonly name: string
  readonly operations: readonly Operation[]
}

// The used part of the document, whose type allows far more.
const SCHEMA = z.looseObject({
  $ref: z.string().optional(),
  allOf: z.array(z.looseObject({ $ref: z.string().optional() })).optional(),
  type: z.string().optional(),
  description: z.string().optional(),
  default: z.union([z.string(), z.number()]).optional(),
  format: z.string().optional(),
  enum: z.array(z.string()).optional(),
  examples: z.array(z.unknown()).optional(),
})
type Schema = z.infer<typeof SCHEMA>

const CONTENT = z.record(z.string(), z.object({ schema: SCHEMA }))
const OPERATION = z.object({
  operationId: z.string(),
  summary: z.string(),
  description: z.string().optional(),
  tags: z.array(z.string()),
  /** Empty: no key is needed. */
  security: z.array(z.unknown()).optional(),
  parameters: z
    .array(
      z.object({
        name: z.string(),
        in: z.enum(['query', 'path']),
        required: z.boolean().optional(),
        description: z.string().optional(),
        schema: SCHEMA,
      }),
    )
    .optional(),
  requestBody: z
    .object({
      content: z.record(
        z.string(),
        z.object({
          schema: z.object({ properties: z.record(z.string(), SCHEMA), required: z.array(z.string()).optional() }),
        }),
      ),
    })
    .optional(),
  responses: z.record(z.string(), z.object({ description: z.string(), content: CONTENT.optional() })),
})
const DOCUMENT = z.object({
  tags: z.array(z.object({ name: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), OPERATION)),
  components: z.object({ schemas: z.record(z.string(), SCHEMA) }),
})

type OpenapiOperation = z.infer<typeof OPERATION>
type Schemas = Readonly<Record<string, Schema>>

/** The operations of an OpenAPI document by tag, in its order. */
export function operationsByTag(document: unknown, baseUrl: string): Tag[] {
  const { tags, paths, components } = DOCUMENT.parse(document)
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      tag: operation.tags[0],
      operation: readOperation(method, path, operation, components.schemas, baseUrl),
    })),
  )
  return tags.map(({ name }) => ({
    name,
    operations: all.filter(({ tag }) => tag === name).map(({ operation }) => operation),
  }))
}

function readOperation(
  method: string,
  path: string,
  operation: OpenapiOperation,
  schemas: Schemas,
  baseUrl: string,
): Operation {
  const form = operation.requestBody?.content['multipart/form-data']?.schema
  const fields = Object.entries(form?.properties ?? {}).map(([name, schema]) =>
    parameter({ name, place: 'form', required: form?.required?.includes(name) ?? false, schema, schemas }),
  )
  const others = (operation.parameters ?? []).map(({ name, in: place, required = false, description, schema }) =>
    parameter({ name, place, required, schema: description ? { ...schema, description } : schema, schemas }),
  )
  const success = Object.values(operation.responses['200']?.content ?? {})[0]?.schema
  const example = success && resolve(success, schemas).examples?.[0]
  const parameters = [...others, ...fields]
  return {
    id: operation.operationId,
    method,
    path,
    summary: operation.summary,
    description: operation.description ?? '',
    parameters: parameters.toSorted((left, right) => Number(right.required) - Number(left.required)),
    responses: Object.entries(operation.responses).map(([status, { description }]) => ({ status, description })),
    curl: curlExample({ method, path, baseUrl, parameters, isKeyless: operation.security?.length === 0 }),
    example: example === undefined ? undefined : JSON.stringify(example, null, 2),
  }
}

function parameter(given: {
  name: string
  place: Parameter['place']
  required: boolean
  schema: Schema
  schemas: Schemas
}): Parameter {
  const { schema } = given
  const resolved = { ...resolve(schema, given.schemas), ...schema }
  const isFile = resolved.format === 'binary'
  return {
    name: given.name,
    place: given.place,
    // A field with a default is optional, although it is required in the parsed value.
    required: given.required && resolved.default === undefined,
    type: isFile ? 'file' : resolved.enum && resolved.enum.length > 5 ? 'source type' : (resolved.type ?? 'string'),
    description: resolved.description ?? '',
    standard: resolved.default === undefined ? undefined : String(resolved.default),
  }
}

function resolve(schema: Schema, schemas: Schemas): Schema {
  const reference = schema.$ref ?? schema.allOf?.[0]?.$ref
  const target = reference && schemas[reference.slice(reference.lastIndexOf('/') + 1)]
  return target || schema
}

const SAMPLE: Readonly<Record<string, string>> = {
  file: '@note.txt',
  user_name: '"Ada Lovelace"',
  text: '"When does the billing migration start?"',
  source_type: 'text',
  item_id: 'billing-note',
}

function curlExample({
  method,
  path,
  baseUrl,
  parameters,
  isKeyless,
}: {
  readonly method: string
  readonly path: string
  readonly baseUrl: string
  readonly parameters: readonly Parameter[]
  readonly isKeyless: boolean
}): string {
  const shown = parameters.filter(({ required }) => required)
  const query = shown.filter(({ place }) => place === 'query').map(({ name }) => `${name}=${SAMPLE[name] ?? ''}`)
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => SAMPLE[name] ?? name)
  const address = `${baseUrl}${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`
  const lines = [
    ...(method === 'delete' ? ['-X DELETE'] : []),
    ...(isKeyless ? [] : ['-H "x-api-key: $RECALLD_API_KEY"']),
    ...shown.filter(({ place }) => place === 'form').map(({ name }) => `-F ${name}=${SAMPLE[name] ?? ''}`),
    query.length > 0 ? `"${address}"` : address,
  ]
  return `curl ${lines.join(' \\\n     ')}`
}
