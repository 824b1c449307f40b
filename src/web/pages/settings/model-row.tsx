import { CircleAlert, CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ModelTrial } from '../../../http/app/schemas/settings.ts'
import { Badge } from '../../ui/badge.tsx'
import { formatCount } from '../../ui/formats.ts'
import { shownText } from '../../ui/source-text.tsx'

/** What one task is done by, and how that did when it was tried. */
export function ModelRow({
  title,
  model,
  builtIn,
  trial,
  builtInTrial,
  children,
}: {
  readonly title: string
  /** Null: what is built in does it. */
  readonly model: string | null
  /** How it is done without a model. */
  readonly builtIn: string
  readonly trial: ModelTrial | undefined
  readonly builtInTrial?: ModelTrial | undefined
  readonly children?: ReactNode
}) {
  return (
    <li className="flex flex-col gap-2 px-5 py-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="font-medium">{title}</h3>
        {model === null ? (
          <Badge>Built in</Badge>
        ) : (
          <Badge tone="accent" className="max-w-full overflow-hidden">
            <bdi className="truncate">{shownText(model)}</bdi>
          </Badge>
        )}
      </div>
      {model === null && <p className="text-soft max-w-prose text-sm">{builtIn}</p>}
      {children}
      {builtInTrial !== undefined && <Trial trial={builtInTrial} />}
      {trial !== undefined && <Trial trial={trial} />}
    </li>
  )
}

function Trial({ trial }: { readonly trial: ModelTrial }) {
  const { kind, model, problem } = trial
  const name = kind === 'built-in' ? 'The built-in model' : shownText(model)
  if (problem !== null) {
    return (
      <p className="text-bad flex items-start gap-2 text-sm">
        <CircleAlert className="mt-1 size-4 shrink-0" aria-hidden />
        <span className="min-w-0 [overflow-wrap:anywhere]">
          {problem.startsWith(model) ? problem : `${name}: ${problem}`}
        </span>
      </p>
    )
  }
  return (
    <p className="text-good flex items-start gap-2 text-sm">
      <CircleCheck className="mt-1 size-4 shrink-0" aria-hidden />
      <span>{[`${name} works`, ...measured(trial)].join(', ')}</span>
    </p>
  )
}

function measured({ ms, per_second: rate, keeps_to_schema: keeps }: ModelTrial): string[] {
  return [
    ...(ms === null ? [] : [`answered in ${formatCount(ms)} ms`]),
    ...(rate === null ? [] : [`${formatCount(Number(rate.count.toPrecision(2)))} ${rate.unit} a second`]),
    ...(keeps === false ? ['needed a second try to keep to the form that was asked for'] : []),
  ]
}
