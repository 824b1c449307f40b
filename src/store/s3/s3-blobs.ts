import { createHash, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { AppError } from '../../domain/errors.ts'
import { Semaphore } from '../../lib/semaphore.ts'
import type { BlobRef, Blobs, StoredBlob } from '../bodies/bodies.ts'
import { asS3Failure, isAbsent } from './s3-failure.ts'

/** Time limits of calls to the object storage; all but `queueMs` start when the call gets a permit. */
export interface S3Limits {
  /** Wait for a permit. */
  readonly queueMs: number
  readonly connectMs: number
  /** Time without a byte in either direction. */
  readonly idleMs: number
  /** One request, including the bytes sent. */
  readonly requestMs: number
  /** One call with all its attempts. */
  readonly callMs: number
  readonly tries: number
}

const LIMITS: S3Limits = {
  ...{ queueMs: 90_000, connectMs: 3_000, idleMs: 10_000 },
  ...{ requestMs: 45_000, callMs: 90_000, tries: 3 },
}

/** Maximum concurrent calls; further ones wait. */
const MOST_CALLS = 16

/** Maximum concurrent calls of one bulk removal, so that other calls don't wait for all of it. */
const MOST_REMOVALS = 8

/** Twice the calls, because an abandoned connection is still closing when the next call begins. */
const MOST_SOCKETS = 2 * MOST_CALLS

/** Objects per list request; the maximum of S3. */
const PAGE = 1_000

const FIRST_WAIT_MS = 100

const REGION = 'us-east-1'

/**
 * Objects in a bucket of Amazon S3 or a compatible server. Sends nothing before the first call.
 *
 * @param address as `parseS3Address` reads it
 * @throws AppError `invalid`
 */
export function openS3Blobs(address: string, limits: Partial<S3Limits> = {}): Blobs {
  const parsed = parseS3Address(address)
  return new S3Blobs(parsed, { ...LIMITS, ...limits })
}

class S3Blobs implements Blobs {
  readonly place: string
  readonly #client: S3Client
  readonly #bucket: string
  readonly #prefix: string
  readonly #limits: S3Limits
  readonly #permits = new Semaphore(MOST_CALLS)

  constructor(address: S3Address, limits: S3Limits) {
    const { bucket, prefix, endpoint } = address
    this.place = `s3://${bucket}/${prefix}${endpoint === undefined ? '' : ` at ${new URL(endpoint).host}`}`
    this.#bucket = bucket
    this.#prefix = prefix
    this.#limits = limits
    this.#client = createClient(address, limits)
  }

  async put({ key, sha256 }: BlobRef, body: Uint8Array): Promise<void> {
    const command = new PutObjectCommand({
      Bucket: this.#bucket,
      Key: this.#prefix + key,
      Body: body,
      ContentLength: body.byteLength,
      ContentType: 'application/octet-stream',
    })
    // The signed request contains the known SHA-256, so that every server verifies the bytes.
    command.middlewareStack.add(
      (next) => (call) => {
        const { request } = call
        if (isHttpRequest(request)) request.headers['x-amz-content-sha256'] = sha256
        return next(call)
      },
      { step: 'build', priority: 'low' },
    )
    await this.#within(undefined, (abortSignal) => this.#client.send(command, { abortSignal }))
  }

  async get(blob: BlobRef, signal?: AbortSignal): Promise<Uint8Array | undefined> {
    return this.#within(signal, async (abortSignal) => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await this.#read(blob, abortSignal)
        } catch (error) {
          if (isAbsent(error)) return undefined
          // The SDK retries failures before the response begins; this loop retries those after it.
          if (!(error instanceof BrokenBody) || attempt === this.#limits.tries) throw withoutWrapper(error)
          await delay(FIRST_WAIT_MS * 2 ** attempt * Math.random(), undefined, { signal: abortSignal })
        }
      }
    })
  }

  async remove(keys: readonly string[]): Promise<void> {
    // One at a time, because servers differ most in DeleteObjects. Nothing further starts after a failure.
    const left = [...keys].reverse()
    const removeNext = async () => {
      for (let key = left.pop(); key !== undefined; key = left.pop()) await this.#removeOne(key)
    }
    try {
      await Promise.all(Array.from({ length: MOST_REMOVALS }, removeNext))
    } finally {
      left.length = 0
    }
  }

  async #removeOne(key: string): Promise<void> {
    const command = new DeleteObjectCommand({ Bucket: this.#bucket, Key: this.#prefix + key })
    await this.#within(undefined, (abortSignal) => this.#client.send(command, { abortSignal }))
  }

  async *list(prefix: string): AsyncGenerator<readonly StoredBlob[]> {
    for (let from: string | undefined; ; ) {
      const command = new ListObjectsV2Command({
        Bucket: this.#bucket,
        Prefix: this.#prefix + prefix,
        MaxKeys: PAGE,
        ...(from !== undefined && { ContinuationToken: from }),
      })
      const page = await this.#within(undefined, (abortSignal) => this.#client.send(command, { abortSignal }))
      yield (page.Contents ?? []).flatMap(({ Key, Size, LastModified }) =>
        Key === undefined
          ? []
          : { key: Key.slice(this.#prefix.length), bytes: Size ?? 0, at: LastModified ?? new Date(0) },
      )
      from = page.IsTruncated === true ? page.NextContinuationToken : undefined
      if (from === undefined) return
    }
  }

  async check(): Promise<void> {
    const body = Buffer.from(`recalld ${randomUUID()}`)
    const blob = { key: `check/${randomUUID()}`, sha256: sha256Of(body), bytes: body.byteLength }
    await this.put(blob, body)
    if ((await this.get(blob)) === undefined) {
      throw new AppError('unavailable', "The object storage can't be used: it doesn't have what was just written")
    }
    await this.remove([blob.key])
  }

  close(): void {
    this.#client.destroy()
  }

  async #read({ key, sha256, bytes }: BlobRef, abortSignal: AbortSignal): Promise<Uint8Array> {
    const { Body } = await this.#client.send(new GetObjectCommand({ Bucket: this.#bucket, Key: this.#prefix + key }), {
      abortSignal,
    })
    const stream = Body
    if (!(stream instanceof Readable)) throw new TypeError('the SDK gave no stream of Node.js')
    const read = await readWhole(stream, bytes, this.#limits.idleMs, abortSignal)
    if (read?.sha256 === sha256) return read.body
    throw new BrokenBody(
      new AppError('damaged', 'The file is damaged in the object storage. Upload it again or delete it.'),
    )
  }

  async #within<T>(signal: AbortSignal | undefined, call: (abortSignal: AbortSignal) => Promise<T>): Promise<T> {
    const either = (limit: AbortSignal) => (signal === undefined ? limit : AbortSignal.any([signal, limit]))
    const full = AbortSignal.timeout(this.#limits.queueMs)
    try {
      // The time limits of the SDK would include the wait for a connection.
      return await this.#permits.run({ signal: either(full) }, () =>
        call(either(AbortSignal.timeout(this.#limits.callMs))),
      )
    } catch (error) {
      throw asS3Failure(full.aborted && error === full.reason ? { name: 'SlowDown' } : error)
    }
  }
}

function createClient({ endpoint, region, pathStyle, credentials }: S3Address, limits: S3Limits): S3Client {
  return new S3Client({
    forcePathStyle: pathStyle,
    ...(endpoint !== undefined && { endpoint }),
    // Self-hosted servers ignore the region, but the SDK needs one.
    region: region ?? (endpoint === undefined ? undefined : REGION),
    ...(credentials && { credentials }),
    maxAttempts: limits.tries,
    // Most servers lack the newer checksums, and each body is verified by its SHA-256 in both directions.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: limits.connectMs,
      socketTimeout: limits.idleMs,
      requestTimeout: limits.requestMs,
      throwOnRequestTimeout: true,
      httpAgent: { keepAlive: true, maxSockets: MOST_SOCKETS },
      httpsAgent: { keepAlive: true, maxSockets: MOST_SOCKETS },
    },
  })
}

/** The response began, but its body is incomplete or not the requested one. */
class BrokenBody extends Error {
  constructor(cause: unknown) {
    super('the body is damaged', { cause })
  }
}

function withoutWrapper(error: unknown): unknown {
  return error instanceof BrokenBody ? error.cause : error
}

/** Reads exactly this many bytes; `undefined` when there are more or fewer. */
async function readWhole(
  stream: Readable,
  bytes: number,
  idleMs: number,
  signal: AbortSignal,
): Promise<{ readonly body: Uint8Array; readonly sha256: string } | undefined> {
  const body = new Uint8Array(bytes)
  // In pieces, because hashing everything at once would block the event loop for tens of milliseconds.
  const hash = createHash('sha256')
  let length = 0
  const idle = setTimeout(() => stream.destroy(new StalledBody()), idleMs)
  const abort = () => stream.destroy(new StalledBody())
  signal.addEventListener('abort', abort)
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      idle.refresh()
      if (length + chunk.byteLength > bytes) return undefined
      body.set(chunk, length)
      hash.update(chunk)
      length += chunk.byteLength
    }
    return length === bytes ? { body, sha256: hash.digest('hex') } : undefined
  } catch (error) {
    throw new BrokenBody(error)
  } finally {
    clearTimeout(idle)
    signal.removeEventListener('abort', abort)
    stream.destroy()
  }
}

