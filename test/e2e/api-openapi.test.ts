import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import * as results from '../../src/domain/results.ts'
import * as answers from '../../src/http/rest/answer-schemas.ts'
import * as requests from '../../src/http/rest/schemas.ts'
import { httpCall } from '../lib/http-call.ts'
import { type RunningService, startService } from '../lib/start-service.ts'

let running: RunningService
let document: z.infer<typeof DOCUMENT>

const RESPONSE = z.object({
  description: z.string().min(1),
  content: z.record(z.string(), z.object({ schema: z.looseObject({}) })),
})
const OPERATION = z.looseObject({
  operationId: z.string().regex(/^[a-z][A-Za-z]+$/),
  summary: z.string().min(1),
  tags: z.tuple([z.string()]),
  parameters: z
    .array(z.looseObject({ name: z.string(), in: z.enum(['query', 'path']), schema: z.looseObject({}) }))
    .optional(),
  requestBody: z
    .object({
      required: z.literal(true),
      content: z.strictObject({ 'multipart/form-data': z.object({ schema: z.looseObject({}) }) }),
    })
    .optional(),
  responses: z.record(z.string().regex(/^\d{3}$/), RESPONSE),
})
/** The parts of OpenAPI 3.1 that this document uses, with what it requires of them. */
const DOCUMENT = z.object({
  openapi: z.literal('3.1.0'),
  info: z.object({ title: z.string(), version: z.string(), description: z.string() }),
  servers: z.array(z.object({ url: z.url() })).min(1),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  security: z.tuple([z.strictObject({ apiKey: z.array(z.string()) })]),
  components: z.object({
    securitySchemes: z.object({
      apiKey: z.looseObject({ type: z.literal('apiKey'), in: z.literal('header'), name: z.literal('x-api-key') }),
    }),
    schemas: z.record(z.string(), z.looseObject({})),
  }),
  paths: z.record(z.string().startsWith('/v1/'), z.record(z.string(), OPERATION)),
})

const KEYLESS = ['/v1/health', '/v1/live', '/v1/ready']

beforeAll(async () => {
  running = await startService({ work: false })
  document = DOCUMENT.parse((await httpCall(`${running.baseUrl}/openapi.json`)).body)
})
afterAll(() => running.stop())

test('the document holds exactly the endpoints of the specification, readiness, corrections, notes, tags, suggestions and what is known', () => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(operations.sort()).toEqual([
    'DELETE /v1/files/{source_type}/{item_id}',
    'DELETE /v1/memories/edits/{id}',
    'DELETE /v1/memories/people/{name}/decision',
    'DELETE /v1/memories/{custom_id}/correction',
    'DELETE /v1/memories/{custom_id}/hide',
    'DELETE /v1/memories/{custom_id}/notes',
    'DELETE /v1/memories/{custom_id}/pin',
    'GET /v1/files/download',
    'GET /v1/files/list',
    'GET /v1/files/{source_type}/{item_id}/tags',
    'GET /v1/health',
    'GET /v1/live',
    'GET /v1/memories/edits',
    'GET /v1/memories/name-decisions',
    'GET /v1/memories/passages',
    'GET /v1/memories/people',
    'GET /v1/memories/people/{name}',
    'GET /v1/memories/places',
    'GET /v1/memories/places/{name}',
    'GET /v1/memories/profile',
    'GET /v1/memories/projects',
    'GET /v1/memories/projects/{name}',
    'GET /v1/memories/recent',
    'GET /v1/ready',
    'POST /v1/files/{source_type}/{item_id}/tags',
    'POST /v1/memories/ask',
    'POST /v1/memories/briefing',
    'POST /v1/memories/recall',
    'POST /v1/memories/suggestions',
    'POST /v1/memories/{custom_id}/notes',
    'POST /v1/memorize',
    'PUT /v1/memories/people/{name}/merge',
    'PUT /v1/memories/people/{name}/split',
    'PUT /v1/memories/{custom_id}/correction',
    'PUT /v1/memories/{custom_id}/hide',
    'PUT /v1/memories/{custom_id}/pin',
  ])
})

test('numbers are described with their range and what they are when absent', () => {
  const schemas = Object.fromEntries(
    (document.paths['/v1/files/list']?.get?.parameters ?? []).map(({ name, schema }) => [name, schema]),
  )
  expect(schemas.limit).toMatchObject({ type: 'integer', minimum: 1, maximum: 10_000, default: 1_000 })
  expect(schemas.offset).toMatchObject({ type: 'integer', minimum: 0, default: 0 })
})

test('every route below /v1 that the server knows stands in the document', () => {
  for (const [path, methods] of Object.entries(document.paths)) {
    const url = path.replace(/\{(\w+)\}/g, ':$1')
    for (const method of Object.keys(methods)) {
      expect(running.server.hasRoute({ method: method.toUpperCase() as 'GET', url })).toBe(true)
    }
  }
  const printed = running.server.printRoutes({ commonPrefix: false })
  const known = printed
    .split('\n')
    .filter((line) => /── (?:v1\/|\/:(?:name|id) |\/?(?:merge|split|decision|tags) )/.test(line))
  expect(known).toHaveLength(Object.keys(document.paths).length)
})

