import type { IncomingMessage } from 'node:http'
import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import { FairSemaphore } from '../../lib/semaphore.ts'
import { tooLarge, type UploadLimit, type UploadStart } from '../../service/upload-checks.ts'
import { InputError } from './problem.ts'

export interface Form {
  /** Text fields by name, each at most once. */
  readonly fields: Readonly<Record<string, string>>
  readonly file: FormFile | undefined
}

interface FormFile {
  readonly body: Uint8Array
  readonly fileName: string
  readonly contentType: string
  /** Set instead of a body when the file exceeded its limit; reported after the checks that come before. */
  readonly refusal: AppError | undefined
}

interface FileRules {
  /** Name of the field. */
  readonly field: string
  limit(start: UploadStart): UploadLimit
}

/** Longest text field in bytes, far above the limits of the fields themselves. */
const FIELD_MAX_BYTES = 64 * 1024
const MAX_FIELDS = 50
const MAX_FILES = 5
/** Bytes buffered before the limit of a file is known. */
const HEAD_BYTES = 4 * 1024
/** A refused body is read up to this size, so that its sender gets the response. */
const DRAIN_MAX_BYTES = 48 * 1024 * 1024

/**
 * Reads a multipart/form-data body as it arrives; buffers no more of a file than its limit.
 * @throws AppError `missing_field` for another kind of body, `invalid` for a malformed one
 */
export async function readForm(request: FastifyRequest, required: string, rules?: FileRules): Promise<Form> {
  if (!request.isMultipart()) {
    const type = request.headers['content-type']?.split(';')[0] ?? 'nothing'
    const message = `is required: send it as a field of a multipart/form-data body (this request sent ${type.slice(0, 100)})`
    throw new InputError('missing_field', [{ field: required, message }])
  }
  const fields: Record<string, string> = {}
  let file: FormFile | undefined
  const once = (name: string, given: boolean) => {
    if (given) throw new AppError('invalid', `${name.slice(0, 100)} was given more than once`, { field: name })
  }
  try {
    const limits = { fieldSize: FIELD_MAX_BYTES, fields: MAX_FIELDS, files: MAX_FILES, parts: MAX_FIELDS + MAX_FILES }
    for await (const part of request.parts({ limits: { ...limits, fileSize: DRAIN_MAX_BYTES } })) {
      const name = typeof part.fieldname === 'string' ? part.fieldname : ''
      if (part.type === 'file' && name === rules?.field) {
        once(name, file !== undefined)
        file = await readFile(part, rules)
      } else if (part.type === 'file') {
        part.file.resume()
        throw misplacedFile(name, required)
      } else if (name !== '') {
        once(name, Object.hasOwn(fields, name))
        fields[name] = fieldText(name, part.value, part.valueTruncated)
      }
    }
  } catch (error) {
    throw formProblem(error)
  }
  return { fields, file }
}

/** A file in place of a text field, or with an unknown name, is an error instead of being ignored. */
function misplacedFile(name: string, required: string): AppError {
  const message = 'must be a text field, not a file: send it without a filename'
  return new InputError(name === required ? 'missing_field' : 'invalid', [{ field: name.slice(0, 100), message }])
}

function fieldText(name: string, value: unknown, truncated: boolean | undefined): string {
  const shown = name.slice(0, 100)
  if (truncated) throw new AppError('invalid', `${shown} is too long`, { field: name })
  if (typeof value !== 'string') throw new AppError('invalid', `${shown} must be plain text`, { field: name })
  return value
}

async function readFile(part: MultipartFile, rules: FileRules): Promise<FormFile> {
  // Forms encode a quotation mark in a name as %22 (HTML, multipart/form-data encoding algorithm).
  const fileName = typeof part.filename === 'string' ? part.filename.replaceAll('%22', '"') : ''
  const contentType = part.mimetype
  const chunks: Uint8Array[] = []
  let length = 0
  let limit: UploadLimit | undefined
  for await (const chunk of part.file) {
    const bytes: Uint8Array = chunk
    length += bytes.length
    if (limit !== undefined && length > limit.bytes) {
      // The rest is read and discarded, so that the sender gets the response.
      chunks.length = 0
      continue
    }
    chunks.push(bytes)
    if (limit === undefined && length >= HEAD_BYTES) {
      limit = rules.limit({ head: Buffer.concat(chunks), fileName, contentType })
    }
  }
  const refusal = limit !== undefined && length > limit.bytes ? tooLarge(limit) : undefined
  return { body: refusal ? new Uint8Array() : Buffer.concat(chunks, length), fileName, contentType, refusal }
}

function formProblem(error: unknown): unknown {
  if (error instanceof AppError) return error
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  switch (code) {
    case 'FST_REQ_FILE_TOO_LARGE':
      return new AppError('too_large', 'file is too large. A PDF can have at most 20 MB, other files 10 MB', {
        field: 'file',
      })
    case 'FST_PARTS_LIMIT':
    case 'FST_FIELDS_LIMIT':
    case 'FST_FILES_LIMIT':
      return new AppError('invalid', `The form has too many fields. Send at most ${MAX_FIELDS}.`)
    default:
      return new AppError(
        'invalid',
        'The multipart/form-data body is malformed or incomplete. Check its boundary and length.',
        { cause: error },
      )
  }
}

/** Limits the memory for upload bodies: this many large ones at a time, and any number of small ones. */
export interface UploadSlots {
  /**
   * Waits for a slot, and returns a function to release it. An account may hold as many as are free after that, and
   * waiting accounts are served round robin.
   * @throws AppError `unavailable` when none becomes free in time; the reason of the signal
   */
  take(upload: Upload, signal?: AbortSignal): Promise<() => void>
}

export interface Upload {
  readonly accountId: string
  /** Length of the body, if stated. */
  readonly bytes: number | undefined
}

/** Bodies up to this size need no slot: a thousand of them are less than two PDFs. */
const SMALL_BYTES = 64 * 1024

export function createUploadSlots(slots: number, waitMs: number): UploadSlots {
  const permits = new FairSemaphore(slots)
  const failure = () => new AppError('unavailable', 'Too many uploads at once. Try again.', { retryAfterSeconds: 5 })
  return {
    async take({ accountId, bytes }, signal) {
      if (bytes !== undefined && bytes <= SMALL_BYTES) return () => undefined
      await permits.acquire(accountId, { longest: { ms: waitMs, failure }, signal })
      let held = true
      return () => {
        if (held) permits.release(accountId)
        held = false
      }
    },
  }
}

/** Runs `receive` with a slot for the body of the request; stops waiting when the client disconnects. */
export async function withUploadSlot<Result>(
  slots: UploadSlots,
  { raw, accountId }: { readonly raw: IncomingMessage; readonly accountId: string },
  receive: () => Promise<Result>,
): Promise<Result> {
  const gone = new AbortController()
  const abort = () => gone.abort(new AppError('invalid', 'The client closed the connection before the body arrived'))
  if (raw.destroyed && !raw.complete) abort()
  raw.once('close', abort)
  const giveBack = await slots.take({ accountId, bytes: contentLength(raw.headers['content-length']) }, gone.signal)
  try {
    // Reading a closed connection would never end.
    gone.signal.throwIfAborted()
    return await receive()
  } finally {
    raw.off('close', abort)
    giveBack()
  }
}

function contentLength(header: string | undefined): number | undefined {
  const length = Number(header)
  return header !== undefined && Number.isSafeInteger(length) ? length : undefined
}
