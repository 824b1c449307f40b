import process from 'node:process'
import { createRestMemory } from '../src/client/rest-memory.ts'
import { clientCredentials } from '../src/config/credentials.ts'
import { serveStdio } from '../src/mcp/mcp-server.ts'

/*
 * The server in the bundle for Claude Desktop. Like `recalld mcp`, but the address and key come from the host's settings,
 * and recalld need not be installed.
 */

/** Set by scripts/bundle-mcpb.ts. */
declare const RECALLD_VERSION: string

const DEFAULT_URL = 'http://127.0.0.1:7411'
const { env } = process
const url = env.RECALLD_URL || DEFAULT_URL
const memory = createRestMemory(clientCredentials('', { ...env, RECALLD_URL: url }, DEFAULT_URL))
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop.abort())

const context = {
  memory: async () => memory,
  serviceUrl: () => url,
  version: RECALLD_VERSION,
  tools: ['recall', 'ask', 'open'],
  userName: env.USER || env.USERNAME || 'me',
} as const
await serveStdio(context, process, stop.signal, (error) => process.stderr.write(`recalld: ${error.message}\n`))
await memory.close()
