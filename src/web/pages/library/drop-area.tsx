import { Upload } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useTell } from '../../ui/toasts.tsx'

/** Takes files that are dropped anywhere on the page. */
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
            <Upload aria-hidden />
            Drop files to upload them
          </p>
        </div>
      )}
    </>
  )
}

function useDroppedFiles(onFiles: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false)
  const tell = useTell()
  useEffect(() => {
    // It enters a child before it leaves what is around it.
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
      if (hasFolders)
        tell('Folders are not taken here', 'Connect a folder on the page Sources: it is then kept up to date.')
      if (files.length > 0) onFiles(files)
    }
    const listeners = { dragenter: onEnter, dragover: onOver, dragleave: onLeave, drop: onDrop }
    for (const [name, listener] of Object.entries(listeners)) window.addEventListener(name, listener as EventListener)
    return () => {
      for (const [name, listener] of Object.entries(listeners))
        window.removeEventListener(name, listener as EventListener)
    }
  }, [onFiles, tell])
  return isOver
}

function droppedFiles({ dataTransfer }: DragEvent): { files: File[]; hasFolders: boolean } {
  const items = [...(dataTransfer?.items ?? [])].filter(({ kind }) => kind === 'file')
  const isFolder = (item: DataTransferItem) => item.webkitGetAsEntry()?.isDirectory === true
  const files = items.filter((item) => !isFolder(item)).flatMap((item) => item.getAsFile() ?? [])
  return { files, hasFolders: items.some(isFolder) }
}
