import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** What goes wrong with a request. */
export type S3Fault =
  /** 503 SlowDown. */
  | 'busy'
  /** The connection ends before the request has an effect. */
  | 'reset'
  /** It has its effect, and the connection ends before the answer. */
  | 'answer lost'
  /** No answer, and no effect. */
  | 'silent'
  /** Half of the object, then the end of the connection. */
  | 'cut off'
  /** Half of the object, then nothing. */
  | 'stalled'
  /** Another object of the same length. */
  | 'damaged'
  /** 403 AccessDenied. */
  | 'denied'

export interface S3Request {
  readonly method: string
  /** Of the object, without the bucket; empty for the bucket. */
  readonly key: string
}

/** A server that speaks the protocol of S3: what recalld uses of it, and 501 for all else. */
export interface S3Server extends AsyncDisposable {
  /** With the key, for `RECALLD_BLOB_URL`. */
  url(prefix?: string): string
  readonly objects: Map<string, { readonly bytes: Buffer; readonly at: Date }>
  readonly requests: readonly S3Request[]
  /** Asked with each request; `undefined`: all is well. */
  fault: ((request: S3Request) => S3Fault | undefined) | undefined
  /** It answers so much later; 0: at once. */
  slowMs: number
  /** Ends every connection; from then on nobody can connect, until `back`. */
  goAway(): Promise<void>
  back(): Promise<void>
}

const BUCKET = 'uploads'
const KEY = { id: 'AKIAEXAMPLE', secret: 'very/secret+key' }
const REGION = 'eu-test-1'

export async function startS3Server(host = '127.0.0.1'): Promise<S3Server> {
  const objects: S3Server['objects'] = new Map()
  const requests: S3Request[] = []
  let fault: S3Server['fault']
  let slowMs = 0
  const server = createServer((request, response) => {
    receive(request)
      .then(async (received) => {
        requests.push({ method: received.method, key: received.key })
        const wrong = fault?.(received)
        if (slowMs > 0) await delay(slowMs)
        answer(received, response, objects, wrong)
      })
      .catch(() => response.destroy())
  })
  const listen = (port: number) => new Promise<void>((done) => server.listen(port, host, done))
  const end = () =>
    new Promise<void>((done) => {
      server.close(() => done())
      server.closeAllConnections()
    })
  await listen(0)
  const { port } = server.address() as AddressInfo
  return {
    url: (prefix = '') => {
      const user = `${KEY.id}:${encodeURIComponent(KEY.secret)}`
      return `s3://${user}@${BUCKET}/${prefix}?endpoint=http://${host}:${port}&region=${REGION}`
    },
    objects,
    requests,
    get fault() {
      return fault
    },
    set fault(next) {
      fault = next
    },
    get slowMs() {
      return slowMs
    },
    set slowMs(next) {
      slowMs = next
    },
    goAway: end,
    back: () => listen(port),
    [Symbol.asyncDispose]: end,
  }
}

interface Received extends S3Request {
  readonly url: URL
  readonly bucket: string
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

async function receive(request: IncomingMessage): Promise<Received> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece)
  const url = new URL(request.url ?? '', 'http://s3')
  const [, bucket = '', ...key] = url.pathname.split('/')
  const { method = '', headers } = request
  return { method, url, bucket, key: decodeURIComponent(key.join('/')), headers, body: Buffer.concat(pieces) }
}

function answer(request: Received, response: ServerResponse, objects: S3Server['objects'], fault: S3Fault | undefined) {
  if (fault === 'silent') return
  if (fault === 'reset') return response.destroy()
  if (fault === 'busy') return refuse(response, 503, 'SlowDown')
  if (fault === 'denied') return refuse(response, 403, 'AccessDenied')
  const wrong = whatIsWrong(request)
  if (wrong !== undefined) return refuse(response, wrong.status, wrong.code)
  const { method, key, body } = request
  if (method === 'PUT' && key !== '') objects.set(key, { bytes: body, at: new Date() })
  if (method === 'DELETE') objects.delete(key)
  if (fault === 'answer lost') return response.destroy()
  if (method === 'PUT') return response.writeHead(200, { etag: etagOf(body) }).end()
  if (method === 'DELETE') return response.writeHead(204).end()
  if (method === 'GET' && key === '') return response.writeHead(200).end(listing(request, objects))
  if (method === 'GET') return send(response, objects.get(key)?.bytes, fault)
  return refuse(response, 501, 'NotImplemented')
}