test('every reference leads to a schema, and every schema is referred to', () => {
  const text = JSON.stringify(document)
  const referred = new Set([...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name))
  expect([...referred].sort()).toEqual(Object.keys(document.components.schemas).sort())
})

test('every operation behind a key documents 401, 402, 429, 500 and 503, and answers errors with detail', () => {
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const { responses } of Object.values(methods)) {
      const statuses = Object.keys(responses)
      if (!KEYLESS.includes(path)) expect(statuses).toEqual(expect.arrayContaining(['401', '402', '429', '500', '503']))
      for (const status of statuses.filter((status) => status !== '200')) {
        expect(responses[status]?.content['application/json']?.schema).toEqual({ $ref: '#/components/schemas/Error' })
      }
    }
  }
  expect(document.components.schemas.Error).toMatchObject({
    required: ['detail'],
    properties: { detail: { type: 'string' } },
  })
})

test('names of operations are unique', () => {
  const names = Object.values(document.paths).flatMap((methods) => Object.values(methods).map((one) => one.operationId))
  expect(new Set(names).size).toBe(names.length)
})

test('health and readiness need no key, everything else does', () => {
  for (const path of KEYLESS) expect(document.paths[path]?.get).toMatchObject({ security: [] })
  expect(document.paths['/v1/files/list']?.get).not.toHaveProperty('security')
})

test.each([
  ['/v1/memorize', ['file', 'user_name'], ['agent', 'connector', 'item_id', 'on_conflict', 'priority', 'source_type']],
  [
    '/v1/memories/recall',
    ['text'],
    ['as_of', 'connector', 'limit', 'person', 'project', 'since', 'source', 'tag', 'until'],
  ],
  [
    '/v1/memories/ask',
    ['text'],
    ['as_of', 'citations', 'connector', 'context', 'person', 'project', 'since', 'tag', 'until'],
  ],
])('the form of %s requires %j, and knows %j', (path, required, optional) => {
  const schema = document.paths[path]?.post?.requestBody?.content['multipart/form-data'].schema
  const form = z.object({ required: z.array(z.string()), properties: z.looseObject({}) }).parse(schema)
  expect(form.required.sort()).toEqual(required)
  expect(Object.keys(form.properties).sort()).toEqual([...required, ...optional].sort())
})

test('examples are valid by their own schemas', () => {
  const schemas = { ...requests, ...results, ...answers }
  const named = Object.values(schemas).flatMap((schema) => {
    if (!(schema instanceof z.ZodType)) return []
    return (schema.meta()?.examples as unknown[] | undefined)?.map((example) => ({ schema, example })) ?? []
  })
  expect(named.length).toBeGreaterThan(5)
  for (const { schema, example } of named) expect(schema.safeParse(example).error).toBeUndefined()
})

test('the pages are whole without any other server or script', async () => {
  for (const path of ['/', '/docs']) {
    const { status, text, headers } = await httpCall(`${running.baseUrl}${path}`)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^text\/html/)
    expect(text).not.toMatch(/<script|style=|\bon\w+=|src=/)
    expect([...text.matchAll(/<link[^>]+href="([^"]+)"/g)].map(([, href]) => href)).toEqual([
      'data:,',
      '/docs/style.css',
    ])
    for (const [, href] of text.matchAll(/<a [^>]*href="(\/[^"#]*)"/g)) {
      expect((await httpCall(`${running.baseUrl}${href}`)).status).toBe(200)
    }
  }
  expect((await httpCall(`${running.baseUrl}/docs/style.css`)).text).toMatch(/prefers-color-scheme: dark/)
})

test('every anchor of the documentation leads somewhere, and each operation has an example to copy', async () => {
  const { text } = await httpCall(`${running.baseUrl}/docs`)
  for (const [, id] of text.matchAll(/href="#([^"]+)"/g)) expect(text).toContain(`id="${id}"`)
  const operations = text.split('<section class="operation"').slice(1)
  expect(operations).toHaveLength(36)
  for (const operation of operations) expect(operation).toContain('<code>curl ')
})

test('metrics count requests by route and status, and tell the depth of the queue', async () => {
  await httpCall(`${running.baseUrl}/v1/files/list?source_type=text`, { key: running.key })
  await httpCall(`${running.baseUrl}/v1/files/text/an-id`, { method: 'DELETE', key: running.key })
  const { text } = await httpCall(`${running.baseUrl}/metrics`)
  expect(text).toMatch(/recalld_http_requests_total\{method="GET",route="\/v1\/files\/list",status="200"\} 1/)
  expect(text).toMatch(/route="\/v1\/files\/:source_type\/:item_id",status="404"/)
  expect(text).toMatch(/^recalld_queue_waiting\{turn="uploads"\} 0$/m)
  expect(text).toMatch(/^recalld_items\{state="waiting"\} 0$/m)
  expect(text).not.toContain('an-id')
})

test('metrics are refused to whom a proxy asks for', async () => {
  const answer = await httpCall(`${running.baseUrl}/metrics`, { headers: { 'x-forwarded-for': '203.0.113.9' } })
  expect(answer.status).toBe(403)
})
