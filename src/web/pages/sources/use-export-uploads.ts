import { useEffect, useRef, useState } from 'react'
import type { ImportedFile } from '../../../http/app/schemas/imports.ts'
import { CallError } from '../../api/call.ts'
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

/** Uploads exports one after the other. Leaving the page cancels them. */
export function useExportUploads(onUploaded: OnUploaded) {
  const [uploads, setUploads] = useState<readonly ExportUpload[]>([])
  const latest = useRef({ uploads, onUploaded })
  latest.current = { uploads, onUploaded }
  const queue = useRef(Promise.resolve())
  const ids = useRef(0)
  useEffect(
    () => () => {
      for (const { cancelling } of latest.current.uploads) cancelling.abort()
    },
    [],
  )

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
