import { z } from 'zod'
import { connectionFields } from '../../src/connector/connection-fields.ts'
import type {
  Change,
  CheckContext,
  ConnectionConfig,
  Connector,
  Context,
  ItemRef,
  SourceItem,
  StoredRef,
} from '../../src/connector/connector.ts'
import { renderDocument } from '../../src/connector/document.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import type { Connection } from '../../src/sync/connection.ts'
import type { MovableClock } from '../contract/store-contract.ts'
import { MADE_UP_DOCUMENTATION, MADE_UP_LISTING } from './made-up-documentation.ts'

const cursorSchema = z.strictObject({ since: z.number(), after: z.string().optional() })
type Cursor = z.infer<typeof cursorSchema>
type AnyContext = CheckContext<ConnectionConfig>

const PAGE = 5
/** Events that are told once more by some readings, as sources with an overlap do. */
const OVERLAP = 3
/** So few that an edit often takes back another one. */
const TEXTS = 3
const MINUTE = 60_000

interface Note {
  text: string
  revision: number
  updatedAt: Date
  /** Cannot be read, ever; an edit repairs it. */
  broken: boolean
  failsUntil: Date | undefined
}

interface Folder {
  accessible: boolean
  readonly notes: Map<string, Note>
  /** Ids in the order in which they changed. */
  readonly log: string[]
  /** Cursors before this place of the log are not taken any more. */
  floor: number
}

/** A source whose contents, rules and moods change at random, of one of the two kinds there are. */
export class MadeUpSource {
  /** Chance that a request goes wrong, and that the source changes while it is read. */
  unrest = 0
  /** Items that could not be read for a time, or for good. */
  readonly away = new Set<string>()
  readonly #kind: 'feed' | 'inventory'
  readonly #random: () => number
  readonly #clock: MovableClock
  readonly #folders = new Map<string, Folder>()
  #lastEdited: readonly [Folder, string] | undefined
  #nextId = 0
  #nextRevision = 0
  #leavesOutOdd = false
  #version = 1

  constructor(kind: 'feed' | 'inventory', random: () => number, clock: MovableClock) {
    this.#kind = kind
    this.#random = random
    this.#clock = clock
    for (const name of ['ada', 'bob', 'eve']) {
      this.#folders.set(name, { accessible: true, notes: new Map(), log: [], floor: 0 })
    }
    for (let n = 0; n < 8; n++) this.#create()
  }

