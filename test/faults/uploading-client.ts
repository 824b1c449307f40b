import { z } from 'zod'
import type { AnswerCounts } from './answer-counts.ts'
import type { ClientCalls, FaultAnswer } from './client-calls.ts'

/** What the service holds of an item, as far as its client was told; `undefined`: nothing. */
type Possible = readonly (string | undefined)[]

const FILES = z.object({
  files: z.array(z.object({ item_id: z.string(), status: z.string() })),
  total: z.number(),
})
const MEMORIES = z.object({ memories: z.array(z.object({ custom_id: z.string() })) })

const IDENTITIES = 12

/** One person with items of its own, who does one thing after the other and notes what was acknowledged. */
export class UploadingClient {
  /** By item id; one possibility where the service said what happened. */
  readonly known = new Map<string, Possible>()
  readonly #name: string
  readonly #calls: ClientCalls
  readonly #counts: AnswerCounts
  readonly #random: () => number
  #versions = 0

  constructor(name: string, calls: ClientCalls, counts: AnswerCounts, random: () => number) {
    this.#name = name
    this.#calls = calls
    this.#counts = counts
    this.#random = random
  }

  /** One thing, at random. */
  async act(): Promise<void> {
    const itemId = `${this.#name}-${Math.floor(this.#random() * IDENTITIES)}`
    const possible = this.known.get(itemId) ?? [undefined]
    const kind = this.#random()
    if (kind < 0.2) return this.#list()
    if (kind < 0.35) return this.#recall(itemId)
    if (kind < 0.5) return this.#download(itemId, possible)
    if (kind < 0.65 && !possible.includes(undefined)) return this.#remove(itemId, possible)
    return this.#upload(itemId, possible)
  }

  async #upload(itemId: string, possible: Possible): Promise<void> {
    const text = this.#newText(itemId)
    const isNew = possible.every((one) => one === undefined)
    this.known.set(itemId, [...possible, text])
    const form = () => {
      const data = new FormData()
      data.append('file', new File([text], `${itemId}.txt`, { type: 'text/plain' }))
      data.append('user_name', this.#name)
      data.append('item_id', itemId)
      if (!isNew) data.append('on_conflict', 'replace')
      return data
    }
    const what = isNew ? 'upload' : 'replace'
    const answer = await this.#calls.call({ what, method: 'POST', path: '/v1/memorize', form })
    if (answer === undefined) return
    // The first try was stored, and its answer was lost.
    const isStored = answer.status === 200 || (isNew && answer.status === 409 && answer.isRepeated)
    if (isStored) this.known.set(itemId, [text])
    else this.#wrong(what, itemId, answer)
  }

  async #remove(itemId: string, possible: Possible): Promise<void> {
    this.known.set(itemId, [...possible, undefined])
    const answer = await this.#calls.call({ what: 'delete', method: 'DELETE', path: `/v1/files/text/${itemId}` })
    if (answer === undefined) return
    const isGone = answer.status === 200 || (answer.status === 404 && answer.isRepeated)
    if (isGone) this.known.set(itemId, [undefined])
    else this.#wrong('delete', itemId, answer)
  }

  async #download(itemId: string, possible: Possible): Promise<void> {
    const answer = await this.#calls.call({
      what: 'download',
      path: `/v1/files/download?item_id=${itemId}&source_type=text`,
    })
    if (answer === undefined) return
    const text = answer.status === 200 ? answer.bytes.toString() : undefined
    if ((answer.status !== 200 && answer.status !== 404) || !possible.includes(text)) {
      this.#wrong('download', itemId, answer)
    } else this.known.set(itemId, [text])
  }

  async #list(): Promise<void> {
    const answer = await this.#calls.call({ what: 'list', path: '/v1/files/list?source_type=text&limit=1000' })
    if (answer === undefined) return
    if (answer.status !== 200) return this.#wrong('list', '', answer)
    const { files } = FILES.parse(JSON.parse(answer.bytes.toString()))
    const listed = files.map((file) => file.item_id)
    if (new Set(listed).size !== listed.length) this.#counts.violation('list shows an item twice')
    for (const [itemId, possible] of this.known) {
      const isThere = listed.includes(itemId)
      if (isThere && possible.every((one) => one === undefined)) {
        this.#counts.violation(`list shows ${itemId}, whose deletion was answered`)
      }
      if (!isThere && !possible.includes(undefined)) this.#counts.violation(`list lacks ${itemId}`)
    }
  }

  async #recall(itemId: string): Promise<void> {
    const form = () => {
      const data = new FormData()
      data.append('text', `What did ${itemId} say about the harbour?`)
      return data
    }
    const answer = await this.#calls.call({ what: 'recall', method: 'POST', path: '/v1/memories/recall', form })
    if (answer === undefined) return
    if (answer.status !== 200) return this.#wrong('recall', itemId, answer)
    for (const { custom_id: id } of MEMORIES.parse(JSON.parse(answer.bytes.toString())).memories) {
      const possible = this.known.get(id.replace(/_memory_\d+$/, ''))
      if (possible?.every((one) => one === undefined)) {
        this.#counts.violation(`recall shows ${id}, whose deletion was answered`)
      }
    }
  }

  #wrong(what: string, itemId: string, { status, bytes, isRepeated }: FaultAnswer): void {
    const said = bytes.toString().slice(0, 120)
    const possible = (this.known.get(itemId) ?? []).map((text) => text?.slice(0, 40) ?? 'nothing')
    const again = isRepeated ? ', repeated,' : ''
    this.#counts.violation(`${what} of ${itemId}${again} was answered with ${status} ${said}; possible: ${possible}`)
  }

  /** Mostly a few lines; some are large enough for the storage of objects, and a few need several commits. */
  #newText(itemId: string): string {
    const kind = this.#random()
    const lines = kind < 0.01 ? 1_300 : kind < 0.12 ? 450 : 1 + Math.floor(this.#random() * 6)
    const mark = `version ${++this.#versions} of ${Math.floor(this.#random() * 1e9).toString(36)}`
    return Array.from(
      { length: lines },
      (_, line) => `Line ${line} of ${itemId}, ${mark}: the harbour of ${itemId} was quiet on day ${line}.\n`,
    ).join('\n')
  }
}
