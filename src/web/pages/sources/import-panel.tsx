import { useLocation } from 'wouter'
import type { Sources } from '../../../http/app/schemas/sources.ts'
import { DropZone } from './drop-zone.tsx'
import { UploadRow } from './export-files.tsx'
import { addImport } from './use-connecting.ts'
import { useExportUploads } from './use-export-uploads.ts'

/** Takes the export of any app, and leads to the page that connects it. */
export function ImportPanel({ sources }: { readonly sources: Sources }) {
  const [, navigate] = useLocation()
  const { uploads, add, retry, cancel } = useExportUploads((file, isLast) => {
    const page = addImport(file, sources)
    if (isLast) navigate(page)
    return undefined
  })
  return (
    <div className="bg-sheet rounded-card">
      <DropZone onFiles={add} />
      {uploads.length > 0 && (
        <ul className="flex flex-col px-4">
          {uploads.map((upload) => (
            <UploadRow key={upload.id} upload={upload} onRetry={() => retry(upload)} onCancel={() => cancel(upload)} />
          ))}
        </ul>
      )}
    </div>
  )
}
