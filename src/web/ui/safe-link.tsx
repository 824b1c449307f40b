import { ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'
import { openableAddress, outsideLink } from '../../lib/markup/openable-address.ts'
import { classNames } from './class-names.ts'
import { uiMessages } from './messages.ts'

/** A link to a source in a new tab without referrer or opener; plain text if the URL is not safe to open. */
export function SafeLink({
  href,
  children,
  className,
}: {
  readonly href: string | undefined
  readonly children: ReactNode
  readonly className?: string
}) {
  const address = openableAddress(href)
  if (address === undefined) return <span className={className}>{children}</span>
  return (
    <a
      {...outsideLink(address)}
      className={classNames('text-accent inline-flex items-center gap-1 underline-offset-2 hover:underline', className)}
    >
      {children}
      <ExternalLink className="size-3.5 shrink-0" aria-label={uiMessages.inNewTab} />
    </a>
  )
}