function whatIsWrong(request: Received): { status: number; code: string } | undefined {
  const { method, url, headers, body, bucket, key } = request
  if (bucket !== BUCKET) return { status: 404, code: 'NoSuchBucket' }
  if (!headers.authorization?.includes(`Credential=${KEY.id}/`)) return { status: 403, code: 'InvalidAccessKeyId' }
  if (!isSigned(request)) return { status: 403, code: 'SignatureDoesNotMatch' }
  const promised = headers['x-amz-content-sha256']
  if (promised !== sha256(body)) return { status: 400, code: 'XAmzContentSHA256Mismatch' }
  const understood =
    headers['transfer-encoding'] === undefined &&
    headers['content-encoding'] === undefined &&
    (key === ''
      ? method === 'GET' && url.searchParams.get('list-type') === '2'
      : ['PUT', 'GET', 'DELETE'].includes(method))
  return understood ? undefined : { status: 501, code: 'NotImplemented' }
}

/** AWS Signature Version 4, written from its description. */
function isSigned({ method, url, headers }: Received): boolean {
  const [, credential = '', signed = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=(\w+)$/.exec(headers.authorization ?? '') ??
    []
  const [, day = '', region = '', service = '', end = ''] = credential.split('/')
  if (region !== REGION || service !== 's3' || end !== 'aws4_request') return false
  const query = [...url.searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&')
  const lines = signed.split(';').map((name) => `${name}:${String(headers[name] ?? '').trim()}\n`)
  const hash = String(headers['x-amz-content-sha256'])
  const canonical = [method, url.pathname, query, lines.join(''), signed, hash].join('\n')
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], `${day}/${region}/s3/aws4_request`, sha256(canonical)]
  const key = [day, region, 's3', 'aws4_request'].reduce<Buffer>(hmac, Buffer.from(`AWS4${KEY.secret}`))
  return hmac(key, toSign.join('\n')).toString('hex') === signature
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

function sha256(data: Buffer | string): string {
  return createHash('sha256').update(data).digest('hex')
}

function etagOf(body: Buffer): string {
  return `"${createHash('md5').update(body).digest('hex')}"`
}

function send(response: ServerResponse, bytes: Buffer | undefined, fault: S3Fault | undefined) {
  if (bytes === undefined) return refuse(response, 404, 'NoSuchKey')
  response.writeHead(200, { 'content-length': bytes.length, etag: etagOf(bytes) })
  if (fault === 'damaged') return response.end(Buffer.alloc(bytes.length))
  if (fault !== 'cut off' && fault !== 'stalled') return response.end(bytes)
  response.write(bytes.subarray(0, bytes.length / 2), () => {
    if (fault === 'cut off') response.destroy()
  })
}

function listing({ url }: Received, objects: S3Server['objects']): string {
  const option = (name: string) => url.searchParams.get(name) ?? ''
  const most = Number(option('max-keys') || 1_000)
  const after = option('continuation-token')
  const keys = [...objects.keys()].filter((key) => key.startsWith(option('prefix')) && key > after).sort()
  const page = keys.slice(0, most)
  const contents = page.map((key) => {
    const { bytes, at } = objects.get(key)!
    return `<Contents><Key>${key}</Key><Size>${bytes.length}</Size><LastModified>${at.toISOString()}</LastModified></Contents>`
  })
  const next = keys.length > most ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
  return `<?xml version="1.0"?><ListBucketResult><IsTruncated>${keys.length > most}</IsTruncated>${contents.join('')}${next}</ListBucketResult>`
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' })
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code} of ${KEY.id}</Message></Error>`)
}
