import { Agent, errors, FormData, request } from 'undici'
import type { z } from 'zod'
import {
  type CorrectionResult,
  correctionResult,
  type EditList,
  editList,
  type MarkResult,
  markResult,
  type NoteResult,
  noteResult,
  type TagResult,
  tagResult,
  type UndoResult,
  undoResult,
} from '../domain/change-results.ts'
import { AppError } from '../domain/errors.ts'
import type {
  AskQuery,
  CallOptions,
  Download,
  EditableMemory,
  EditQuery,
  ListQuery,
  Memory,
  MemoryFilters,
  MemoryMark,
  MemoryRef,
  OpenQuery,
  RecallQuery,
  RecentQuery,
  TaggableMemory,
  TimeBound,
  Upload,
} from '../domain/memory.ts'
import { type NamingMemory, nameDecisionList, nameDecisionResult } from '../domain/name-decision.ts'
import {
  type KnowingMemory,
  profile,
  type SubjectKind,
  type SubjectList,
  subjectList,
  subjectPage,
} from '../domain/profile.ts'
import { FENCE_HEADER, isFenceId } from '../domain/recalled-fence.ts'
import {
  type AskResult,
  type FileList,
  type ForgetResult,
  forgetResult,
  type OpenResult,
  qaResult,
  type RecallResult,
  type RecentResult,
  type UploadResult,
} from '../domain/results.ts'
import { DEFAULT_SOURCE_TYPE } from '../domain/source-type.ts'
import { rejectedKey, responseError } from './response-error.ts'
import {
  askResponse,
  chunkResponse,
  citationResponse,
  listResponse,
  openResponse,
  recallResponse,
  recentResponse,
  uploadResponse,
} from './response-schemas.ts'

interface RestMemoryOptions {
  /** Without `/v1`, e.g. `http://127.0.0.1:7411`. A path before `/v1` is kept. */
  readonly baseUrl: string
  readonly apiKey: string
  /** The variable or file that the key is from, for messages. */
  readonly keyOrigin?: string
  /** How long the service may not respond. */
  readonly timeoutMs?: number
}

export interface RestMemory extends EditableMemory, KnowingMemory, NamingMemory, TaggableMemory {
  /** Closes idle connections. */
  close(): Promise<void>
}

/** Answers by a language model can take a while. */
const DEFAULT_TIMEOUT_MS = 60_000

interface Answer {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Uint8Array
}

/**
 * The memory on any server that implements the specification. Each request is sent once; errors carry
 * `retryAfterSeconds` when the server states it.
 */
export function createRestMemory(options: RestMemoryOptions): RestMemory {
  return new HttpMemory(options)
}

class HttpMemory implements RestMemory {
  readonly #baseUrl: string
  readonly #headers: Readonly<Record<string, string>>
  readonly #dispatcher: Agent
  readonly #keyOrigin: string | undefined

  constructor({ baseUrl, apiKey, keyOrigin, timeoutMs: timeout = DEFAULT_TIMEOUT_MS }: RestMemoryOptions) {
    this.#keyOrigin = keyOrigin
    this.#baseUrl = baseUrl.replace(/\/+$/, '')
    this.#headers = { 'x-api-key': apiKey, 'user-agent': 'recalld-client' }
    this.#dispatcher = new Agent({ headersTimeout: timeout, bodyTimeout: timeout, connect: { timeout } })
  }

  memorize(upload: Upload): Promise<UploadResult> {
    return this.#read(uploadResponse, this.#send('POST', '/v1/memorize', uploadForm(upload)))
  }

