import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Connector, Sources } from '../../../http/app/schemas/sources.ts'
import { buttonClass } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Note } from '../../ui/notices.tsx'
import { NamedIcon } from '../../ui/source-type.tsx'

/** To the page that this one belongs to. */
export function BackLink({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  return (
    <Link href={href} className={buttonClass('quiet')}>
      <ArrowLeft aria-hidden />
      {children}
    </Link>
  )
}

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

/** Why the viewer sees no connections or may not change them, and what is wrong with the server; nothing where all is well. */
export function SourceLimits({ sources }: { readonly sources: Sources }) {
  const { memory_of_other: isOfOther, editable, why_not_editable: why, notice } = sources
  if (isOfOther)
    return (
      <Note>
        {why ?? 'What is connected to this server fills the memory of another account, so its sources are shown there.'}
      </Note>
    )
  return (
    <>
      {!editable && why !== null && <Note>{why}</Note>}
      {notice !== null && <Note tone="warn">{notice}</Note>}
    </>
  )
}

/** The sign of what a connector reads, on a tile. */
export function ConnectorIcon({
  connector,
  isSmall = false,
}: {
  readonly connector: Pick<Connector, 'icon'>
  readonly isSmall?: boolean
}) {
  return (
    <span
      className={classNames(
        'bg-raised text-ink flex shrink-0 items-center justify-center rounded-lg',
        isSmall ? 'size-8' : 'size-10',
      )}
    >
      <NamedIcon name={connector.icon} className={isSmall ? 'size-4' : 'size-5'} />
    </span>
  )
}
