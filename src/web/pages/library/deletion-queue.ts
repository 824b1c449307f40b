import { useSyncExternalStore } from 'react'
import type { ForgetReceipt } from '../../../http/app/schemas/library.ts'
import { call } from '../../api/call.ts'
import { useViewer } from '../../shell/use-session.ts'
import { deleteItems, type ItemRef, itemKey, plainRef } from './library-calls.ts'

type DeletionPhase =
  /** Nothing was sent yet. */
  | { readonly is: 'waiting' }
  | { readonly is: 'running'; readonly done: number }
  | { readonly is: 'done'; readonly receipts: readonly ForgetReceipt[]; readonly gone: number }
  | { readonly is: 'failed'; readonly reason: string }

export interface DeletedItem extends ItemRef {
  readonly title?: string
}

export interface Deletion {
  readonly id: number
  readonly items: readonly DeletedItem[]
  readonly phase: DeletionPhase
}

interface DeletionState {
  readonly deletions: readonly Deletion[]
  /** Of all deletions since the page was loaded. */
  readonly receipts: readonly ForgetReceipt[]
}

/** How long a deletion can be undone, and how long its result is shown. */
const UNDO_MS = 8_000
const RESULT_MS = 10_000

const MOST_ITEMS = 100
/** Browsers send at most 64 KiB for pages that are being closed. */
const MOST_BYTES = 48 * 1024

/** Deletes items after some seconds in which this can be undone; at once when the page is left. */
export class DeletionQueue {
  #state: DeletionState = { deletions: [], receipts: [] }
  readonly #timers = new Map<number, number>()
  readonly #listeners = new Set<() => void>()
  #ids = 0

  /** For `useSyncExternalStore`: a new state after every change. */
  readonly snapshot = (): DeletionState => this.#state
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** @returns false, and does nothing, if there are too many to be sent when the page is closed */
  add(items: readonly DeletedItem[]): boolean {
    const added = items.filter((item) => !isPending(this.#state.deletions, item))
    if (added.length === 0) return true
    if (added.length > 1 && !fitsOneRequest([...this.#pending(), ...added])) return false
    this.#ids += 1
    const id = this.#ids
    this.#change([...this.#state.deletions, { id, items: added, phase: { is: 'waiting' } }])
    this.release(id)
    return true
  }

  undo(id: number): void {
    if (this.#phase(id) === 'waiting') this.dismiss(id)
  }

  /** Undoes the latest deletion that still can be. */
  undoLatest(): boolean {
    const latest = this.#state.deletions.findLast(({ phase }) => phase.is === 'waiting')
    if (latest !== undefined) this.undo(latest.id)
    return latest !== undefined
  }

  /** Sends a deletion that waits, or sends it again after an error. */
  async start(id: number): Promise<void> {
    const deletion = this.#state.deletions.find((one) => one.id === id)
    if (deletion === undefined || (deletion.phase.is !== 'waiting' && deletion.phase.is !== 'failed')) return
    this.hold(id)
    this.#set(id, { is: 'running', done: 0 })
    const receipts: ForgetReceipt[] = []
    let gone = 0
    const progress = () => this.#set(id, { is: 'running', done: receipts.length + gone })
    const phase = await deleteItems(deletion.items, {
      onReceipt: (receipt) => {
        receipts.push(receipt)
        progress()
      },
      onGone: () => {
        gone += 1
        progress()
      },
    }).then(
      (): DeletionPhase => ({ is: 'done', receipts, gone }),
      (error: Error): DeletionPhase => ({ is: 'failed', reason: error.message }),
    )
    this.#state = { ...this.#state, receipts: [...this.#state.receipts, ...receipts] }
    this.#set(id, phase)
    if (phase.is === 'done') this.release(id)
  }

  /** Sends everything that is not deleted yet in one request that outlives the page, without receipts. */
  async sendNow(): Promise<void> {
    const items = this.#pending()
    const sent = this.#state.deletions.filter(({ phase }) => phase.is === 'waiting')
    for (const { id } of sent) this.dismiss(id)
    if (items.length === 0) return
    const phase = await call('POST /library/forget', { body: { items: items.map(plainRef) }, keepalive: true }).then(
      (): DeletionPhase => ({ is: 'done', receipts: [], gone: 0 }),
      (error: Error): DeletionPhase => ({ is: 'failed', reason: error.message }),
    )
    // Only seen when the page stayed after all.
    this.#change([...this.#state.deletions, ...sent.map((deletion) => ({ ...deletion, phase }))])
    for (const { id } of sent) this.release(id)
  }

  /** Stops the time of a deletion, while somebody reads about it. */
  hold(id: number): void {
    window.clearTimeout(this.#timers.get(id))
    this.#timers.delete(id)
  }

  /** Starts the time of a deletion again. */
  release(id: number): void {
    const phase = this.#phase(id)
    if (phase !== 'waiting' && phase !== 'done') return
    this.hold(id)
    const end = phase === 'waiting' ? () => void this.start(id) : () => this.dismiss(id)
    this.#timers.set(id, window.setTimeout(end, phase === 'waiting' ? UNDO_MS : RESULT_MS))
  }

  dismiss(id: number): void {
    this.hold(id)
    this.#change(this.#state.deletions.filter((one) => one.id !== id))
  }

  #pending(): readonly DeletedItem[] {
    return this.#state.deletions
      .filter(({ phase }) => phase.is === 'waiting' || phase.is === 'running')
      .flatMap(({ items, phase }) => (phase.is === 'running' ? items.slice(phase.done) : items))
  }

  #phase(id: number): DeletionPhase['is'] | undefined {
    return this.#state.deletions.find((one) => one.id === id)?.phase.is
  }

  #set(id: number, phase: DeletionPhase): void {
    this.#change(this.#state.deletions.map((one) => (one.id === id ? { ...one, phase } : one)))
  }

  #change(deletions: readonly Deletion[]): void {
    this.#state = { ...this.#state, deletions }
    for (const listener of this.#listeners) listener()
  }
}

function fitsOneRequest(items: readonly ItemRef[]): boolean {
  if (items.length > MOST_ITEMS) return false
  return new TextEncoder().encode(JSON.stringify(items.map(plainRef))).length <= MOST_BYTES
}

const queues = new Map<string, DeletionQueue>()

/** The deletions of the current account, kept across pages. */
export function useDeletions(): DeletionState & { readonly queue: DeletionQueue } {
  const queue = deletionsOf(useViewer().account.id)
  return { ...useSyncExternalStore(queue.subscribe, queue.snapshot), queue }
}

/** The deletions of an account. */
export function deletionsOf(accountId: string): DeletionQueue {
  const queue = queues.get(accountId) ?? new DeletionQueue()
  queues.set(accountId, queue)
  return queue
}

/** Whether an item is about to be deleted. */
export function isPending(deletions: readonly Deletion[], ref: ItemRef): boolean {
  return deletions.some(
    ({ phase, items }) =>
      (phase.is === 'waiting' || phase.is === 'running') && items.some((item) => itemKey(item) === itemKey(ref)),
  )
}
