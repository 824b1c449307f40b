import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

export type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'accent'

const TONES: Readonly<Record<Tone, string>> = {
  plain: 'bg-raised text-soft',
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
  accent: 'bg-accent-soft text-accent',
}

export function Badge({
  tone = 'plain',
  children,
  className,
}: {
  readonly tone?: Tone
  readonly children: ReactNode
  readonly className?: string
}) {
  return (
    <span
      className={classNames(
        'inline-flex items-center gap-1 rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap [&_svg]:size-3.5',
        TONES[tone],
        className,
      )}
    >
      {children}
    </span>
  )
}
