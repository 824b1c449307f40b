import { useQuery } from '@tanstack/react-query'
import { Upload as UploadIcon, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FileInput } from '../../ui/file-input.tsx'
import { uiMessages } from '../../ui/messages.ts'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { SOURCE_TYPES, sourceTitle } from '../../ui/source-type.tsx'
import { useToast } from '../../ui/toasts.tsx'
import { itemPath, itemQuery } from './library-calls.ts'
import { messages } from './messages.ts'
import { StateBadge } from './state-badge.tsx'
import type { Upload, UploadQueue } from './upload-queue.ts'

/** Most uploads shown at once. */
const MOST_SHOWN = 100

/** Uploads with their progress. */
export function UploadList({ uploads, queue }: { readonly uploads: readonly Upload[]; readonly queue: UploadQueue }) {
  if (uploads.length === 0) return null
  const isOpen = ({ phase }: Upload) => phase.is === 'waiting' || phase.is === 'sending'
  const open = uploads.filter(isOpen)
  const count = (is: Upload['phase']['is']) => uploads.filter(({ phase }) => phase.is === is).length
  const refused = count('refused')
  const undecided = uploads.filter(({ phase }) => phase.is === 'conflict')
  // Those that need a decision first, then those in progress.
  const order = ['conflict', 'refused', 'sending', 'waiting', 'stored']
  const sorted = uploads.toSorted((a, b) => order.indexOf(a.phase.is) - order.indexOf(b.phase.is) || a.id - b.id)
  return (
    <Card className="p-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-sm font-semibold" aria-live="polite">
          {open.length > 0 ? messages.uploading(open.length) : messages.uploaded(count('stored'), refused)}
        </h2>
        <div className="flex flex-wrap gap-2">
          {undecided.length > 1 && (
            <Button size="small" onClick={() => queue.replace(undecided.map(({ id }) => id))}>
              {messages.replaceAll(undecided.length)}
            </Button>
          )}
          <Button
            look="quiet"
            size="small"
            disabled={open.length > 0}
            onClick={() => queue.dismiss(uploads.map(({ id }) => id))}
          >
            {messages.clearList}
          </Button>
        </div>
      </div>
      <ul className="mt-2 flex max-h-72 flex-col overflow-y-auto">
        {sorted.slice(0, MOST_SHOWN).map((upload) => (
          <UploadRow key={upload.id} upload={upload} queue={queue} />
        ))}
      </ul>
      {sorted.length > MOST_SHOWN && (
        <p className="text-soft mt-2 text-xs">{messages.moreFiles(sorted.length - MOST_SHOWN)}</p>
      )}
    </Card>
  )
}

function UploadRow({ upload, queue }: { readonly upload: Upload; readonly queue: UploadQueue }) {
  const { id, file, source, phase } = upload
  const name = shownText(file.name)
  return (
    <li className="border-line flex flex-wrap items-center gap-x-4 gap-y-1 border-t py-2 text-sm first:border-0">
      <span className="min-w-0 flex-1 basis-48">
        <span className="block truncate" title={name}>
          {phase.is === 'stored' ? (
            <Link href={itemPath({ source, item_id: phase.itemId })} className="text-ink">
              <bdi>{name}</bdi>
            </Link>
          ) : (
            <bdi>{name}</bdi>
          )}
        </span>
        {phase.is === 'refused' && <span className="text-bad block text-xs">{phase.reason}</span>}
        {phase.is === 'conflict' && <span className="text-warn block text-xs">{messages.nameTaken}</span>}
      </span>
      <span className="flex flex-wrap items-center gap-2">
        <UploadState upload={upload} />
        {phase.is === 'conflict' && (
          <>
            <Button size="small" onClick={() => queue.again(id, 'replace')}>
              {messages.replace}
            </Button>
            <Button size="small" onClick={() => queue.again(id, 'keep both')}>
              {messages.keepBoth}
            </Button>
          </>
        )}
        {phase.is === 'refused' && phase.mayPass && (
          <Button size="small" onClick={() => queue.again(id, 'reject')}>
            {uiMessages.tryAgain}
          </Button>
        )}
        {phase.is !== 'sending' && (
          <Button
            look="quiet"
            size="small"
            aria-label={messages.removeFromList(name)}
            onClick={() => queue.dismiss([id])}
          >
            <X aria-hidden />
          </Button>
        )}
      </span>
    </li>
  )
}

