import type { ReactNode } from 'react'
import type { Connection, Connector, Sources } from '../../../http/app/schemas/sources.ts'
import { classNames } from '../../ui/class-names.ts'
import { Note } from '../../ui/notices.tsx'
import { NamedIcon } from '../../ui/source-type.tsx'
import { messages } from './messages.ts'

/** The account of a connection; null for files of this machine, which have none. */
export function namedAccount({ account }: Pick<Connection, 'account'>): string | null {
  return account === 'local' ? null : account
}

/** Scrolls to a panel and focuses it. */
export function showPart(id: string): void {
  const part = document.getElementById(id)
  part?.scrollIntoView({ block: 'start' })
  part?.focus({ preventScroll: true })
}

/** A panel that a URL hash can name. */
export function PagePart({ id, children }: { readonly id: string; readonly children: ReactNode }) {
  return (
    <div id={id} tabIndex={-1} className="rounded-card scroll-mt-6 outline-offset-2">
      {children}
    </div>
  )
}

/** Why the viewer can't see or edit connections, and server notices. */
export function SourceLimits({ sources }: { readonly sources: Sources }) {
  const { memory_of_other: isOfOther, editable, why_not_editable: why, notice } = sources
  if (isOfOther) return <Note>{why ?? messages.otherAccount}</Note>
  return (
    <>
      {!editable && why !== null && <Note>{why}</Note>}
      {notice !== null && <Note tone="warn">{notice}</Note>}
    </>
  )
}

/** The icon of a connector. */
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
