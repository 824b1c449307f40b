import { Link } from 'wouter'
import type { Connection } from '../../../http/app/schemas/sources.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { shownText } from '../../ui/source-text.tsx'
import { needsAttention } from './connection-state.tsx'
import { showPart } from './page-parts.tsx'
import { pathOf, useConnectionActions } from './source-calls.ts'

export interface AttentionBoxProps {
  readonly connection: Connection
  readonly editable: boolean
  /** Goes on with a removal that did not end. */
  readonly onDisconnect: () => void
}

/** What is wrong with a connection, exactly what to do about it, and the button that does it. */
export function AttentionBox({ connection, editable, onDisconnect }: AttentionBoxProps) {
  const { problem, remedy, removing, state } = connection
  if (!removing && problem === null && remedy === null) return null
  // Of these nothing has to be done now: it is told in grey.
  if (!removing && (connection.running || state === 'paused' || state === 'not configured')) return null
  const isUrgent = needsAttention(connection)
  const said = removing ? 'It is being removed with all it brought.' : problem
  const toDo = removing ? 'When this lasts, it was cut off: disconnect it once more to go on.' : remedy
  return (
    <div
      className={classNames(
        'flex flex-wrap items-center gap-x-4 gap-y-3 rounded-lg px-3.5 py-3 text-sm',
        isUrgent ? 'bg-bad-soft text-bad' : 'bg-warn-soft text-warn',
      )}
    >
      <div className="min-w-0 flex-1 basis-56 [overflow-wrap:anywhere]">
        {said !== null && said !== connection.words && <p className="font-medium">{shownText(said)}</p>}
        {toDo !== null && <p>{shownText(toDo)}</p>}
      </div>
      {editable && <ActionButton connection={connection} onDisconnect={onDisconnect} />}
    </div>
  )
}

function ActionButton({ connection, onDisconnect }: Omit<AttentionBoxProps, 'editable'>) {
  const { sync, isPending } = useConnectionActions(connection)
  if (connection.removing)
    return (
      <Button size="small" onClick={onDisconnect}>
        Finish disconnecting
      </Button>
    )
  switch (connection.action) {
    case 'reauthorize':
      return (
        <Link
          href={`${pathOf(connection)}#access`}
          onClick={() => showPart('access')}
          className={buttonClass('secondary', 'small')}
        >
          {connection.access.by === 'token' ? 'Replace the token' : 'Sign in again'}
        </Link>
      )
    case 'edit':
      return (
        <Link
          href={`${pathOf(connection)}#settings`}
          onClick={() => showPart('settings')}
          className={buttonClass('secondary', 'small')}
        >
          Change the settings
        </Link>
      )
    case 'retry':
      return (
        <Button size="small" busy={isPending} onClick={() => sync()}>
          Try again now
        </Button>
      )
    default:
      return null
  }
}
