import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { AppError } from '../domain/errors.ts'
import type { Clock } from '../lib/clock.ts'
import type { Store } from '../store/store.ts'
import type { BackupDownload } from './settings-contract.ts'

/** How long a copy waits for its download to start. */
const WAITING_MS = 60_000

/** Copies of the database for download in a browser: one at a time, deleted afterwards. */
export interface BackupCopies {
  make(personId: string): Promise<{ readonly token: string; readonly fileName: string; readonly bytes: number }>
  open(ref: { readonly personId: string; readonly token: string }): Promise<BackupDownload>
  close(): void
}

interface WaitingCopy {
  readonly personId: string
  readonly tokenHash: Uint8Array
  readonly fileName: string
  readonly timer: NodeJS.Timeout
}

/** @param file path of the copy; a leftover of a killed service is removed */
export function backupCopies({ store, file, clock }: { store: Store; file: string; clock: Clock }): BackupCopies {
  let isBusy = false
  let waiting: WaitingCopy | undefined
  const remove = () => {
    if (waiting !== undefined) clearTimeout(waiting.timer)
    waiting = undefined
    for (const one of [file, `${file}.partial`]) rmSync(one, { force: true })
  }
  remove()

  return {
    async make(personId) {
      if (isBusy) throw new AppError('conflict', 'Another backup is in progress. Try again when it is done.')
      isBusy = true
      try {
        // A copy without a started download is replaced.
        remove()
        await store.backup(file)
        const token = randomBytes(32).toString('base64url')
        const fileName = `recalld-${clock().toISOString().slice(0, 10)}.db`
        const timer = setTimeout(remove, WAITING_MS)
        timer.unref()
        waiting = { personId, tokenHash: hashOf(token), fileName, timer }
        return { token, fileName, bytes: statSync(file).size }
      } catch (error) {
        remove()
        throw error
      } finally {
        isBusy = false
      }
    },
    async open({ personId, token }) {
      const copy = waiting
      if (copy === undefined || copy.personId !== personId || !timingSafeEqual(copy.tokenHash, hashOf(token))) {
        throw new AppError('not_found', 'This download has expired. Create another backup in Settings.')
      }
      waiting = undefined
      clearTimeout(copy.timer)
      isBusy = true
      const done = () => {
        isBusy = false
        remove()
      }
      try {
        const handle = await open(file)
        const { size: bytes } = await handle.stat()
        return { fileName: copy.fileName, bytes, stream: handle.createReadStream().once('close', done) }
      } catch (error) {
        done()
        throw error
      }
    },
    close: remove,
  }
}

function hashOf(token: string): Uint8Array {
  return createHash('sha256').update(token).digest()
}
