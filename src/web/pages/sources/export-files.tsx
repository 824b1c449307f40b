import { FileArchive, X } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import type { ImportedFile } from '../../../http/app/schemas/imports.ts'
import { Button } from '../../ui/button.tsx'
import { uiMessages } from '../../ui/messages.ts'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { DropZone } from './drop-zone.tsx'
import { exportMessages } from './export-messages.ts'
import { dropImport, uploadedPath } from './import-upload.ts'
import { SettingField, type SettingFieldProps } from './setting-field.tsx'
import { statedProblem } from './source-problem.tsx'
import { type ExportUpload, useExportUploads } from './use-export-uploads.ts'

interface ExportsFieldProps extends SettingFieldProps {
  readonly connector: string
  /** Takes exports that belong to another connector; absent: they are refused. */
  readonly onOther?: ((file: ImportedFile) => void) | undefined
}

/** The exports of a source: uploaded here, or somewhere on the server. */
export function ExportsField({ connector, field, value, onValue, onOther, problem }: ExportsFieldProps) {
  const heading = useId()
  const paths = asPaths(value)
  const onPaths = (changed: readonly string[]) => onValue(changed.length === 0 ? null : changed)
  const { uploads, add, retry, cancel } = useExportUploads((file) => {
    if (file.connector === connector) onPaths([...paths, file.path])
    else if (onOther !== undefined) onOther(file)
    else {
      dropImport(file.id)
      return exportMessages.otherExport(file.found.join(', '))
    }
    return undefined
  })
  const uploaded = paths.flatMap((path) => {
    const found = uploadedPath(path)
    return found === undefined ? [] : [{ path, ...found }]
  })
  const others = paths.filter((path) => uploadedPath(path) === undefined)
  return (
    <section aria-labelledby={heading} className="flex max-w-xl flex-col gap-3">
      <h3 id={heading} className="text-sm font-medium">
        {exportMessages.exportFiles}
      </h3>
      <DropZone onFiles={add} />
      {uploaded.length + uploads.length > 0 && (
        <ul className="flex flex-col">
          {uploaded.map(({ path, name }) => (
            <Row
              key={path}
              name={name}
              removeLabel={exportMessages.removeExport(name)}
              onRemove={() => onPaths(paths.filter((one) => one !== path))}
            />
          ))}
          {uploads.map((upload) => (
            <UploadRow key={upload.id} upload={upload} onRetry={() => retry(upload)} onCancel={() => cancel(upload)} />
          ))}
        </ul>
      )}
      <details open={others.length > 0 || problem !== undefined || undefined} className="text-sm">
        <summary className="text-soft hover:text-ink w-fit">{exportMessages.exportsOnServer}</summary>
        <div className="mt-3">
          <SettingField
            field={{ ...field, required: false }}
            value={others}
            onValue={(entered) => onPaths([...uploaded.map(({ path }) => path), ...asPaths(entered)])}
            problem={uploads.length > 0 ? undefined : problem}
          />
        </div>
      </details>
    </section>
  )
}

function asPaths(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : []
}

interface RowProps {
  readonly name: string
  readonly removeLabel: string
  readonly onRemove: () => void
  readonly about?: ReactNode
  readonly children?: ReactNode
}

function Row({ name, removeLabel, onRemove, about, children }: RowProps) {
  return (
    <li className="border-line flex items-center gap-3 border-t py-2 text-sm first:border-0">
      <FileArchive className="text-soft size-4 shrink-0" aria-hidden />
      <span className="min-w-0 flex-1">
        <bdi className="block truncate" title={shownText(name)}>
          {shownText(name)}
        </bdi>
        {about}
      </span>
      {children}
      <Button look="quiet" size="small" aria-label={removeLabel} onClick={onRemove}>
        <X aria-hidden />
      </Button>
    </li>
  )
}

interface UploadRowProps {
  readonly upload: ExportUpload
  readonly onRetry: () => void
  readonly onCancel: () => void
}

/** An upload in progress, or one that failed. */
export function UploadRow({ upload: { file, share, problem, mayPass = false }, onRetry, onCancel }: UploadRowProps) {
  const { name } = file
  if (problem !== undefined)
    return (
      <Row
        name={name}
        removeLabel={exportMessages.removeExport(name)}
        onRemove={onCancel}
        about={
          <span role="alert" className="text-bad block text-[0.8125rem]">
            {statedProblem(problem)}
          </span>
        }
      >
        {mayPass && (
          <Button size="small" onClick={onRetry}>
            {uiMessages.tryAgain}
          </Button>
        )}
      </Row>
    )
  const percent = Math.round(share * 100)
  return (
    <Row
      name={name}
      removeLabel={exportMessages.cancelUpload(name)}
      onRemove={onCancel}
      about={
        <span className="mt-1 flex items-center gap-2">
          <span className="flex-1">
            <ProgressBar label={exportMessages.uploadOf(shownText(name))} value={percent} most={100} />
          </span>
          <span className="text-soft w-9 text-right text-xs tabular-nums">{percent}%</span>
        </span>
      }
    />
  )
}
