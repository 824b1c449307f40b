import { FileUp } from 'lucide-react'
import { type DragEvent, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { FileInput } from '../../ui/file-input.tsx'
import { exportMessages } from './export-messages.ts'

/** As the service accepts them. */
const ACCEPTED = '.zip,.txt,.json,.jsonl,.db,.abcddb'

/** Takes exports that are dropped on it or chosen. */
export function DropZone({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const files = [...event.dataTransfer.files]
    if (files.length > 0) onFiles(files)
  }
  return (
    // Dropping is a second way: the button does the same.
    // biome-ignore lint/a11y/noStaticElementInteractions: see above
    <div
      data-drop-zone
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
      className={classNames(
        'rounded-card flex flex-wrap items-center gap-x-4 gap-y-3 border border-dashed p-4 transition-colors',
        isOver ? 'border-accent bg-accent-soft' : 'border-edge',
      )}
    >
      <FileUp className="text-soft size-6 shrink-0" aria-hidden />
      <div className="min-w-0 flex-1 basis-56">
        <p className="text-sm font-medium">{exportMessages.dropExports}</p>
        <p className="text-soft text-[0.8125rem]">
          {exportMessages.dropExportsAbout}{' '}
          <span className="pointer-coarse:hidden">{exportMessages.dropExportsHere}</span>
        </p>
      </div>
      <Button onClick={() => input.current?.click()}>{exportMessages.chooseExports}</Button>
      <FileInput input={input} label={exportMessages.exportsToUpload} accept={ACCEPTED} onFiles={onFiles} />
    </div>
  )
}
