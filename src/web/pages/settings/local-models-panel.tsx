import { Download, Trash2 } from 'lucide-react'
import type { LocalModelOverview, LocalModelProgress } from '../../../http/app/schemas/settings.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/card.tsx'
import { formatBytes } from '../../ui/formats.ts'
import { Note, ProblemNote } from '../../ui/notices.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { messages } from './messages.ts'
import { useLocalModel } from './settings-calls.ts'

/** Sentence encoders that this server can install and run itself. */
export function LocalModelsPanel({
  models,
  active,
}: {
  readonly models: readonly LocalModelOverview[]
  /** Provider and name of the embedding model that questions are asked with. */
  readonly active: string | null
}) {
  return (
    <Panel title={messages.localModels} about={messages.localModelsAbout}>
      <ul className="divide-line -mx-5 -my-2 divide-y">
        {models.map((model) => (
          <LocalModelRow key={model.name} model={model} isUsed={active === `local:${model.name}`} />
        ))}
      </ul>
    </Panel>
  )
}

function LocalModelRow({ model, isUsed }: { readonly model: LocalModelOverview; readonly isUsed: boolean }) {
  const { name, title, license, is_installed: isInstalled, bytes, download_bytes: download, progress, problem } = model
  const { add, remove } = useLocalModel(name)
  const error = add.error ?? remove.error
  return (
    <li className="flex flex-col gap-3 px-5 py-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 className="flex flex-wrap items-center gap-3 font-medium">
          {messages.localModelTitles[name] ?? title}
          {isUsed && <Badge tone="accent">{messages.localModelUsed}</Badge>}
        </h3>
        <div className="flex gap-2">
          {!isUsed && (
            <Button look="primary" busy={add.isPending || progress !== null} onClick={() => add.mutate()}>
              <Download aria-hidden />
              {isInstalled ? messages.useLocalModel : messages.addLocalModel(formatBytes(download))}
            </Button>
          )}
          {isInstalled && (
            <Button look="danger" busy={remove.isPending || progress !== null} onClick={() => remove.mutate()}>
              <Trash2 aria-hidden />
              {messages.removeLocalModel}
            </Button>
          )}
        </div>
      </div>
      <p className="text-soft max-w-prose text-sm">{messages.localModelGives}</p>
      <p className="text-soft max-w-prose text-sm">
        {isInstalled ? messages.localModelTakes(formatBytes(bytes), license) : messages.localModelCosts(license)}
      </p>
      <div aria-live="polite">{progress !== null && <Step progress={progress} />}</div>
      {problem !== null && error === null && <Note tone="warn">{problem}</Note>}
      {error !== null && <ProblemNote error={error} />}
    </li>
  )
}

function Step({ progress: { step, done, all } }: { readonly progress: LocalModelProgress }) {
  const label = messages.localModelSteps[step]
  const counted =
    step === 'download' ? messages.sizeOf(formatBytes(done), formatBytes(all)) : messages.countOf(done, all)
  return (
    <div className="flex max-w-md flex-col gap-1.5">
      <p className="text-soft flex flex-wrap justify-between gap-x-4 text-sm">
        <span>{label}</span>
        {all > 0 && <span className="tabular-nums">{counted}</span>}
      </p>
      <ProgressBar label={label} value={all > 0 ? done : null} most={all} />
    </div>
  )
}
