import { useSyncExternalStore } from 'react'
import type { ForgetReceipt } from '../../../http/app/schemas/library.ts'
import { call } from '../../api/call.ts'
import { useViewer } from '../../shell/use-session.ts'
import { deleteItems, type ItemRef, itemKey, plainRef } from './library-calls.ts'

/** `waiting`: nothing was sent yet. */
type DeletionPhase =
  | { readonly is: 'waiting' | 'running' | 'done' }
  | { readonly is: 'failed'; readonly reason: string }

export interface DeletedItem extends ItemRef {
  readonly title?: string
}

export interface Deletion {
  readonly id: number
  readonly items: readonly DeletedItem[]
  readonly phase: DeletionPhase
  readonly receipts: readonly ForgetReceipt[]
  /** Items that somebody else deleted before. */
  readonly gone: readonly ItemRef[]
  /** Items deleted without receipts, as the page was left. */
  readonly sent: readonly ItemRef[]
}

/** Requests of a deletion that are not answered yet. */
interface Run {
  readonly work: Promise<void>
  /** Aborted: everything was sent. */
  readonly stop: AbortController
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

/** Deletes items of one account after some seconds in which this can be undone; at once when the page is left. */
export class DeletionQueue {
  #state: DeletionState = { deletions: [], receipts: [] }
  readonly #accountId: string
  readonly #timers = new Map<number, number>()
  readonly #runs = new Map<number, Run>()
  readonly #listeners = new Set<() => void>()
  #ids = 0

  constructor(accountId: string) {
    this.#accountId = accountId
  }

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
    this.#change([...this.#state.deletions, { ...NOTHING_DONE, id, items: added }])
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

  /** Sends a deletion that waits, or what is left of it after an error. */
  async start(id: number): Promise<void> {
    const deletion = this.#find(id)
    if (deletion === undefined || (deletion.phase.is !== 'waiting' && deletion.phase.is !== 'failed')) return
    const stop = new AbortController()
    const work = deleteItems(leftOf(deletion), {
      accountId: this.#accountId,
      onReceipt: (receipt) => this.#set(id, ({ receipts }) => ({ receipts: [...receipts, receipt] })),
      onGone: (ref) => this.#set(id, ({ gone }) => ({ gone: [...gone, ref] })),
      signal: stop.signal,
    })
    await this.#follow(id, { work, stop })
  }

  /**
   * Sends everything that was not sent yet in one request that outlives the page, without receipts.
   * @returns false if something could not be deleted, which is shown
   */
  async sendNow(): Promise<boolean> {
    const rests = this.#state.deletions
      .map((deletion) => ({ id: deletion.id, items: this.#unsent(deletion) }))
      .filter(({ items }) => items.length > 0)
    if (rests.length > 0) {
      const items = rests.flatMap((rest) => rest.items.map(plainRef))
      const posted = call('POST /library/forget', { body: { items }, keepalive: true, accountId: this.#accountId })
      for (const rest of rests) this.#followPosted(rest.id, rest.items, posted)
    }
    const ends = await Promise.allSettled([...this.#runs.values()].map(({ work }) => work))
    return ends.every(({ status }) => status === 'fulfilled')
  }

  /** Pauses the countdown of a deletion while its toast is read. */
  hold(id: number): void {
    window.clearTimeout(this.#timers.get(id))
    this.#timers.delete(id)
  }

  /** Resumes the countdown of a deletion. */
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

  #followPosted(id: number, items: readonly ItemRef[], posted: Promise<unknown>): void {
    const { work, stop } = this.#runs.get(id) ?? { work: undefined, stop: new AbortController() }
    stop.abort()
    const marked = posted.then(() => this.#set(id, ({ sent }) => ({ sent: [...sent, ...items] })))
    void this.#follow(id, { work: allOf([work, marked]), stop })
  }

  /** Shows how the requests of a deletion end, unless more were sent meanwhile. */
  async #follow(id: number, run: Run): Promise<void> {
    this.hold(id)
    this.#runs.set(id, run)
    this.#set(id, () => ({ phase: { is: 'running' } }))
    const phase = await run.work.then(
      (): DeletionPhase => ({ is: 'done' }),
      (error: Error): DeletionPhase => ({ is: 'failed', reason: error.message }),
    )
    if (this.#runs.get(id) !== run) return
    this.#runs.delete(id)
    const { receipts } = this.#state
    const added = this.#find(id)?.receipts.filter((receipt) => !receipts.includes(receipt)) ?? []
    this.#state = { ...this.#state, receipts: [...receipts, ...added] }
    this.#set(id, () => ({ phase }))
    this.release(id)
  }

  #pending(): readonly DeletedItem[] {
    return this.#state.deletions
      .filter(({ phase }) => phase.is === 'waiting' || phase.is === 'running')
      .flatMap((deletion) => leftOf(deletion))
  }

  #unsent(deletion: Deletion): readonly DeletedItem[] {
    if (deletion.phase.is === 'waiting') return deletion.items
    // The first is being deleted by a request of its own, which outlives the page too.
    return this.#runs.get(deletion.id)?.stop.signal.aborted === false ? leftOf(deletion).slice(1) : []
  }

  #find(id: number): Deletion | undefined {
    return this.#state.deletions.find((one) => one.id === id)
  }

  #phase(id: number): DeletionPhase['is'] | undefined {
    return this.#find(id)?.phase.is
  }

  #set(id: number, change: (before: Deletion) => Partial<Deletion>): void {
    this.#change(this.#state.deletions.map((one) => (one.id === id ? { ...one, ...change(one) } : one)))
  }

  #change(deletions: readonly Deletion[]): void {
    this.#state = { ...this.#state, deletions }
    for (const listener of this.#listeners) listener()
  }
}

const NOTHING_DONE = { phase: { is: 'waiting' }, receipts: [], gone: [], sent: [] } as const

/** The items that are not deleted yet. */
export function leftOf({ items, receipts, gone, sent }: Deletion): readonly DeletedItem[] {
  const done = new Set([...receipts, ...gone, ...sent].map(itemKey))
  return items.filter((item) => !done.has(itemKey(item)))
}

/** Waits for all, also after an error. */
async function allOf(works: readonly (Promise<void> | undefined)[]): Promise<void> {
  const failure = (await Promise.allSettled(works)).find(({ status }) => status === 'rejected')
  if (failure?.status === 'rejected') throw failure.reason
}

function fitsOneRequest(items: readonly ItemRef[]): boolean {
  if (items.length > MOST_ITEMS) return false
  return new TextEncoder().encode(JSON.stringify(items.map(plainRef))).length <= MOST_BYTES
}

const queues = new Map<string, DeletionQueue>()

/** The deletions of the current account, kept across pages. */
export function useDeletions(): DeletionState & { readonly queue: DeletionQueue } {
  return useDeletionsOf(useViewer().account.id)
}

/** The deletions of an account, kept across pages. */
export function useDeletionsOf(accountId: string): DeletionState & { readonly queue: DeletionQueue } {
  const queue = deletionsOf(accountId)
  return { ...useSyncExternalStore(queue.subscribe, queue.snapshot), queue }
}

/** The deletions of an account. */
export function deletionsOf(accountId: string): DeletionQueue {
  const queue = queues.get(accountId) ?? new DeletionQueue(accountId)
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
