import { type ReactNode, useEffect } from 'react'
import { ThemeChoice } from '../../shell/theme-choice.tsx'

/** The frame of the signed-out pages. */
export function SignInFrame({
  title,
  about,
  children,
}: {
  readonly title: string
  readonly about?: ReactNode
  readonly children?: ReactNode
}) {
  useEffect(() => {
    document.title = `${title} · recalld`
  }, [title])
  return (
    <div className="flex min-h-dvh flex-col items-center justify-center gap-6 px-4 py-10">
      <header className="flex items-center gap-2.5 text-lg font-semibold">
        <img src="/app/icon.svg" alt="" className="size-7" />
        recalld
      </header>
      <main className="bg-sheet border-line w-full max-w-md rounded-2xl border p-6 shadow-sm sm:p-8">
        <h1 className="text-xl font-semibold tracking-tight [overflow-wrap:anywhere]">{title}</h1>
        {about !== undefined && <div className="text-soft mt-1.5 text-sm [overflow-wrap:anywhere]">{about}</div>}
        {children !== undefined && <div className="mt-6 flex flex-col gap-5">{children}</div>}
      </main>
      <footer>
        <ThemeChoice />
      </footer>
    </div>
  )
}