class StalledBody extends Error {
  override readonly name = 'TimeoutError'
}

function sha256Of(body: Uint8Array): string {
  return createHash('sha256').update(body).digest('hex')
}

function isHttpRequest(request: unknown): request is { headers: Record<string, string> } {
  return typeof request === 'object' && request !== null && 'headers' in request
}

/** The parts of `RECALLD_BLOB_URL`. */
interface S3Address {
  readonly bucket: string
  /** Empty, or ends with `/`. */
  readonly prefix: string
  /** `undefined`: that of Amazon. */
  readonly endpoint: string | undefined
  /** `undefined`: from the environment. */
  readonly region: string | undefined
  /** `https://host/bucket/key` instead of `https://bucket.host/key`. */
  readonly pathStyle: boolean
  /** `undefined`: from the standard AWS credential chain. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined
}

const OPTIONS = ['endpoint', 'region', 'path_style']

/**
 * Reads `s3://[key:secret@]bucket[/prefix][?endpoint=...&region=...&path_style=true]`.
 *
 * @throws AppError `invalid`, which names the wrong part but no secret
 */
export function parseS3Address(address: string): S3Address {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol !== 's3:' || url.hostname === '') {
    throw wrong('must be an address such as s3://bucket/prefix?endpoint=https://s3.example.org')
  }
  for (const name of url.searchParams.keys()) {
    if (!OPTIONS.includes(name)) throw wrong(`has the unknown option "${name}". Allowed: ${OPTIONS.join(', ')}`)
  }
  const endpoint = url.searchParams.get('endpoint') ?? undefined
  if (endpoint !== undefined && !/^https?:\/\/[^/\s]+\/?$/.test(endpoint)) {
    throw wrong('must have an endpoint, as in endpoint=https://s3.example.org')
  }
  const style = url.searchParams.get('path_style')
  if (style !== null && style !== 'true' && style !== 'false')
    throw wrong('must have path_style=true or path_style=false')
  const prefix = decodeURIComponent(url.pathname).replace(/^\/+|\/+$/g, '')
  return {
    bucket: url.hostname,
    prefix: prefix === '' ? '' : `${prefix}/`,
    endpoint,
    region: url.searchParams.get('region') ?? undefined,
    // Self-hosted servers rarely have a host name for each bucket.
    pathStyle: style === null ? endpoint !== undefined : style === 'true',
    credentials: credentialsOf(url),
  }
}

function credentialsOf(url: URL): S3Address['credentials'] {
  if (url.username === '' && url.password === '') return undefined
  if (url.username === '' || url.password === '')
    throw wrong('must have both the key and the secret, as in s3://key:secret@bucket')
  return { accessKeyId: decodeURIComponent(url.username), secretAccessKey: decodeURIComponent(url.password) }
}

function wrong(what: string): AppError {
  return new AppError('invalid', `RECALLD_BLOB_URL ${what}`, { field: 'blob_url' })
}
