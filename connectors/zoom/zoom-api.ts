import { z } from 'zod'
import type { CheckContext } from '../../src/connector/connector.ts'
import { type JsonRequest, requestJson } from '../../src/connector/json-requests.ts'
import { listedRows } from '../../src/connector/listed-rows.ts'
import { perRun } from '../../src/connector/per-run.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { siteOf, zoomAccess } from './zoom-access.ts'
import type { ZoomConfig } from './zoom-config.ts'

const PER_PAGE = 300
const TIMEOUT_MS = 60_000

const text = z.string().nullish().catch(undefined)
const time = z.iso.datetime({ offset: true }).transform((value) => new Date(value))

const userAnswer = z.looseObject({
  id: z.string().min(1),
  account_id: text,
  email: text,
  created_at: time.optional().catch(undefined),
})
export type ZoomUser = z.infer<typeof userAnswer>

const file = z.looseObject({
  id: text,
  file_type: text,
  status: text,
  file_size: z.number().nullish().catch(undefined),
  recording_start: time.optional().catch(undefined),
  recording_end: time.optional().catch(undefined),
  download_url: text,
})
export type RecordingFile = z.infer<typeof file>

const meeting = z.looseObject({
  /** Of one occurrence; `id` is the number that people dial, which series repeat. */
  uuid: z.string().min(1),
  topic: text,
  start_time: time,
  share_url: text,
  recording_files: z
    .array(file.nullable().catch(null))
    .catch([])
    .transform((files) => files.filter((one) => one !== null)),
})
export type RecordedMeeting = z.infer<typeof meeting>

const listAnswer = z.looseObject({ meetings: listedRows(meeting, 'uuid'), next_page_token: text })
export type RecordingPage = z.infer<typeof listAnswer>['meetings']

/** Zoom's API as this connector uses it: plain data or a `SourceError`. */
export class ZoomApi {
  readonly #context: CheckContext<ZoomConfig>
  readonly #access: ReturnType<typeof zoomAccess>

  constructor(context: CheckContext<ZoomConfig>) {
    this.#context = context
    this.#access = zoomAccess(context)
  }

  async user(): Promise<ZoomUser> {
    const { user } = this.#context.config
    const request = { path: `users/${encodeURIComponent(user)}`, answer: userAnswer, asked: 'the user' }
    const found = await this.#ask({ ...request, absent: [404] })
    if (found !== undefined) return found
    throw new SourceError('reconfigure', `Zoom has no user ${user} in this account. Check user.`)
  }

  /** The recorded meetings of some days, both included; at most a month. */
  async *recordings(from: string, to: string): AsyncGenerator<RecordingPage> {
    const user = encodeURIComponent(this.#context.config.user)
    for (let token: string | undefined; ; ) {
      const query = new URLSearchParams({ from, to, page_size: String(PER_PAGE), next_page_token: token ?? '' })
      const request = { path: `users/${user}/recordings?${query}`, answer: listAnswer, asked: 'your recordings' }
      const found = await this.#ask(request)
      if (found === undefined) return
      yield found.meetings
      if (!found.next_page_token) return
      if (found.next_page_token === token) throw new SourceError('retry', 'Zoom keeps returning the same page.')
      token = found.next_page_token
    }
  }

  async meeting(uuid: string): Promise<RecordedMeeting | undefined> {
    const once = encodeURIComponent(uuid)
    // Zoom decodes these twice.
    const id = uuid.startsWith('/') || uuid.includes('//') ? encodeURIComponent(once) : once
    const path = `meetings/${id}/recordings`
    return this.#ask({ path, answer: meeting, asked: 'a recording', absent: [404] })
  }

  /** The text of a file; `undefined` when it was deleted. */
  async download({ download_url: address }: RecordingFile): Promise<string | undefined> {
    const url = this.#trusted(address ?? '')
    const { requests, signal } = this.#context
    return requests.call('files', async (ofCall) => {
      const token = await this.#access.token(signal)
      const all = AbortSignal.any([ofCall, signal, AbortSignal.timeout(TIMEOUT_MS)])
      let response = await this.#fetch(url, token, all)
      if (response.status === 401) {
        const other = await this.#access.replace(token, signal)
        if (other !== undefined) response = await this.#fetch(url, other, all)
      }
      const { status, text: vtt } = response
      if (status === 404) return undefined
      if (response.ok) return vtt
      if (status === 429 || status >= 500)
        throw new SourceError('retry', `Zoom returned no transcript (HTTP ${status}).`, { limited: status === 429 })
      throw new SourceError('skip', `Zoom refuses the transcript (HTTP ${status}).`)
    })
  }

  async #fetch(url: URL, token: string, signal: AbortSignal) {
    try {
      // Redirects lead to other hosts, to which the token is not sent on.
      const response = await fetch(url, { headers: { authorization: `Bearer ${token}` }, signal })
      const { ok, status } = response
      return { ok, status, text: await response.text() }
    } catch (cause) {
      this.#context.signal.throwIfAborted()
      throw new SourceError('retry', 'Zoom did not respond to the request for a transcript.', { cause })
    }
  }

  /** The token must go nowhere but to Zoom. */
  #trusted(address: string): URL {
    const site = siteOf(this.#context.config.api_url)
    const url = URL.canParse(address) ? new URL(address) : undefined
    const isZoom = url?.host === site.host || url?.hostname.endsWith(`.${site.hostname}`)
    if (url !== undefined && isZoom && url.protocol === site.protocol) return url
    throw new SourceError('skip', 'The address of the transcript is not at Zoom.')
  }

  async #ask<T>({ path, ...request }: Omit<JsonRequest<T>, 'url'> & { path: string }): Promise<T | undefined> {
    const headers = (token: string) => ({ authorization: `Bearer ${token}` })
    const url = new URL(path, this.#context.config.api_url.replace(/\/*$/, '/'))
    const api = { title: 'Zoom', api: 'api', access: this.#access, headers }
    return (await requestJson(api, { ...request, url }, this.#context))?.answer
  }
}

/** The one of a run and its check. */
export const zoomApi = perRun((context: CheckContext<ZoomConfig>) => new ZoomApi(context))
