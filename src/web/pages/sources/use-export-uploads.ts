import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { ImportedFile } from '../../../http/app/schemas/imports.ts'
import type { Session, SignedIn } from '../../../http/app/schemas/session.ts'
import { CallError } from '../../api/call.ts'
import { useViewer } from '../../shell/use-session.ts'
import { uploadImport } from './import-upload.ts'

export interface ExportUpload {
  readonly id: number
  readonly file: File
  /** Of the bytes that arrived, 0 to 1. */
  readonly share: number
  readonly problem?: string
  /** Trying the same file again may work. */
  readonly mayPass?: boolean
  readonly cancelling: AbortController
}

/** @returns what is wrong with an uploaded file, if anything. @param isLast no other is being uploaded */
type OnUploaded = (file: ImportedFile, isLast: boolean) => string | undefined

/**
 * Uploads exports one after the other. Leaving the page cancels them; after the end of the session, they are uploaded when
 * the same person is back on the page.
 */
export function useExportUploads(onUploaded: OnUploaded) {
  const [uploads, setUploads] = useState<readonly ExportUpload[]>([])
  const latest = useRef({ uploads, onUploaded })
  latest.current = { uploads, onUploaded }
  const queue = useRef(Promise.resolve())
  const ids = useRef(0)
  const isThere = useRef(false)
  const kept = useKeptFiles()
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the page opens and closes
  useEffect(() => {
    isThere.current = true
    add(kept.take())
    return () => {
      isThere.current = false
      const left = latest.current.uploads
      for (const { cancelling } of left) cancelling.abort()
      if (kept.hasSessionChanged())
        kept.keep(left.filter(({ problem, mayPass }) => problem === undefined || mayPass).map(({ file }) => file))
    }
  }, [])

  const set = (id: number, change: Partial<ExportUpload>) =>
    setUploads((all) => all.map((one) => (one.id === id ? { ...one, ...change } : one)))
  const remove = (id: number) => setUploads((all) => all.filter((one) => one.id !== id))
  const upload = async ({ id, file, cancelling: { signal } }: ExportUpload) => {
    if (signal.aborted) return
    try {
      const found = await uploadImport(file, { signal, onProgress: (share) => set(id, { share }) })
      const isLast = !latest.current.uploads.some((one) => one.id !== id && one.problem === undefined)
      const problem = latest.current.onUploaded(found, isLast)
      if (problem === undefined) remove(id)
      else set(id, { problem })
    } catch (error) {
      if (signal.aborted) return
      // 400 is about the file itself.
      const mayPass = !(error instanceof CallError) || error.status !== 400
      set(id, { problem: error instanceof Error ? error.message : String(error), mayPass })
    }
  }
  const add = (files: readonly File[]) => {
    // Chosen in a dialog that was open when the session ended.
    if (!isThere.current) return kept.keep(files)
    const added = files.map((file) => ({ id: ++ids.current, file, share: 0, cancelling: new AbortController() }))
    setUploads((all) => [...all, ...added])
    for (const one of added) queue.current = queue.current.then(() => upload(one))
  }
  return {
    uploads,
    add,
    cancel({ id, cancelling }: ExportUpload) {
      cancelling.abort()
      remove(id)
    },
    retry({ id, file }: ExportUpload) {
      remove(id)
      add([file])
    },
  }
}

/** By person, account and page. */
const keptFiles = new Map<string, readonly File[]>()

/** Keeps files that the end of the session stopped, until the same person is back on the page. */
function useKeptFiles() {
  const viewer = viewerKey(useViewer())
  const queries = useQueryClient()
  const [location] = useLocation()
  const key = useRef(`${viewer} ${location}`).current
  return {
    keep(files: readonly File[]): void {
      keptFiles.set(key, [...(keptFiles.get(key) ?? []), ...files])
    },
    take(): readonly File[] {
      const files = keptFiles.get(key) ?? []
      keptFiles.delete(key)
      return files
    },
    hasSessionChanged(): boolean {
      const session = queries.getQueryData<Session>(['session'])
      return !session?.signed_in || viewerKey(session) !== viewer
    },
  }
}

function viewerKey({ person, account }: SignedIn): string {
  return `${person.id} ${account.id}`
}
