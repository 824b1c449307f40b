import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'

/** What goes wrong instead of an answer. */
export type Fault =
  /** An error of the protocol; `retryAfter` is the header as it is sent. */
  | { readonly status: number; readonly retryAfter?: string }
  /** `slow`: no answer as long as the caller waits; `hung up`: before the first byte; `cut off`: in the middle of the body. */
  | { readonly broken: 'slow' | 'hung up' | 'cut off' | 'not json' }

export interface ChatAnswer {
  /** What the model says; with `cutOff` it ended at its limit. */
  readonly text: string
  readonly cutOff?: boolean
  /** `null`: the server tells none. Default: a quarter of the characters. */
  readonly usage?: { readonly input: number; readonly output: number } | null
  /** Awaited before the answer is sent; for tests of calls at the same time. */
  readonly after?: Promise<unknown>
  /** A streamed answer goes on behind this text only then. */
  readonly paused?: { readonly behind: string; readonly until: Promise<unknown> }
}

const CHAT = z.looseObject({
  model: z.string(),
  messages: z.array(z.looseObject({ role: z.string(), content: z.string() })).min(1),
  response_format: z.looseObject({ type: z.string() }).optional(),
  max_tokens: z.number().optional(),
  stream: z.boolean().optional(),
})
export type ChatRequest = z.infer<typeof CHAT>

const EMBEDDINGS = z.looseObject({
  model: z.string(),
  input: z.union([z.string().transform((text) => [text]), z.array(z.string()).min(1)]),
})
export type EmbeddingsRequest = z.infer<typeof EMBEDDINGS>

const RERANK = z.looseObject({ model: z.string(), query: z.string(), documents: z.array(z.string()).min(1) })
export type RerankRequest = z.infer<typeof RERANK>

/** One score for each document. */
export type RerankScript = (request: RerankRequest) => readonly number[] | Fault

/** A text or an object is what the model says. `call` counts from 0. */
export type ChatScript = (request: ChatRequest, call: number) => string | ChatAnswer | Fault | object
/** One vector for each text. */
export type EmbeddingsScript = (request: EmbeddingsRequest, call: number) => readonly (readonly number[])[] | Fault

/** A server that speaks the protocol of OpenAI on 127.0.0.1, answering as a test says. */
export interface OpenAiServer extends AsyncDisposable {
  /** Up to the version: http://127.0.0.1:PORT/v1. The same after `goDown` and `comeBack`. */
  readonly url: string
  readonly chats: readonly ChatRequest[]
  readonly embeddings: readonly EmbeddingsRequest[]
  readonly reranks: readonly RerankRequest[]
  /** Headers of every request, in order. */
  readonly headers: readonly IncomingMessage['headers'][]
  /** How chats are answered from now on. */
  chat(script: ChatScript): void
  /** How embeddings are made from now on; at first by `wordVector` with 8 dimensions. */
  embed(script: EmbeddingsScript): void
  /** How documents are scored from now on; at first by the words that they share with the question. */
  rerank(script: RerankScript): void
  /** Closes the port and every connection. */
  goDown(): Promise<void>
  comeBack(): Promise<void>
}

interface Scripts {
  chat: ChatScript
  embed: EmbeddingsScript
  rerank: RerankScript
}

interface Received {
  readonly chats: ChatRequest[]
  readonly embeddings: EmbeddingsRequest[]
  readonly reranks: RerankRequest[]
  readonly headers: IncomingMessage['headers'][]
}

export async function startOpenAiServer(chat: ChatScript = () => ({})): Promise<OpenAiServer> {
  const scripts: Scripts = { chat, embed: ({ input }) => input.map((text) => wordVector(text, 8)), rerank: sharedWords }
  const received: Received = { chats: [], embeddings: [], reranks: [], headers: [] }
  const server = createServer((request, response) => void answer(request, response, scripts, received))
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await listen(0)
  const { port } = server.address() as AddressInfo
  const goDown = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return {
    url: `http://127.0.0.1:${port}/v1`,
    ...received,
    chat: (script) => {
      scripts.chat = script
    },
    embed: (script) => {
      scripts.embed = script
    },
    rerank: (script) => {
      scripts.rerank = script
    },
    goDown,
    comeBack: () => listen(port),
    [Symbol.asyncDispose]: goDown,
  }
}