function UploadState({ upload: { file, source, phase } }: { readonly upload: Upload }) {
  if (phase.is === 'stored') return <StoredState source={source} itemId={phase.itemId} />
  if (phase.is === 'sending') {
    const percent = Math.round(phase.share * 100)
    return (
      <span className="flex w-40 items-center gap-2">
        <span className="flex-1">
          <ProgressBar label={messages.uploadOf(shownText(file.name))} value={percent} most={100} />
        </span>
        <span className="text-soft w-9 text-right text-xs tabular-nums">{percent}%</span>
      </span>
    )
  }
  if (phase.is === 'waiting') return <span className="text-soft text-xs">{messages.waitingSize(file.size)}</span>
  return null
}

/** Processing state of an uploaded item, refreshed until it is ready or failed. */
function StoredState({ source, itemId }: { readonly source: string; readonly itemId: string }) {
  const [isDone, setDone] = useState(false)
  const { data, error } = useQuery({ ...itemQuery({ source, item_id: itemId }), enabled: !isDone })
  const state = data?.status ?? 'queued'
  useEffect(() => {
    if (data?.status === 'ready' || data?.status === 'failed') setDone(true)
  }, [data?.status])
  if (error !== null) return <span className="text-soft text-xs">{messages.noLongerThere}</span>
  return (
    <span className="flex items-center gap-2">
      {state === 'ready' && <span className="text-soft text-xs">{messages.memoryCount(data?.memories ?? 0)}</span>}
      {state === 'failed' && <span className="text-bad max-w-80 text-xs">{shownText(data?.error ?? '')}</span>}
      <StateBadge state={state} />
    </span>
  )
}

const OPTIONS = [
  { value: '', label: messages.asTextOrPdf },
  ...SOURCE_TYPES.map((value) => ({ value, label: messages.asSource(sourceTitle(value)) })),
]

/** Selects files and their source type. */
export function UploadButton({
  source,
  onSource,
  onFiles,
}: {
  /** Empty: by file type. */
  readonly source: string
  readonly onSource: (source: string) => void
  readonly onFiles: (files: readonly File[]) => void
}) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <SelectField compact label={messages.uploadSource} value={source} onValue={onSource} options={OPTIONS} />
      <Button look="primary" onClick={() => input.current?.click()}>
        <UploadIcon aria-hidden />
        {messages.uploadFiles}
      </Button>
      <FileInput input={input} label={messages.filesToUpload} onFiles={onFiles} />
    </>
  )
}

/** Accepts files dropped anywhere on the page. */
export function DropArea({
  onFiles,
  children,
}: {
  readonly onFiles: (files: readonly File[]) => void
  readonly children: ReactNode
}) {
  const isOver = useDroppedFiles(onFiles)
  return (
    <>
      {children}
      {isOver && (
        <div className="bg-accent-soft/90 border-accent text-accent pointer-events-none fixed inset-3 z-40 grid place-items-center rounded-2xl border-2 border-dashed">
          <p className="flex items-center gap-3 text-lg font-semibold">
            <UploadIcon aria-hidden />
            {messages.dropFiles}
          </p>
        </div>
      )}
    </>
  )
}

function useDroppedFiles(onFiles: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false)
  const toast = useToast()
  useEffect(() => {
    // `dragenter` of a child fires before `dragleave` of its parent.
    let depth = 0
    const holdsFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true
    const onEnter = (event: DragEvent) => {
      if (!holdsFiles(event)) return
      depth += 1
      setOver(true)
    }
    const onOver = (event: DragEvent) => {
      if (holdsFiles(event)) event.preventDefault()
    }
    const onLeave = (event: DragEvent) => {
      if (!holdsFiles(event)) return
      depth = Math.max(0, depth - 1)
      if (depth === 0) setOver(false)
    }
    const onDrop = (event: DragEvent) => {
      if (!holdsFiles(event)) return
      event.preventDefault()
      depth = 0
      setOver(false)
      const { files, hasFolders } = droppedFiles(event)
      if (hasFolders) toast(messages.noFolders, messages.noFoldersAbout)
      if (files.length > 0) onFiles(files)
    }
    const listeners = { dragenter: onEnter, dragover: onOver, dragleave: onLeave, drop: onDrop }
    for (const [name, listener] of Object.entries(listeners)) window.addEventListener(name, listener as EventListener)
    return () => {
      for (const [name, listener] of Object.entries(listeners))
        window.removeEventListener(name, listener as EventListener)
    }
  }, [onFiles, toast])
  return isOver
}

function droppedFiles({ dataTransfer }: DragEvent): { files: File[]; hasFolders: boolean } {
  const items = [...(dataTransfer?.items ?? [])].filter(({ kind }) => kind === 'file')
  const isFolder = (item: DataTransferItem) => item.webkitGetAsEntry()?.isDirectory === true
  const files = items.filter((item) => !isFolder(item)).flatMap((item) => item.getAsFile() ?? [])
  return { files, hasFolders: items.some(isFolder) }
}
