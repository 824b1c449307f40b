import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { buttonClass } from '../../ui/button.tsx'

/** To the page that this one belongs to. */
export function BackLink({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  return (
    <Link href={href} className={buttonClass('quiet')}>
      <ArrowLeft aria-hidden />
      {children}
    </Link>
  )
}