  async recall(query: RecallQuery, options?: CallOptions): Promise<RecallResult> {
    const sent = this.#send('POST', '/v1/memories/recall', recallForm(query), options)
    return completeRecall(await this.#readFenced(recallResponse, sent), query)
  }

  async ask({ text, asOf, context, ...filters }: AskQuery, options?: CallOptions): Promise<AskResult> {
    const fields = { text, citations: 'true', as_of: timeText(asOf), context, ...filterFields(filters) }
    const sent = this.#send('POST', '/v1/memories/ask', form(fields), options)
    const { citations, ...answer } = await this.#readFenced(askResponse, sent)
    if (citations === undefined) return answer
    return { ...answer, citations: citations.flatMap((element) => citationResponse.safeParse(element).data ?? []) }
  }

  recent({ source, limit, ...filters }: RecentQuery, options?: CallOptions): Promise<RecentResult> {
    const path = `/v1/memories/recent?${parameters({ source, limit, ...filterFields(filters) })}`
    return this.#readFenced(recentResponse, this.#send('GET', path, undefined, options))
  }

  open({ handle, around }: OpenQuery, options?: CallOptions): Promise<OpenResult> {
    const path = `/v1/memories/passages?${parameters({ handle, around })}`
    return this.#readFenced(openResponse, this.#send('GET', path, undefined, options))
  }

  list({ sourceType, connector, tag, limit, offset }: ListQuery): Promise<FileList> {
    const query = parameters({ source_type: sourceType, connector, tag, limit, offset })
    return this.#read(listResponse, this.#send('GET', `/v1/files/list?${query}`))
  }

  async download({ itemId, sourceType }: Parameters<Memory['download']>[0]): Promise<Download> {
    const query = parameters({ item_id: itemId, source_type: sourceType })
    const { headers, body } = await this.#send('GET', `/v1/files/download?${query}`)
    return {
      body,
      contentType: firstValue(headers['content-type']) ?? 'application/octet-stream',
      fileName: downloadName(firstValue(headers['content-disposition'])) ?? itemId,
      ...fenceIn(headers),
    }
  }

  forget({ itemId, sourceType }: Parameters<Memory['forget']>[0]): Promise<ForgetResult> {
    const path = `/v1/files/${encodeURIComponent(sourceType)}/${encodeURIComponent(itemId)}`
    return this.#read(forgetResult, this.#send('DELETE', path))
  }

  tags(ref: Parameters<TaggableMemory['tags']>[0]): Promise<TagResult> {
    return this.#read(tagResult, this.#send('GET', tagsPath(ref)))
  }

  tag({ itemId, sourceType, add = [], remove = [] }: Parameters<TaggableMemory['tag']>[0]): Promise<TagResult> {
    const changes = form({ add: add.join('\n'), remove: remove.join('\n') })
    return this.#read(tagResult, this.#send('POST', tagsPath({ itemId, sourceType }), changes))
  }

  correct({ memory, text }: Parameters<EditableMemory['correct']>[0]): Promise<CorrectionResult> {
    return this.#read(correctionResult, this.#send('PUT', memoryPath(memory, 'correction'), form({ text })))
  }

  undoCorrection(memory: MemoryRef): Promise<UndoResult> {
    return this.#read(undoResult, this.#send('DELETE', memoryPath(memory, 'correction')))
  }

  note({ memory, text }: Parameters<EditableMemory['note']>[0]): Promise<NoteResult> {
    return this.#read(noteResult, this.#send('POST', memoryPath(memory, 'notes'), form({ text })))
  }

  undoNote(memory: MemoryRef): Promise<UndoResult> {
    return this.#read(undoResult, this.#send('DELETE', memoryPath(memory, 'notes')))
  }

  mark(mark: MemoryMark, memory: MemoryRef): Promise<MarkResult> {
    return this.#read(markResult, this.#send('PUT', memoryPath(memory, mark)))
  }

  unmark(mark: MemoryMark, memory: MemoryRef): Promise<UndoResult> {
    return this.#read(undoResult, this.#send('DELETE', memoryPath(memory, mark)))
  }

  edits({ kind, limit, offset }: EditQuery): Promise<EditList> {
    return this.#read(editList, this.#send('GET', `/v1/memories/edits?${parameters({ kind, limit, offset })}`))
  }

  undoEdit(id: string): Promise<UndoResult> {
    return this.#read(undoResult, this.#send('DELETE', `/v1/memories/edits/${encodeURIComponent(id)}`))
  }

  nameDecisions(): ReturnType<NamingMemory['nameDecisions']> {
    return this.#read(nameDecisionList, this.#send('GET', '/v1/memories/name-decisions'))
  }

  mergeNames({ name, into }: Parameters<NamingMemory['mergeNames']>[0]): ReturnType<NamingMemory['mergeNames']> {
    return this.#read(nameDecisionResult, this.#send('PUT', personPath(name, `merge?${parameters({ into })}`)))
  }

  splitName(name: string): ReturnType<NamingMemory['splitName']> {
    return this.#read(nameDecisionResult, this.#send('PUT', personPath(name, 'split')))
  }

  undoNameDecision(name: string): Promise<UndoResult> {
    return this.#read(undoResult, this.#send('DELETE', personPath(name, 'decision')))
  }

  profile(): ReturnType<KnowingMemory['profile']> {
    return this.#readFenced(profile, this.#send('GET', '/v1/memories/profile'))
  }

  subjects({ kind, limit, offset }: Parameters<KnowingMemory['subjects']>[0]): Promise<SubjectList> {
    const query = parameters({ limit, offset })
    return this.#read(subjectList, this.#send('GET', `/v1/memories/${SUBJECT_PATHS[kind]}?${query}`))
  }

  subject({ kind, name }: Parameters<KnowingMemory['subject']>[0]): ReturnType<KnowingMemory['subject']> {
    const path = `/v1/memories/${SUBJECT_PATHS[kind]}/${encodeURIComponent(name)}`
    return this.#readFenced(subjectPage, this.#send('GET', path))
  }

  close(): Promise<void> {
    return this.#dispatcher.close()
  }

  async #send(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: FormData,
    { signal }: CallOptions = {},
  ): Promise<Answer> {
    signal?.throwIfAborted()
    let status: number
    let answer: Answer
    try {
      const options = { method, headers: this.#headers, dispatcher: this.#dispatcher, body, signal }
      const response = await request(`${this.#baseUrl}${path}`, options)
      status = response.statusCode
      answer = { headers: response.headers, body: new Uint8Array(await response.body.arrayBuffer()) }
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      throw connectionError(error, this.#baseUrl)
    }
    if (status >= 200 && status < 300) return answer
    if (status === 401 && this.#keyOrigin !== undefined) throw rejectedKey(this.#keyOrigin, this.#baseUrl)
    throw responseError(status, firstValue(answer.headers['retry-after']), new TextDecoder().decode(answer.body))
  }

  async #read<Schema extends z.ZodType>(schema: Schema, sent: Promise<Answer>): Promise<z.output<Schema>> {
    return parseResponse(schema, (await sent).body, this.#baseUrl)
  }

  async #readFenced<Schema extends z.ZodObject>(schema: Schema, sent: Promise<Answer>) {
    const { headers, body } = await sent
    return { ...parseResponse(schema, body, this.#baseUrl), ...fenceIn(headers) }
  }
}

const SUBJECT_PATHS: Readonly<Record<SubjectKind, string>> = { person: 'people', project: 'projects', place: 'places' }

function memoryPath({ customId, sourceType }: MemoryRef, part: 'correction' | 'notes' | MemoryMark): string {
  const query = sourceType === undefined ? '' : `?${parameters({ source_type: sourceType })}`
  return `/v1/memories/${encodeURIComponent(customId)}/${part}${query}`
}

function tagsPath({ itemId, sourceType }: Parameters<TaggableMemory['tags']>[0]): string {
  return `/v1/files/${encodeURIComponent(sourceType)}/${encodeURIComponent(itemId)}/tags`
}

function personPath(name: string, part: string): string {
  return `/v1/memories/people/${encodeURIComponent(name)}/${part}`
}

/** Other servers send no fence id, or an invalid one. */
function fenceIn(headers: Answer['headers']): { readonly fence?: string } {
  const fence = firstValue(headers[FENCE_HEADER])
  return fence !== undefined && isFenceId(fence) ? { fence } : {}
}

function uploadForm(upload: Upload): FormData {
  const body = form({
    user_name: upload.userName,
    item_id: upload.itemId,
    source_type: upload.sourceType,
    on_conflict: upload.onConflict,
    priority: upload.priority,
    agent: upload.agent,
    connector: upload.connector,
  })
  const type = upload.contentType ?? 'application/octet-stream'
  // Last, so that a server can check the fields before it receives a long file.
  body.append('file', new File([Buffer.from(upload.body)], upload.fileName, { type }))
  return body
}

function recallForm({ text, source, limit, asOf, ...filters }: RecallQuery): FormData {
  return form({ text, source, limit, as_of: timeText(asOf), ...filterFields(filters) })
}

function filterFields({ since, until, person, project, connector, tag }: MemoryFilters) {
  return { since: timeText(since), until: timeText(until), person, project, connector, tag }
}

function timeText(bound: TimeBound | undefined): string | undefined {
  return typeof bound === 'string' ? bound : bound?.toISOString()
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

function completeRecall(
  result: z.output<typeof recallResponse> & { readonly fence?: string },
  query: RecallQuery,
): RecallResult {
  return {
    trace_id: result.trace_id,
    memories: result.memories.map((memory) => ({
      ...memory,
      source: memory.source ?? query.source ?? DEFAULT_SOURCE_TYPE,
    })),
    qa: result.qa.flatMap((element) => qaResult.safeParse(element).data ?? []),
    chunks: result.chunks.flatMap((element) => chunkResponse.safeParse(element).data ?? []),
    ...(result.confidence !== undefined && { confidence: result.confidence }),
    ...(result.filters !== undefined && { filters: result.filters }),
    ...(result.notice !== undefined && { notice: result.notice }),
    ...(result.fence !== undefined && { fence: result.fence }),
  }
}

function parseResponse<Schema extends z.ZodType>(schema: Schema, body: Uint8Array, baseUrl: string): z.output<Schema> {
  let cause: unknown
  try {
    const result = schema.safeParse(JSON.parse(new TextDecoder().decode(body)))
    if (result.success) return result.data
    cause = result.error
  } catch (error) {
    cause = error
  }
  throw new AppError('internal', `${baseUrl} doesn't answer like a recalld service. Check the address.`, { cause })
}

function connectionError(cause: unknown, baseUrl: string): AppError {
  if (cause instanceof errors.HeadersTimeoutError || cause instanceof errors.BodyTimeoutError) {
    return new AppError('unavailable', `recalld at ${baseUrl} did not answer in time.`, { cause })
  }
  if (cause instanceof TypeError || cause instanceof errors.InvalidArgumentError) {
    return new AppError('invalid', `${baseUrl} is not a valid address, or the API key has invalid characters.`, {
      cause,
    })
  }
  return new AppError('unavailable', `recalld is not running at ${baseUrl}.`, {
    advice: { action: 'start_service' },
    cause,
  })
}

function firstValue(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}

/** The file name in a `Content-Disposition` (RFC 6266): `filename*` before `filename`. */
export function downloadName(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const whole = /filename\*\s*=\s*utf-8''([^;\s]+)/i.exec(header)?.[1]
  const decoded = whole === undefined ? undefined : decode(whole)
  return decoded ?? /filename\s*=\s*"((?:[^"\\]|\\.)*)"/i.exec(header)?.[1]?.replace(/\\(.)/g, '$1')
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}
