import { CircleAlert, CircleCheck } from 'lucide-react'
import type { ModelTrial } from '../../../http/app/schemas/settings.ts'
import { shownText } from '../../ui/source-text.tsx'
import { messages } from './messages.ts'

/** The result of testing a model. */
export function TrialResult({ trial }: { readonly trial: ModelTrial }) {
  const { kind, model, problem } = trial
  const name = kind === 'built-in' ? messages.builtInModel : shownText(model)
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
      <span>{[messages.modelWorks(name), ...measured(trial)].join(', ')}</span>
    </p>
  )
}

function measured({ ms, per_second: rate, keeps_to_schema: keeps }: ModelTrial): string[] {
  return [
    ...(ms === null ? [] : [messages.latency(ms)]),
    ...(rate === null ? [] : [messages.perSecond(Number(rate.count.toPrecision(2)), rate.unit)]),
    ...(keeps === false ? [messages.retriedFormat] : []),
  ]
}
