import { useSyncExternalStore } from 'react'
import { address, callError, sessionHeaders } from '../../api/call.ts'
import { useViewer } from '../../shell/use-session.ts'
import { messages } from './messages.ts'
import { uploadSource } from './upload-source.ts'

type UploadPhase =
  | { readonly is: 'waiting' }
  /** `share` of the bytes sent, 0 to 1. */
  | { readonly is: 'sending'; readonly share: number }
  /** An item of this name exists; the user decides. */
  | { readonly is: 'conflict' }
  | { readonly is: 'stored'; readonly itemId: string }
  /** `mayPass`: trying the same file again may work. */
  | { readonly is: 'refused'; readonly reason: string; readonly mayPass: boolean }

export interface Upload {
  readonly id: number
  readonly file: File
  readonly source: string
  readonly phase: UploadPhase
}

type Conflict = 'reject' | 'replace' | 'keep both'

const AT_ONCE = 3

/** Uploads files to one account, three at a time, also while other pages are open. */
export class UploadQueue {
  #uploads: readonly Upload[] = []
  readonly #accountId: string
  readonly #conflicts = new Map<number, Conflict>()
  readonly #listeners = new Set<() => void>()
  #ids = 0

  constructor(accountId: string) {
    this.#accountId = accountId
  }

  /** For `useSyncExternalStore`: a new list after every change. */
  readonly snapshot = (): readonly Upload[] => this.#uploads
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** @param source of all of them; absent: PDFs are `pdf`, vCards are `contacts`, everything else is `text` */
  add(files: readonly File[], source: string | undefined): void {
    const added = files.map((file): Upload => {
      this.#ids += 1
      return { id: this.#ids, file, source: source ?? uploadSource(file), phase: { is: 'waiting' } }
    })
    this.#change([...this.#uploads, ...added])
    this.#sendNext()
  }

  /** Uploads again after a conflict or an error. */
  again(id: number, onConflict: Conflict): void {
    this.#conflicts.set(id, onConflict)
    this.#set(id, { is: 'waiting' })
    this.#sendNext()
  }

  replace(ids: readonly number[]): void {
    for (const id of ids) this.again(id, 'replace')
  }

  /** Removes uploads from the list. Those in progress continue. */
  dismiss(ids: readonly number[]): void {
    this.#change(this.#uploads.filter(({ id }) => !ids.includes(id)))
  }

  #sendNext(): void {
    const sending = this.#uploads.filter(({ phase }) => phase.is === 'sending').length
    const waiting = this.#uploads.filter(({ phase }) => phase.is === 'waiting')
    for (const upload of waiting.slice(0, Math.max(0, AT_ONCE - sending))) this.#send(upload)
  }

  #send({ id, file, source }: Upload): void {
    const onConflict = this.#conflicts.get(id) ?? 'reject'
    const form = new FormData()
    form.set('source_type', source)
    const itemId = uploadItemId(file)
    if (itemId !== '' && onConflict !== 'keep both') form.set('item_id', itemId)
    if (onConflict === 'replace') form.set('on_conflict', 'replace')
    form.set('file', file)
    const request = new XMLHttpRequest()
    request.open('POST', address('/library/upload'))
    for (const [name, value] of Object.entries(sessionHeaders(this.#accountId))) request.setRequestHeader(name, value)
    request.responseType = 'json'
    request.upload.onprogress = ({ loaded, total }) =>
      this.#set(id, { is: 'sending', share: loaded / Math.max(1, total) })
    request.onload = () => this.#finish(id, phaseAfter(request))
    request.onerror = () => this.#finish(id, { is: 'refused', reason: messages.notSent, mayPass: true })
    this.#set(id, { is: 'sending', share: 0 })
    request.send(form)
  }

  #finish(id: number, phase: UploadPhase): void {
    this.#set(id, phase)
    this.#sendNext()
  }

  #set(id: number, phase: UploadPhase): void {
    this.#change(this.#uploads.map((upload) => (upload.id === id ? { ...upload, phase } : upload)))
  }

  #change(uploads: readonly Upload[]): void {
    this.#uploads = uploads
    // Ask before closing the window during uploads.
    const isUnderWay = uploads.some(({ phase }) => phase.is === 'waiting' || phase.is === 'sending')
    if (isUnderWay) window.addEventListener('beforeunload', askToStay)
    else window.removeEventListener('beforeunload', askToStay)
    for (const listener of this.#listeners) listener()
  }
}

function askToStay(event: BeforeUnloadEvent): void {
  event.preventDefault()
}

function phaseAfter({ status, response }: XMLHttpRequest): UploadPhase {
  if (status === 409) return { is: 'conflict' }
  if (status === 201) return { is: 'stored', itemId: String(response.item_id) }
  // 400 and 422 are about the file itself.
  const mayPass = status !== 400 && status !== 422
  return { is: 'refused', reason: callError(status, response).message, mayPass }
}

const ITEM_ID_MOST = 200

/** From the file name, so that the same file updates the same item. */
function uploadItemId({ name }: File): string {
  const words = name.normalize('NFC').replace(/[^\p{L}\p{M}\p{N}_]+/gu, '-')
  return [...words]
    .slice(0, ITEM_ID_MOST)
    .join('')
    .replace(/^-+|-+$/g, '')
}

const queues = new Map<string, UploadQueue>()

/** Uploads of the current account, kept across pages. */
export function useUploads(): { readonly uploads: readonly Upload[]; readonly queue: UploadQueue } {
  const { id } = useViewer().account
  const queue = queues.get(id) ?? new UploadQueue(id)
  queues.set(id, queue)
  const uploads = useSyncExternalStore(queue.subscribe, queue.snapshot)
  return { uploads, queue }
}
