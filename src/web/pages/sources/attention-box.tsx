import { Link } from 'wouter'
import type { Connection } from '../../../http/app/schemas/sources.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { uiMessages } from '../../ui/messages.ts'
import { needsAttention } from './connection-state.tsx'
import { messages } from './messages.ts'
import { showPart } from './page-parts.tsx'
import { connectionPath, useConnectionActions } from './source-calls.ts'
import { statedProblem } from './source-problem.tsx'

export interface AttentionBoxProps {
  readonly connection: Connection
  readonly editable: boolean
  /** Resumes an interrupted removal. */
  readonly onDisconnect: () => void
}

/** A connection's problem, its remedy and the button for it. */
export function AttentionBox({ connection, editable, onDisconnect }: AttentionBoxProps) {
  const { problem, remedy, removing, state } = connection
  if (!removing && problem === null && remedy === null) return null
  // Nothing to do now; the state is shown in grey elsewhere.
  if (!removing && (connection.running || state === 'paused' || state === 'not configured')) return null
  const isUrgent = needsAttention(connection)
  const statement = removing ? messages.removingAll : problem
  const instruction = instructionFor(connection, editable)
  return (
    <div
      className={classNames(
        'flex flex-wrap items-center gap-x-4 gap-y-3 rounded-lg px-3.5 py-3 text-sm',
        isUrgent ? 'bg-bad-soft text-bad' : 'bg-warn-soft text-warn',
      )}
    >
      <div className="min-w-0 flex-1 basis-56 [overflow-wrap:anywhere]">
        {statement !== null && <p className="font-medium">{statedProblem(statement)}</p>}
        {instruction !== null && <p>{instruction}</p>}
      </div>
      {editable && <ActionButton connection={connection} onDisconnect={onDisconnect} />}
    </div>
  )
}

/** What the person can do; nothing where the button next to it says that. */
function instructionFor({ problem, remedy, removing, action }: Connection, editable: boolean): string | null {
  if (removing) return messages.removalInterrupted
  if (remedy === null) return null
  const isOnButton = editable && action === 'edit' && (remedy === 'edit' || remedy === 'fix_setting')
  return problem !== null && isOnButton ? null : messages.remedies[remedy]
}

function ActionButton({ connection, onDisconnect }: Omit<AttentionBoxProps, 'editable'>) {
  const { sync, isPending } = useConnectionActions(connection)
  if (connection.removing)
    return (
      <Button size="small" onClick={onDisconnect}>
        {messages.finishDisconnecting}
      </Button>
    )
  switch (connection.action) {
    case 'reauthorize':
      return (
        <Link
          href={`${connectionPath(connection)}#access`}
          onClick={() => showPart('access')}
          className={buttonClass('secondary', 'small')}
        >
          {accessTitle(connection)}
        </Link>
      )
    case 'edit':
      return (
        <Link
          href={`${connectionPath(connection)}#settings`}
          onClick={() => showPart('settings')}
          className={buttonClass('secondary', 'small')}
        >
          {messages.editSettings}
        </Link>
      )
    case 'retry':
      return (
        <Button size="small" busy={isPending} onClick={() => sync()}>
          {uiMessages.tryAgain}
        </Button>
      )
    default:
      return null
  }
}

function accessTitle({ access, remedy }: Connection): string {
  if (access.by === 'token') return messages.replaceToken
  return remedy === 'choose_account' ? messages.chooseAccount : messages.signInAgain
}
