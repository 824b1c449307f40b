import { ArrowLeft } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { Link } from 'wouter'
import { classNames } from './class-names.ts'

/** The frame of every page: title (also of the window), description and main actions. */
export function Page({
  title,
  windowTitle = title,
  back,
  about,
  actions,
  children,
  wide = false,
  fill = false,
}: {
  readonly title: string
  /** Title of the window, if it is another one. */
  readonly windowTitle?: string | undefined
  /** The page that this one belongs to. */
  readonly back?: { readonly href: string; readonly title: string }
  readonly about?: ReactNode
  readonly actions?: ReactNode
  readonly children?: ReactNode
  readonly wide?: boolean
  /** Fills the window on wide screens, so that its parts scroll; the title is then for screen readers only. */
  readonly fill?: boolean
}) {
  useEffect(() => {
    document.title = `${windowTitle} · recalld`
  }, [windowTitle])
  return (
    <div
      className={classNames(
        'mx-auto flex w-full flex-col px-4 sm:px-8',
        fill ? 'max-w-[105rem] gap-3 py-4 lg:h-dvh lg:px-6' : 'gap-6 py-6 sm:py-9',
        !fill && (wide ? 'max-w-7xl' : 'max-w-5xl'),
      )}
    >
      <header className={fill ? 'sr-only' : 'flex flex-wrap items-end justify-between gap-4'}>
        <div className="min-w-0">
          {back !== undefined && (
            <Link
              href={back.href}
              className="text-soft hover:text-ink -mt-1 mb-1.5 flex min-h-6 w-fit items-center gap-1.5 text-[0.8125rem] font-medium no-underline"
            >
              <ArrowLeft className="size-3.5" aria-hidden />
              {back.title}
            </Link>
          )}
          <h1 className="text-2xl font-semibold tracking-tight [overflow-wrap:anywhere]">{title}</h1>
          {about !== undefined && <p className="text-soft mt-1 max-w-prose text-sm">{about}</p>}
        </div>
        {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  )
}
