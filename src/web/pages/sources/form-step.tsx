import { type ReactNode, useId } from 'react'

/** One of the steps of a form that stands on one page. */
export function FormStep({
  step,
  title,
  children,
}: {
  readonly step: number
  readonly title: string
  readonly children: ReactNode
}) {
  const heading = useId()
  return (
    <section aria-labelledby={heading} className="bg-sheet border-line rounded-card border p-5">
      <h2 id={heading} className="mb-4 flex items-center gap-3 text-base font-semibold">
        <span
          className="bg-raised text-soft flex size-6 items-center justify-center rounded-full text-xs tabular-nums"
          aria-hidden
        >
          {step}
        </span>
        {title}
      </h2>
      {children}
    </section>
  )
}
