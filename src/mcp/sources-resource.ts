import type { McpServer } from '@modelcontextprotocol/server'
import { AppError } from '../domain/errors.ts'
import type { Memory } from '../domain/memory.ts'
import { SOURCE_TYPES, type SourceType } from '../domain/source-type.ts'
import type { McpContext } from './mcp-context.ts'
import { momentOf } from './quotation.ts'
import { failureText } from './tool-result.ts'

const URI = 'memory://sources'

/** What is in the memory and how fresh it is, so that a reader can tell "not known" from "not read". */
export function addSourcesResource(server: McpServer, context: McpContext): void {
  const title = 'Sources of the memory'
  const description = 'Each source with how many items are stored and when the newest came in.'
  server.registerResource('sources', URI, { title, description, mimeType: 'application/json' }, async () => {
    try {
      const memory = await context.memory()
      const sources = (await Promise.all(SOURCE_TYPES.map((source) => summary(memory, source)))).flat()
      return { contents: [{ uri: URI, mimeType: 'application/json', text: JSON.stringify({ sources }) }] }
    } catch (error) {
      throw new Error(failureText(error, context), { cause: error })
    }
  })
}

/** None for a source that is empty, or that the key may not see. */
async function summary(memory: Memory, source: SourceType): Promise<object[]> {
  try {
    const { files, total } = await memory.list({ sourceType: source, limit: 1 })
    const [newest] = files
    return newest === undefined
      ? []
      : [{ source, items: total, newest: momentOf(newest.created_at), updated: momentOf(newest.updated_at) }]
  } catch (error) {
    if (error instanceof AppError && error.code === 'forbidden') return []
    throw error
  }
}
