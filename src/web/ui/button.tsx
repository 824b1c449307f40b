import { LoaderCircle } from 'lucide-react'
import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'

export interface ButtonProps extends ComponentProps<'button'> {
  readonly look?: 'primary' | 'secondary' | 'quiet' | 'danger'
  readonly size?: 'normal' | 'small'
  /** Shows a spinner and disables the button. */
  readonly busy?: boolean
}

const LOOKS = {
  primary: 'bg-accent text-on-accent hover:brightness-110 border-transparent',
  secondary: 'bg-sheet text-ink border-line hover:bg-raised',
  quiet: 'bg-transparent text-soft border-transparent hover:text-ink hover:bg-raised',
  danger: 'bg-sheet text-bad border-line hover:bg-bad-soft hover:border-bad',
} as const

/** Class names of a button, also for links that look like one. */
export function buttonClass(
  look: NonNullable<ButtonProps['look']> = 'secondary',
  size: ButtonProps['size'] = 'normal',
): string {
  return classNames(
    'inline-flex items-center justify-center gap-2 rounded-lg border font-medium whitespace-nowrap no-underline transition-colors',
    'disabled:opacity-55 disabled:pointer-events-none select-none [&_svg]:size-4 [&_svg]:shrink-0',
    size === 'small' ? 'min-h-8 px-2.5 text-[0.8125rem]' : 'min-h-9.5 px-3.5 text-sm',
    LOOKS[look],
  )
}

export function Button({
  look = 'secondary',
  size = 'normal',
  busy = false,
  className,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={rest.disabled || busy}
      aria-busy={busy || undefined}
      className={classNames(buttonClass(look, size), className)}
    >
      {busy && <LoaderCircle className="animate-spin" aria-hidden />}
      {children}
    </button>
  )
}