/** Not normalised. Texts with the same words are near each other; another `seed` makes another space. */
export function wordVector(text: string, dimensions: number, seed = 0): number[] {
  const vector = new Array<number>(dimensions).fill(0)
  for (const word of text.toLowerCase().match(/\p{L}+|\p{N}+/gu) ?? []) {
    let hash = 2_166_136_261 ^ seed
    for (const character of word) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619)
    for (let i = 0; i < dimensions; i++) {
      hash = Math.imul(hash ^ (hash >>> 13), 1_540_483_477)
      vector[i]! += (hash >>> 16) / 32_768 - 1
    }
  }
  return vector
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  scripts: Scripts,
  received: Received,
): Promise<void> {
  received.headers.push(request.headers)
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'))
  if (request.url?.endsWith('/chat/completions')) {
    const chat = CHAT.parse(body)
    received.chats.push(chat)
    const said = scripts.chat(chat, received.chats.length - 1)
    if (isFault(said)) return fail(response, said)
    const whole = typeof said === 'string' ? { text: said } : isAnswer(said) ? said : { text: JSON.stringify(said) }
    await whole.after
    return chat.stream ? stream(response, chat, whole) : send(response, 200, completion(chat, whole))
  }
  if (request.url?.endsWith('/embeddings')) {
    const wanted = EMBEDDINGS.parse(body)
    received.embeddings.push(wanted)
    const vectors = scripts.embed(wanted, received.embeddings.length - 1)
    if (isFault(vectors)) return fail(response, vectors)
    const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }))
    const tokens = Math.ceil(wanted.input.join('').length / 4)
    const usage = { prompt_tokens: tokens, total_tokens: tokens }
    return send(response, 200, { object: 'list', model: wanted.model, data, usage })
  }
  if (request.url?.endsWith('/rerank')) {
    const asked = RERANK.parse(body)
    received.reranks.push(asked)
    const scores = scripts.rerank(asked)
    if (isFault(scores)) return fail(response, scores)
    const results = scores.map((score, index) => ({ index, relevance_score: score }))
    return send(response, 200, {
      id: 'rerank-1',
      results: results.sort((a, b) => b.relevance_score - a.relevance_score),
    })
  }
  return fail(response, { status: 404 })
}

/** As a server does that sends probabilities. */
function sharedWords({ query, documents }: RerankRequest): number[] {
  const wanted = new Set(query.toLowerCase().match(/\p{L}+/gu))
  return documents.map((text) => {
    const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
    return words.filter((word) => wanted.has(word)).length / Math.max(1, words.length)
  })
}

/** Characters of a piece of a streamed answer. */
const PIECE = 12

async function stream(response: ServerResponse, chat: ChatRequest, whole: ChatAnswer): Promise<void> {
  const { text, paused } = whole
  const { choices, usage, ...head } = completion(chat, whole)
  const write = (chunk: object) => {
    response.write(`data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', ...chunk })}\n\n`)
  }
  const pause = paused === undefined ? text.length : text.indexOf(paused.behind) + paused.behind.length
  const say = (said: string) => {
    for (const content of said.match(new RegExp(`[^]{1,${PIECE}}`, 'g')) ?? [])
      write({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  say(text.slice(0, pause))
  await paused?.until
  say(text.slice(pause))
  write({ choices: [{ index: 0, delta: {}, finish_reason: choices[0].finish_reason }] })
  if (usage !== undefined) write({ choices: [], usage })
  response.end('data: [DONE]\n\n')
}

function completion({ model, messages }: ChatRequest, { text, cutOff, usage }: ChatAnswer) {
  const input = usage?.input ?? Math.ceil(messages.reduce((sum, { content }) => sum + content.length, 0) / 4)
  const output = usage?.output ?? Math.ceil(text.length / 4)
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model,
    choices: [
      { index: 0, message: { role: 'assistant', content: text }, finish_reason: cutOff ? 'length' : 'stop' },
    ] as const,
    ...(usage !== null && {
      usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
    }),
  }
}

function isFault(said: unknown): said is Fault {
  return typeof said === 'object' && said !== null && ('status' in said || 'broken' in said)
}

function isAnswer(said: object): said is ChatAnswer {
  return 'text' in said
}

function fail(response: ServerResponse, fault: Fault): void {
  if ('status' in fault) {
    // As real ones do: the error repeats what was sent, which must reach nobody.
    const error = { message: 'no; you said: SECRET OF THE SOURCE', type: 'error', code: null }
    send(response, fault.status, { error }, fault.retryAfter)
  } else if (fault.broken === 'hung up') response.destroy()
  else if (fault.broken === 'not json')
    response.writeHead(200, { 'content-type': 'application/json' }).end('<html>SECRET</html>')
  else if (fault.broken === 'cut off') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1_000 })
    response.write('{"id": "chatcmpl-1", "choices": [', () => response.destroy())
  }
}

function send(response: ServerResponse, status: number, body: object, retryAfter?: string): void {
  const headers = { 'content-type': 'application/json', ...(retryAfter !== undefined && { 'retry-after': retryAfter }) }
  response.writeHead(status, headers).end(JSON.stringify(body))
}
