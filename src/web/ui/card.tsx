import { type ReactNode, useId } from 'react'
import { classNames } from './class-names.ts'

export function Card({
  children,
  className,
  titleId,
}: {
  readonly children: ReactNode
  readonly className?: string
  /** Of the heading in it that names it. */
  readonly titleId?: string
}) {
  return (
    <section
      aria-labelledby={titleId}
      className={classNames('bg-sheet border-line rounded-card border p-5', className)}
    >
      {children}
    </section>
  )
}

/** A card with a heading and actions on the right. */
export function Panel({
  title,
  about,
  actions,
  children,
}: {
  readonly title: string
  readonly about?: ReactNode
  readonly actions?: ReactNode
  readonly children?: ReactNode
}) {
  const titleId = useId()
  return (
    <Card titleId={titleId}>
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <h2 id={titleId} className="text-base font-semibold">
            {title}
          </h2>
          {about !== undefined && <div className="text-soft mt-0.5 max-w-prose text-sm">{about}</div>}
        </div>
        {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
      </div>
      {children !== undefined && <div className="mt-4">{children}</div>}
    </Card>
  )
}
