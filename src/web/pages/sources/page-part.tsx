import type { ReactNode } from 'react'

/** Shows a part of this page, and gives it the focus. */
export function showPart(id: string): void {
  const part = document.getElementById(id)
  part?.scrollIntoView({ block: 'start' })
  part?.focus({ preventScroll: true })
}

/** A part of a page that an address can name: it is shown and has the focus then. */
export function PagePart({ id, children }: { readonly id: string; readonly children: ReactNode }) {
  return (
    <div id={id} tabIndex={-1} className="rounded-card scroll-mt-6 outline-offset-2">
      {children}
    </div>
  )
}
