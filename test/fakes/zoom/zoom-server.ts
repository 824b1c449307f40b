import type { IncomingMessage } from 'node:http'
import { type FakeAnswer, startJsonServer } from '../json-server.ts'

export interface FakeRecording {
  readonly uuid: string
  topic: string
  readonly start: Date
  /** One for each part of the recording: its start in minutes, and what was said: second, name, words. */
  readonly parts: { readonly minute: number; said: readonly (readonly [number, string, string])[] }[]
  status: 'processing' | 'completed'
}

const SECRET = 'made-up-secret'

/** As Zoom expects it in a path. */
function encoded(uuid: string): string {
  const once = encodeURIComponent(uuid)
  return /^\/|\/\//.test(uuid) ? encodeURIComponent(once) : once
}

/** Zoom's API as the connector uses it: tokens of an app, recordings by month with pages, transcript files, errors. */
export class ZoomServer implements AsyncDisposable {
  recordings: FakeRecording[] = []
  readonly log: string[] = []
  /** Answers that come instead of the next ones, other than tokens. */
  readonly faults: FakeAnswer[] = []
  mostResults = 300
  now = new Date('2026-11-20T10:00:00Z')
  created = '2026-05-01T08:00:00Z'
  url = ''
  /** Given out so far. */
  tokens = 0
  /** Tokens up to this one are refused. */
  revoked = 0
  #close: () => Promise<void> = async () => undefined

  static async start(): Promise<ZoomServer> {
    const self = new ZoomServer()
    const server = await startJsonServer((request) => self.#answer(request))
    self.url = server.url
    self.#close = server.close
    return self
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#close()
  }

  get settings(): Record<string, unknown> {
    const app = { account_id: 'acc1', client_id: 'app1', token: SECRET }
    return { name: 'acme', ...app, user: 'ada@acme.test', api_url: `${this.url}/v2/` }
  }

  meet(
    topic: string,
    start: string,
    said: FakeRecording['parts'][number]['said'],
    uuid = `${this.recordings.length}/Aa+${topic.length}==`,
  ): FakeRecording {
    const recording: FakeRecording = {
      uuid,
      topic,
      start: new Date(start),
      parts: [{ minute: 0, said }],
      status: 'completed',
    }
    this.recordings.push(recording)
    return recording
  }

  #answer({ url = '/', headers, method }: IncomingMessage): FakeAnswer {
    const { pathname, searchParams } = new URL(url, this.url)
    if (pathname === '/oauth/token') {
      const isApp = headers.authorization === `Basic ${Buffer.from(`app1:${SECRET}`).toString('base64')}`
      if (!isApp || method !== 'POST')
        return { status: 400, body: { reason: 'Bad credentials', error: 'invalid_client' } }
      if (searchParams.get('account_id') !== 'acc1') return { status: 400, body: { error: 'unsupported_grant_type' } }
      this.tokens += 1
      return { status: 200, body: { access_token: `token-${this.tokens}`, token_type: 'bearer', expires_in: 3600 } }
    }
    this.log.push(
      `${pathname}${pathname.endsWith('/recordings') ? `?${searchParams.get('from')}..${searchParams.get('to')}` : ''}`,
    )
    const token = Number(/^Bearer token-(\d+)$/.exec(headers.authorization ?? '')?.[1] ?? 0)
    if (token <= this.revoked || token > this.tokens) return { status: 401, body: { code: 124 } }
    const fault = this.faults.shift()
    if (fault !== undefined) return fault
    const [, index, part] = /^\/rec\/download\/(\d+)-(\d+)$/.exec(pathname) ?? []
    if (index !== undefined) return this.#file(Number(index), Number(part))
    const path = pathname.replace('/v2/', '')
    if (path === 'users/ada%40acme.test') {
      return { status: 200, body: { id: 'u1', account_id: 'acc1', email: 'ada@acme.test', created_at: this.created } }
    }
    if (path === 'users/ada%40acme.test/recordings') return this.#list(searchParams)
    const uuid = /^meetings\/([^/]+)\/recordings$/.exec(path)?.[1]
    const found = this.recordings.find((one) => encoded(one.uuid) === uuid)
    return found === undefined ? { status: 404, body: { code: 3301 } } : { status: 200, body: this.#json(found) }
  }

  #list(params: URLSearchParams): FakeAnswer {
    const [from = '', to = ''] = [params.get('from') ?? '', params.get('to') ?? '']
    if (Date.parse(to) - Date.parse(from) > 31 * 86_400_000) return { status: 400, body: { code: 300 } }
    const day = ({ start }: FakeRecording) => start.toISOString().slice(0, 10)
    const found = this.recordings.filter((one) => day(one) >= from && day(one) <= to)
    const at = Number(params.get('next_page_token') || 0)
    const next = at + this.mostResults
    const meetings = found.slice(at, next).map((one) => this.#json(one))
    return { status: 200, body: { from, to, meetings, next_page_token: next < found.length ? String(next) : '' } }
  }

  #json(recording: FakeRecording) {
    const index = this.recordings.indexOf(recording)
    const { uuid, topic, start, parts, status } = recording
    const files = parts.flatMap(({ minute, said }, at) => {
      const times = { recording_start: new Date(start.getTime() + minute * 60_000).toISOString() }
      const id = `${index}-${at}`
      const url = `${this.url}/rec/download/${id}`
      const size = said.map((one) => one[2]).join('').length
      return [
        {
          ...times,
          id: `v${id}`,
          file_type: 'MP4',
          status: 'completed',
          file_size: 9_000_000,
          download_url: `${url}-video`,
        },
        { ...times, id: `t${id}`, file_type: 'TRANSCRIPT', status, file_size: size, download_url: url },
      ]
    })
    const share = { share_url: `https://acme.zoom.test/rec/share/${index}` }
    return { uuid, id: 88_000 + index, topic, start_time: start.toISOString(), ...share, recording_files: files }
  }

  #file(index: number, part: number): FakeAnswer {
    const said = this.recordings[index]?.parts[part]?.said
    if (said === undefined) return { status: 404, body: '' }
    const clock = (seconds: number) => new Date(seconds * 1000).toISOString().slice(11, 23)
    const cues = said.map(([second, name, words], at) => {
      const spoken = name === '' ? words : `${name}: ${words}`
      return `${at + 1}\r\n${clock(second)} --> ${clock(second + 2)}\r\n${spoken}\r\n`
    })
    return { status: 200, headers: { 'content-type': 'text/vtt' }, body: `WEBVTT\r\n\r\n${cues.join('\r\n')}` }
  }
}
