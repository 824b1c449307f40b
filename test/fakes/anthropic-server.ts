import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** What the scripted model was sent, as JSON text. */
export interface AnthropicServer {
  readonly url: string
  readonly requests: readonly string[]
  close(): Promise<void>
}

const USAGE = { input_tokens: 1, output_tokens: 1 }

/**
 * The part of the Messages API that Claude Code needs for one turn: every request is answered with the same words, as a
 * stream or whole (https://docs.anthropic.com/en/api/messages-streaming).
 */
export async function startAnthropicServer(words: string): Promise<AnthropicServer> {
  const requests: string[] = []
  const server = createServer(async (request, response) => {
    const body = await text(request)
    const isMessage = request.method === 'POST' && /^\/v1\/messages(\?|$)/.test(request.url ?? '')
    if (!isMessage) {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
      return
    }
    requests.push(body)
    const message = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'scripted',
      stop_sequence: null,
      usage: USAGE,
    }
    if (JSON.parse(body).stream !== true) {
      const content = [{ type: 'text', text: words }]
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ ...message, content, stop_reason: 'end_turn' }))
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const send = (type: string, data: object) =>
      response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
    send('message_start', { message: { ...message, content: [], stop_reason: null } })
    send('content_block_start', { index: 0, content_block: { type: 'text', text: '' } })
    send('content_block_delta', { index: 0, delta: { type: 'text_delta', text: words } })
    send('content_block_stop', { index: 0 })
    send('message_delta', { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: USAGE })
    send('message_stop', {})
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
