import swagger from '@fastify/swagger'
import type { FastifySchema } from 'fastify'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import type { ApiServer } from './server-types.ts'

const DESCRIPTION = `A memory for people who work with AI agents: upload text, PDF or Office files, and recall what they say in your own words.

Every error is a JSON object with a string \`detail\`. Keys belong on servers, never in browser JavaScript.`

/** Has to be registered before the routes it describes. */
export async function registerOpenapi(app: ApiServer, info: { version: string; baseUrl: string }): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'recalld', version: info.version, description: DESCRIPTION },
      servers: [{ url: info.baseUrl }],
      tags: [
        { name: 'Memories', description: 'Upload, recall, ask.' },
        { name: 'Files', description: 'What was uploaded.' },
        { name: 'Health', description: 'Whether the service is running.' },
      ],
      components: {
        securitySchemes: {
          apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'Begins with rk_.' },
        },
      },
      security: [{ apiKey: [] }],
    },
    // Other doors on the same server (the app, MCP) are no part of the REST interface.
    transform: (route) =>
      isDescribed(route.schema) ? jsonSchemaTransform(route) : { schema: { hide: true }, url: route.url },
    transformObject: jsonSchemaTransformObject,
  })
}

function isDescribed(schema: FastifySchema | undefined): boolean {
  return schema !== undefined && 'operationId' in schema
}
