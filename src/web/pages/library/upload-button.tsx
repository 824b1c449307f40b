import { Upload } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { SOURCE_TYPES, sourceTitle } from '../../ui/source-type.tsx'

const OPTIONS = [
  { value: '', label: 'As text or PDF' },
  ...SOURCE_TYPES.map((value) => ({ value, label: `As ${sourceTitle(value)}` })),
]

/** Chooses files to upload, and as which source they are kept. */
export function UploadButton({
  source,
  onSource,
  onFiles,
}: {
  /** Empty: by the kind of each file. */
  readonly source: string
  readonly onSource: (source: string) => void
  readonly onFiles: (files: readonly File[]) => void
}) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <SelectField compact label="Source of uploaded files" value={source} onValue={onSource} options={OPTIONS} />
      <Button look="primary" onClick={() => input.current?.click()}>
        <Upload aria-hidden />
        Upload files
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        className="sr-only"
        aria-label="Files to upload"
        tabIndex={-1}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])])
          // The same files may be chosen again.
          event.target.value = ''
        }}
      />
    </>
  )
}
