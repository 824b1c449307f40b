import { randomBytes } from 'node:crypto'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { FENCE_HEADER, isFenceId, randomFenceId } from '../domain/recalled-fence.ts'

export interface MemoryService {
  readonly baseUrl: string
  readonly apiKey: string
}

const MOST_ANSWER_BYTES = 200_000

/**
 * Posts a form to the service with `node:http`, because larger clients take longer to load than the request. Rejects when
 * the service is unreachable or refuses, or `signal` is aborted.
 *
 * @returns the response with the id of its fence
 */
export function requestMemory<Answer>(
  { baseUrl, apiKey }: MemoryService,
  path: string,
  fields: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Answer & { readonly fence: string }> {
  const boundary = randomBytes(16).toString('hex')
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const body = Buffer.from(`${parts.join('')}--${boundary}--\r\n`)
  const address = new URL(`${baseUrl}${path}`)
  const headers = {
    'x-api-key': apiKey,
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'content-length': body.length,
  }
  const send = address.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const sent = send(address, { method: 'POST', headers, signal }, (response) => {
      const chunks: Buffer[] = []
      let size = 0
      response.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > MOST_ANSWER_BYTES) response.destroy(new Error('the answer is too long'))
        else chunks.push(chunk)
      })
      response.on('error', reject)
      response.on('end', () => {
        const fence = response.headers[FENCE_HEADER]
        if (response.statusCode !== 200) return reject(new Error(`the service answered ${response.statusCode}`))
        try {
          const answer: Answer = JSON.parse(Buffer.concat(chunks).toString('utf8'))
          return resolve({
            ...answer,
            fence: typeof fence === 'string' && isFenceId(fence) ? fence : randomFenceId(),
          })
        } catch (error) {
          return reject(error)
        }
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
