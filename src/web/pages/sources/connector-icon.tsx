import type { Connector } from '../../../http/app/schemas/sources.ts'
import { classNames } from '../../ui/class-names.ts'
import { NamedIcon } from '../../ui/source-type.tsx'

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
