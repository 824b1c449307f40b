import type { ImportedFile } from '../../../http/app/schemas/imports.ts'
import { address, answerIn, CallError, call, sessionHeaders } from '../../api/call.ts'
import { uiMessages } from '../../ui/messages.ts'

interface Sending {
  readonly signal: AbortSignal
  /** @param share of the bytes that arrived, 0 to 1 */
  readonly onProgress: (share: number) => void
}

/** A piece is sent again after a broken connection. */
const ATTEMPTS = 3

/**
 * Uploads an export in pieces, so that a large file needs no request longer than a proxy allows. What was sent is deleted
 * when it fails or is cancelled.
 * @throws CallError; the reason of the signal
 */
export async function uploadImport(file: File, { signal, onProgress }: Sending): Promise<ImportedFile> {
  const body = { name: file.name, bytes: file.size }
  const { id, piece_bytes: piece } = await call('POST /imports', { body, signal })
  const leave = () => dropImport(id)
  window.addEventListener('pagehide', leave)
  try {
    for (let at = 0; at < file.size; at += piece) {
      await sendPiece(id, at, file.slice(at, at + piece), signal)
      onProgress(Math.min(1, (at + piece) / file.size))
    }
    return await call('POST /imports/:id/complete', { params: { id }, body, signal })
  } catch (error) {
    leave()
    throw error
  } finally {
    window.removeEventListener('pagehide', leave)
  }
}

/** Deletes an upload that no source uses. What it can't delete now, the service deletes within a day. */
export function dropImport(id: string): void {
  call('DELETE /imports/:id', { params: { id }, keepalive: true }).catch(() => undefined)
}

async function sendPiece(id: string, at: number, bytes: Blob, signal: AbortSignal): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await answerIn(
        await fetch(address(`/imports/${id}`, { at }), {
          method: 'PUT',
          headers: { ...sessionHeaders(), 'content-type': 'application/octet-stream' },
          body: bytes,
          signal,
        }),
      )
      return
    } catch (error) {
      if (signal.aborted || error instanceof CallError) throw error
      if (attempt === ATTEMPTS) throw new CallError(0, uiMessages.serverUnreachable)
    }
  }
}

/** An uploaded file, as its path in the settings names it: `.../imports/0f3a.../chats.zip`. */
export interface UploadedPath {
  readonly id: string
  readonly name: string
}

/** `undefined` for a path that somebody entered. */
export function uploadedPath(path: string): UploadedPath | undefined {
  const [, id, name] = /[\\/]imports[\\/]([0-9a-f]{32})[\\/]([^\\/]+)$/.exec(path) ?? []
  return id === undefined || name === undefined ? undefined : { id, name }
}