  /** What a memory should hold, by item id. */
  contents(): Map<string, Uint8Array> {
    const held = new Map<string, Uint8Array>()
    for (const folder of this.#folders.values()) {
      for (const [id, note] of folder.notes) {
        if (!folder.accessible || note.broken || this.#isLeftOut(id)) continue
        held.set(id, renderDocument(this.#item(id, note), this.#textOf(note)).bytes)
      }
    }
    return held
  }

  change(): void {
    const dice = this.#random()
    if (dice < 0.2) this.#create()
    else if (dice < 0.5) this.#edit()
    else if (dice < 0.65) this.#remove()
    else if (dice < 0.8) this.#move()
    else if (dice < 0.83) this.#touch()
    else if (dice < 0.88) this.#fail()
    else if (dice < 0.94) this.#changeAccess()
    else if (dice < 0.96) this.#expireCursors()
    else if (dice < 0.98) this.#changeRules()
    else this.#version++
  }

  connection(): Connection {
    const source = this
    const connector: Connector<ConnectionConfig, Cursor> = {
      manifest: {
        id: `made-up-${this.#kind}`,
        title: 'Made up',
        sourceTypes: ['text'],
        auth: 'none',
        config: z.strictObject(connectionFields()),
        cursor: cursorSchema,
        schedule: '0 * * * *',
        deletions: this.#kind,
        inventoryEveryMs: 0,
        vanished: 'forget',
        provider: 'made-up',
        version: this.#version,
        quietPeriodMs: 10 * MINUTE,
        selection: () => this.#leavesOutOdd,
        listing: MADE_UP_LISTING,
        documentation: MADE_UP_DOCUMENTATION,
      },
      async check(context) {
        await source.#request(context, 'check', () => undefined)
        return { account: 'made-up' }
      },
      async *partitions(context) {
        for (const [id, { accessible }] of source.#folders) {
          await source.#request(context, 'list', () => undefined)
          if (accessible) yield { id, title: `folder of ${id}` }
        }
      },
      changes: (partition, cursor, context) => source.#changes(partition.id, cursor, context),
      read: (ref, context) => source.#read(ref, context),
      ...(this.#kind === 'inventory' && {
        inventory: (partition, context) => source.#inventory(partition.id, context),
      }),
    }
    return { connector: connector as Connector, config: { name: 'main' } }
  }

  async *#changes(name: string, cursor: Cursor | undefined, context: Context<ConnectionConfig>) {
    const folder = this.#folders.get(name)!
    // First of all: what changes while everything is enumerated is told afterwards.
    const since = cursor?.since ?? folder.log.length
    if (cursor === undefined || cursor.after !== undefined) {
      for (let after = cursor?.after ?? ''; ; ) {
        const page = await this.#request(context, name, () => idsAfter(folder, after))
        for (const id of page) yield* this.#told(folder, id, context)
        if (page.length === 0) break
        after = page.at(-1)!
        const recentSince = this.#random() < 0.3 ? new Date(0) : undefined
        yield { type: 'checkpoint', cursor: { since, after }, ...(recentSince && { recentSince }) } as const
      }
    }
    const from = this.#random() < 0.5 ? since : Math.max(0, since - OVERLAP)
    const events = await this.#request(context, name, () => {
      if (since < folder.floor) throw new SourceError('restart', 'The cursor is too old.')
      return folder.log.slice(from)
    })
    const end = from + events.length
    for (const id of new Set(events)) yield* this.#told(folder, id, context)
    yield { type: 'checkpoint', cursor: { since: end } } as const
  }

  /** An item as it is now. Only a feed tells that it is gone. */
  *#told(folder: Folder, id: string, context: AnyContext): Generator<Change<Cursor>> {
    if (this.#isLeftOut(id)) return
    const note = folder.notes.get(id)
    const ref = { sourceType: 'text', itemId: id, title: id } as const
    if (note === undefined) {
      if (this.#kind === 'feed') yield { type: 'gone', ref }
    } else if (this.#isFailing(note)) {
      yield { type: 'failed', ref, error: new SourceError('retry', 'It does not open.') }
    } else {
      yield { type: 'item', item: this.#item(id, note, folder, context) }
    }
  }

  async #read(ref: StoredRef, context: AnyContext): Promise<SourceItem | undefined> {
    const folder = this.#folders.get(ref.partition.id)!
    const note = await this.#request(context, ref.partition.id, () => folder.notes.get(ref.itemId))
    if (note === undefined || this.#isLeftOut(ref.itemId)) return undefined
    if (this.#isFailing(note)) throw new SourceError('retry', 'It does not open.')
    return this.#item(ref.itemId, note, folder, context)
  }

  async *#inventory(name: string, context: AnyContext): AsyncGenerator<ItemRef> {
    const folder = this.#folders.get(name)!
    for (let after = ''; ; ) {
      const page = await this.#request(context, name, () => idsAfter(folder, after))
      for (const id of page) {
        const note = folder.notes.get(id)
        if (note === undefined || this.#isLeftOut(id)) continue
        yield { sourceType: 'text', itemId: id, revision: String(note.revision) }
      }
      if (page.length === 0) return
      after = page.at(-1)!
    }
  }

  #item(id: string, note: Note, folder?: Folder, context?: AnyContext): SourceItem {
    const { revision, updatedAt, broken } = note
    const item = { sourceType: 'text', itemId: id, title: `Note ${id}`, revision: String(revision), updatedAt } as const
    if (folder === undefined || context === undefined || (!broken && revision % 2 === 0)) {
      return { ...item, body: this.#textOf(note) }
    }
    // Of some the text comes with a request of its own, which tells what is there by then.
    const body = () =>
      this.#request(context, 'body', () => {
        const now = folder.notes.get(id)
        if (now?.broken) throw new SourceError('skip', 'It is locked.')
        return now && this.#textOf(now)
      })
    return { ...item, body }
  }

  async #request<T>(context: AnyContext, api: string, answer: () => T): Promise<T> {
    return context.requests.call(api, async () => {
      if (this.#random() < this.unrest / 2) this.change()
      if (this.#random() < this.unrest) this.#refuse()
      if (this.#folders.get(api)?.accessible === false) throw new SourceError('skip', 'There is no access any more.')
      return answer()
    })
  }

  #refuse(): never {
    const dice = this.#random()
    const later = (minutes: number) => new Date(this.#clock().getTime() + minutes * MINUTE)
    if (dice < 0.4) throw new SourceError('retry', 'The source is busy.')
    if (dice < 0.8) throw new SourceError('retry', 'Too many requests.', { retryAt: later(0.1), limited: true })
    if (dice < 0.9) throw new SourceError('retry', 'Too many requests.', { retryAt: later(30), limited: true })
    if (dice < 0.95) throw new SourceError('reauthorize', 'The token has expired.')
    throw new TypeError('a defect')
  }

  #isFailing({ failsUntil }: Note): boolean {
    return failsUntil !== undefined && failsUntil > this.#clock()
  }

  #isLeftOut(id: string): boolean {
    return this.#leavesOutOdd && Number(id.slice(1)) % 2 === 1
  }

  /** Another version of the connector makes another text of the same revision. */
  #textOf({ text }: Note): string {
    return `${text}\n\nMade by version ${this.#version}.`
  }

  #pick(): Folder {
    const folders = [...this.#folders.values()]
    return folders[Math.floor(this.#random() * folders.length)]!
  }

  #pickNote(): [Folder, string, Note] | undefined {
    const folder = this.#pick()
    const notes = [...folder.notes]
    const [id, note] = notes[Math.floor(this.#random() * notes.length)] ?? []
    return id === undefined || note === undefined ? undefined : [folder, id, note]
  }

  #create(): void {
    const id = `n${String(this.#nextId++).padStart(4, '0')}`
    const broken = this.#random() < 0.05
    this.#put(this.#pick(), id, {
      text: this.#newText(),
      revision: 0,
      updatedAt: this.#clock(),
      broken,
      failsUntil: undefined,
    })
  }

  /** Often what was edited just before. */
  #edit(): void {
    const last = this.#lastEdited
    const noteOfLast = last === undefined || this.#random() < 0.5 ? undefined : last[0].notes.get(last[1])
    const [folder, id, note] = last && noteOfLast ? [...last, noteOfLast] : (this.#pickNote() ?? [])
    if (folder && id) this.#lastEdited = [folder, id]
    if (folder && id && note) this.#put(folder, id, { ...note, text: this.#newText(), broken: false })
  }

  /** Its revision changes, its text does not. */
  #touch(): void {
    const [folder, id, note] = this.#pickNote() ?? []
    if (folder && id && note) this.#put(folder, id, note)
  }

  #fail(): void {
    const note = this.#pickNote()?.[2]
    if (note) note.failsUntil = new Date(this.#clock().getTime() + 20 * MINUTE * this.#random())
  }

  #remove(): void {
    const [folder, id] = this.#pickNote() ?? []
    if (!folder || !id) return
    this.#delete(folder, id)
  }

  #move(): void {
    const [folder, id, note] = this.#pickNote() ?? []
    const other = this.#pick()
    if (!folder || !id || !note || other === folder) return
    this.#delete(folder, id)
    // To move is no change of the item itself, but what comes back is something new.
    if (other.log.includes(id)) {
      this.#put(other, id, note)
    } else {
      other.notes.set(id, note)
      other.log.push(id)
    }
  }

  #changeAccess(): void {
    const folder = this.#pick()
    folder.accessible = this.#random() < 0.6
    if (!folder.accessible) for (const id of folder.notes.keys()) this.away.add(id)
  }

  #changeRules(): void {
    this.#leavesOutOdd = !this.#leavesOutOdd
    const ids = [...this.#folders.values()].flatMap(({ notes }) => [...notes.keys()])
    for (const id of ids) if (this.#isLeftOut(id)) this.away.add(id)
  }

  #delete(folder: Folder, id: string): void {
    folder.notes.delete(id)
    folder.log.push(id)
    this.away.add(id)
  }

  #put(folder: Folder, id: string, note: Note): void {
    folder.notes.set(id, { ...note, revision: ++this.#nextRevision, updatedAt: this.#clock() })
    folder.log.push(id)
  }

  #expireCursors(): void {
    const folder = this.#pick()
    folder.floor = folder.log.length
  }

  #newText(): string {
    return `Text ${Math.floor(this.#random() * TEXTS)}`
  }
}

function idsAfter(folder: Folder, after: string): string[] {
  return [...folder.notes.keys()]
    .filter((id) => id > after)
    .sort()
    .slice(0, PAGE)
}
