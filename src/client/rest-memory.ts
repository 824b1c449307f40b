import { Agent, errors, FormData, request } from 'undici'
import type { z } from 'zod'
import { AppError } from '../domain/errors.ts'
import type { AskResult, CallOptions, Download, Memory, RecallQuery, RecallResult, Upload } from '../domain/memory.ts'
import { FENCE_HEADER, isFenceId } from '../domain/recalled-fence.ts'
import { DEFAULT_SOURCE_TYPE } from '../domain/source-type.ts'
import { downloadName } from './download-name.ts'
import { responseError } from './response-error.ts'
import {
  askResponse,
  chunkResponse,
  citationResponse,
  forgetResponse,
  listResponse,
  qaResponse,
  recallResponse,
  uploadResponse,
} from './wire-response.ts'

export interface RestMemoryOptions {
  /** Without `/v1`, e.g. `http://127.0.0.1:7411`. A path before `/v1` is kept. */
  readonly baseUrl: string
  readonly apiKey: string
  /** How long the service may be silent. */
  readonly timeoutMs?: number
}

export interface RestMemory extends Memory {
  /** Ends idle connections. */
  close(): Promise<void>
}

/** Asking can take a language model a while. */
const DEFAULT_TIMEOUT_MS = 60_000

interface Answer {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Uint8Array
}

/**
 * The memory behind any server that implements the specification. Sends each request once: what may be repeated, and
 * when, the caller knows; errors carry `retryAfterSeconds` when the server gives one.
 */
export function createRestMemory(options: RestMemoryOptions): RestMemory {
  const baseUrl = options.baseUrl.replace(/\/+$/, '')
  const timeout = options.timeoutMs ?? DEFAULT_TIMEOUT_MS
  const dispatcher = new Agent({ headersTimeout: timeout, bodyTimeout: timeout, connect: { timeout } })

  const send = async (
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body?: FormData,
    { signal }: CallOptions = {},
  ): Promise<Answer> => {
    signal?.throwIfAborted()
    let status: number
    let answer: Answer
    try {
      const headers = { 'x-api-key': options.apiKey, 'user-agent': 'recalld-client' }
      const response = await request(`${baseUrl}${path}`, { method, headers, dispatcher, body, signal })
      status = response.statusCode
      answer = { headers: response.headers, body: new Uint8Array(await response.body.arrayBuffer()) }
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      throw connectionError(error, baseUrl)
    }
    if (status >= 200 && status < 300) return answer
    throw responseError(status, one(answer.headers['retry-after']), new TextDecoder().decode(answer.body))
  }
  const read = async <Schema extends z.ZodType>(schema: Schema, sent: Promise<Answer>) =>
    parsed(schema, (await sent).body, baseUrl)
  const readFenced = async <Schema extends z.ZodObject>(schema: Schema, sent: Promise<Answer>) => {
    const { headers, body } = await sent
    return { ...parsed(schema, body, baseUrl), ...fenceOf(headers) }
  }

  return {
    memorize: (upload) => read(uploadResponse, send('POST', '/v1/memorize', uploadForm(upload))),
    async recall(query, options) {
      const result = await readFenced(recallResponse, send('POST', '/v1/memories/recall', recallForm(query), options))
      return recallResult(result, query)
    },
    async ask({ text }, options): Promise<AskResult> {
      const { citations, ...answer } = await readFenced(
        askResponse,
        send('POST', '/v1/memories/ask', form({ text, citations: 'true' }), options),
      )
      if (citations === undefined) return answer
      return { ...answer, citations: citations.flatMap((element) => citationResponse.safeParse(element).data ?? []) }
    },
    list({ sourceType, limit, offset }) {
      const query = parameters({ source_type: sourceType, limit, offset })
      return read(listResponse, send('GET', `/v1/files/list?${query}`))
    },
    async download({ itemId, sourceType }): Promise<Download> {
      const query = parameters({ item_id: itemId, source_type: sourceType })
      const { headers, body } = await send('GET', `/v1/files/download?${query}`)
      return {
        body,
        contentType: one(headers['content-type']) ?? 'application/octet-stream',
        fileName: downloadName(one(headers['content-disposition'])) ?? itemId,
        ...fenceOf(headers),
      }
    },
    forget({ itemId, sourceType }) {
      const path = `/v1/files/${encodeURIComponent(sourceType)}/${encodeURIComponent(itemId)}`
      return read(forgetResponse, send('DELETE', path))
    },
    close: () => dispatcher.close(),
  }
}

/** Of another server there is none, or none that can stand in a fence. */
function fenceOf(headers: Answer['headers']): { readonly fence?: string } {
  const fence = one(headers[FENCE_HEADER])
  return fence !== undefined && isFenceId(fence) ? { fence } : {}
}

function uploadForm(upload: Upload): FormData {
  const body = form({
    user_name: upload.userName,
    item_id: upload.itemId,
    source_type: upload.sourceType,
    on_conflict: upload.onConflict,
  })
  const type = upload.contentType ?? 'application/octet-stream'
  // Last, so that a server can look at the fields before it reads a long file.
  body.append('file', new File([Buffer.from(upload.body)], upload.fileName, { type }))
  return body
}

function recallForm({ text, source, limit, since, until }: RecallQuery): FormData {
  return form({ text, source, limit, since: since?.toISOString(), until: until?.toISOString() })
}

type Fields = Readonly<Record<string, string | number | undefined>>

function form(fields: Fields): FormData {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) body.append(name, String(value))
  return body
}

function parameters(fields: Fields): URLSearchParams {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) query.append(name, String(value))
  return query
}

function recallResult(
  result: z.output<typeof recallResponse> & { readonly fence?: string },
  query: RecallQuery,
): RecallResult {
  return {
    trace_id: result.trace_id,
    memories: result.memories.map((memory) => ({
      ...memory,
      source: memory.source ?? query.source ?? DEFAULT_SOURCE_TYPE,
    })),
    qa: result.qa.flatMap((element) => qaResponse.safeParse(element).data ?? []),
    chunks: result.chunks.flatMap((element) => chunkResponse.safeParse(element).data ?? []),
    ...(result.notice !== undefined && { notice: result.notice }),
    ...(result.fence !== undefined && { fence: result.fence }),
  }
}

function parsed<Schema extends z.ZodType>(schema: Schema, body: Uint8Array, baseUrl: string): z.output<Schema> {
  let cause: unknown
  try {
    const result = schema.safeParse(JSON.parse(new TextDecoder().decode(body)))
    if (result.success) return result.data
    cause = result.error
  } catch (error) {
    cause = error
  }
  throw new AppError('internal', `${baseUrl} answered in a form that is not the one of a memory service`, { cause })
}

function connectionError(cause: unknown, baseUrl: string): AppError {
  if (cause instanceof errors.HeadersTimeoutError || cause instanceof errors.BodyTimeoutError) {
    return new AppError('unavailable', `recalld at ${baseUrl} did not answer in time`, { cause })
  }
  if (cause instanceof TypeError || cause instanceof errors.InvalidArgumentError) {
    return new AppError('invalid', `${baseUrl} is not an address, or the key cannot be sent in a header`, { cause })
  }
  return new AppError('unavailable', `recalld is not running at ${baseUrl}; start it with \`recalld up\``, { cause })
}

function one(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}
