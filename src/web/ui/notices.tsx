import { CircleAlert, Info } from 'lucide-react'
import type { ReactNode } from 'react'
import { CallError } from '../api/call.ts'
import { useReachable } from '../api/reachability.ts'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import { uiMessages } from './messages.ts'

/** An error message, with a button to try again if `onRetry` is given. */
export function ProblemNote({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const isReachable = useReachable()
  // A banner says why, and what could not be loaded is loaded again without a click.
  if (!isReachable && onRetry && error instanceof CallError && error.status === 0)
    return <Note>{uiMessages.loadsLater}</Note>
  const message = error instanceof Error ? error.message : uiMessages.pageFailed
  return (
    <div role="alert" className="bg-bad-soft text-bad flex flex-wrap items-center gap-3 rounded-lg px-4 py-3 text-sm">
      <CircleAlert className="size-4 shrink-0" aria-hidden />
      <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{message}</span>
      {onRetry && (
        <Button size="small" onClick={onRetry}>
          {uiMessages.tryAgain}
        </Button>
      )}
    </div>
  )
}

export function Note({ tone = 'plain', children }: { readonly tone?: 'plain' | 'warn'; readonly children: ReactNode }) {
  return (
    <div
      className={classNames(
        'flex items-start gap-3 rounded-lg px-4 py-3 text-sm',
        tone === 'warn' ? 'bg-warn-soft text-warn' : 'bg-raised text-soft',
      )}
    >
      <Info className="mt-0.5 size-4 shrink-0" aria-hidden />
      <div className="min-w-0 flex-1 [overflow-wrap:anywhere]">{children}</div>
    </div>
  )
}

/** Shown instead of an empty list. */
export function EmptyState({
  icon,
  title,
  children,
  actions,
  isPage = false,
}: {
  readonly icon?: ReactNode
  readonly title: string
  readonly children?: ReactNode
  readonly actions?: ReactNode
  /** Its title is that of the page. */
  readonly isPage?: boolean
}) {
  const Title = isPage ? 'h1' : 'p'
  return (
    <div className="border-line rounded-card flex flex-col items-center gap-2 border border-dashed px-6 py-14 text-center">
      {icon !== undefined && <div className="text-soft mb-1 [&_svg]:size-7">{icon}</div>}
      <Title className="font-semibold">{title}</Title>
      {children !== undefined && <div className="text-soft max-w-md text-sm">{children}</div>}
      {actions !== undefined && <div className="mt-3 flex flex-wrap justify-center gap-2 empty:hidden">{actions}</div>}
    </div>
  )
}

/** A placeholder while text loads. */
export function Skeleton({
  lines = 3,
  label = uiMessages.loading,
}: {
  readonly lines?: number
  readonly label?: string
}) {
  return (
    <div role="status" aria-label={label} className="flex flex-col gap-3">
      {Array.from({ length: lines }, (_, line) => `line-${line}`).map((line, index) => (
        <div key={line} className={classNames('bg-raised h-4 animate-pulse rounded', index === lines - 1 && 'w-2/3')} />
      ))}
    </div>
  )
}
