import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server of the specification without extensions: what exists is a conflict, whatever `on_conflict` says. */
export interface PlainMemoryServer extends AsyncDisposable {
  readonly baseUrl: string
}

interface File {
  readonly itemId: string
  readonly sourceType: string
  readonly body: Buffer
  readonly contentType: string
  readonly name: string
}

export async function startPlainMemoryServer(): Promise<PlainMemoryServer> {
  const files = new Map<string, File>()
  const server = createServer(async (request, response) => {
    const { status, body } = await answer(files, request)
    if (Buffer.isBuffer(body)) response.writeHead(status).end(body)
    else sendJson(response, status, body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

interface Answer {
  readonly status: number
  readonly body: unknown
}

async function answer(files: Map<string, File>, request: IncomingMessage): Promise<Answer> {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1')
  if (request.method === 'POST' && url.pathname === '/v1/memorize') return memorize(files, request)
  if (request.method === 'DELETE') return forget(files, url.pathname.split('/').slice(-2).map(decodeURIComponent))
  if (url.pathname === '/v1/files/list') return list(files, url.searchParams)
  if (url.pathname === '/v1/files/download') return download(files, url.searchParams)
  return { status: 404, body: { detail: 'There is nothing here' } }
}

async function memorize(files: Map<string, File>, request: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const headers = { 'content-type': request.headers['content-type'] ?? '' }
  const form = await new Response(Buffer.concat(chunks), { headers }).formData()
  const itemId = String(form.get('item_id'))
  const sourceType = String(form.get('source_type'))
  const file = form.get('file')
  if (file === null || typeof file === 'string') return { status: 422, body: { detail: 'file is missing' } }
  const key = `${sourceType}/${itemId}`
  if (files.has(key)) return { status: 409, body: { detail: `item_id ${itemId} already exists` } }
  const body = Buffer.from(await file.arrayBuffer())
  files.set(key, { itemId, sourceType, body, contentType: file.type, name: file.name })
  return { status: 200, body: { status: 'success', user_id: 'ada', item_id: itemId, workflow_execution: 'w' } }
}

function forget(files: Map<string, File>, [sourceType, itemId]: readonly string[]): Answer {
  if (!files.delete(`${sourceType}/${itemId}`)) return { status: 404, body: { detail: `There is no ${itemId}` } }
  return { status: 200, body: { status: 'success', item_id: itemId, source_type: sourceType, deleted_memories: 1 } }
}

function list(files: Map<string, File>, query: URLSearchParams): Answer {
  const offset = Number(query.get('offset') ?? 0)
  const limit = Number(query.get('limit') ?? 1_000)
  const of = [...files.values()].filter(({ sourceType }) => sourceType === query.get('source_type'))
  const records = of.slice(offset, offset + limit).map(({ itemId, sourceType, body, contentType, name }) => ({
    item_id: itemId,
    source_type: sourceType,
    file_name: name,
    content_type: contentType,
    size_bytes: body.length,
    status: 'ready',
    memory_count: 1,
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
  }))
  return { status: 200, body: { files: records, total: of.length, limit, offset } }
}

function download(files: Map<string, File>, query: URLSearchParams): Answer {
  const file = files.get(`${query.get('source_type')}/${query.get('item_id')}`)
  return file === undefined
    ? { status: 404, body: { detail: 'There is no such item' } }
    : { status: 200, body: file.body }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
