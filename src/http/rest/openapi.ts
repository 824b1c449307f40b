import swagger from '@fastify/swagger'
import type { FastifySchema } from 'fastify'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import type { ApiServer } from './server-types.ts'

const DESCRIPTION = `A memory for people who work with AI agents: upload text, PDF or Office files, and recall what they say in your own words.

Every error is a JSON object with a string \`detail\`. Keys belong on servers, never in browser JavaScript.`

/** Must be registered before the routes it describes. */
export async function registerOpenapi(app: ApiServer, info: { version: string; baseUrl: string }): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'recalld', version: info.version, description: DESCRIPTION },
      servers: [{ url: info.baseUrl }],
      tags: [
        { name: 'Memories', description: 'Upload, recall, ask.' },
        { name: 'Files', description: 'Uploaded files.' },
        { name: 'Health', description: 'Whether the service is running.' },
      ],
      components: {
        securitySchemes: {
          apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'Starts with rk_.' },
        },
      },
      security: [{ apiKey: [] }],
    },
    // Other routes of the same server (the app, MCP) are not part of the REST interface.
    transform: (route) =>
      isDescribed(route.schema) ? jsonSchemaTransform(route) : { schema: { hide: true }, url: route.url },
    transformObject: jsonSchemaTransformObject,
  })
}

function isDescribed(schema: FastifySchema | undefined): boolean {
  return schema !== undefined && 'operationId' in schema
}

/**
 * Post-processes the document: the zod transform writes each schema twice, for input and output, which are the same
 * here; forbids further properties in responses, which later versions may add; marks lists as read-only that only are
 * so in TypeScript; and drops the defaults of numbers, which src/http/rest/schemas.ts therefore passes as `x-default`.
 */
export function tidyOpenapi(document: unknown): Record<string, unknown> {
  const tidied = tidy(document)
  if (!isObject(tidied)) throw new Error('The OpenAPI document is not an object')
  const { components } = tidied
  if (isObject(components) && isObject(components.schemas)) {
    const schemas = Object.entries(components.schemas).filter(([name]) => !name.endsWith(INPUT))
    components.schemas = Object.fromEntries(schemas)
  }
  return tidied
}

const INPUT = 'Input'

function tidy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidy)
  if (!isObject(value)) return value
  const result: Record<string, unknown> = {}
  for (const [key, child] of Object.entries(value)) {
    if ((key === 'additionalProperties' && child === false) || (key === 'readOnly' && child === true)) continue
    if (key === '$ref' && typeof child === 'string') {
      result[key] = child.endsWith(INPUT) ? child.slice(0, -INPUT.length) : child
    } else {
      result[key === 'x-default' ? 'default' : key] = tidy(child)
    }
  }
  return result
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
