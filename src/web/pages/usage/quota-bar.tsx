import { classNames } from '../../ui/class-names.ts'
import { messages } from './messages.ts'

/** Share from which a quota is shown as almost used up. */
const NEARLY = 0.9

/** Usage of a quota; without a limit, only the usage. */
export function QuotaBar({
  title,
  used,
  allowed,
  format,
}: {
  readonly title: string
  readonly used: number
  readonly allowed: number | null
  readonly format: (amount: number) => string
}) {
  const share = allowed === null ? 0 : used / Math.max(1e-9, allowed)
  return (
    <div className="flex flex-col gap-1.5">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3 text-sm">
        <span className="text-soft">{title}</span>
        <span className="tabular-nums">
          <span className="font-medium">{format(used)}</span>
          <span className="text-soft">{allowed === null ? messages.noLimit : messages.ofAllowed(format(allowed))}</span>
        </span>
      </p>
      {allowed !== null && (
        <>
          <meter className="sr-only" aria-label={title} min={0} max={Math.max(1, allowed)} value={used}>
            {messages.usedOf(format(used), format(allowed))}
          </meter>
          <div aria-hidden className="bg-raised h-1.5 overflow-hidden rounded-full">
            <div
              className={classNames('h-full rounded-full', barColor(share))}
              style={{ width: `${Math.min(100, share * 100)}%` }}
            />
          </div>
        </>
      )}
      {share >= 1 && <p className="text-bad text-[0.8125rem]">{messages.usedUp}</p>}
    </div>
  )
}

function barColor(share: number): string {
  if (share >= 1) return 'bg-bad'
  return share >= NEARLY ? 'bg-warn' : 'bg-accent'
}
