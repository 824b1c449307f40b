import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Connection, RemoveAnswer } from '../../../http/app/schemas/sources.ts'
import { call } from '../../api/call.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { uiMessages } from '../../ui/messages.ts'
import { RadioCard } from '../../ui/radio-card.tsx'
import { SwitchField } from '../../ui/switch-field.tsx'
import { messages } from './messages.ts'
import { GRANTS_QUERY } from './source-calls.ts'
import { SourceProblemNote } from './source-problem.tsx'

export interface DisconnectDialogProps {
  readonly connection: Connection
  /** @param isGone whether it was disconnected */
  readonly onClose: (isGone: boolean) => void
}

/** Asks whether to keep or delete the items, disconnects, and shows the result. */
export function DisconnectDialog({ connection, onClose }: DisconnectDialogProps) {
  const queries = useQueryClient()
  const removal = useMutation({
    mutationFn: (choice: RemovalChoice) =>
      call('DELETE /sources/:connector/:name', { params: connection, query: { ...choice } }),
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['sources', 'list'] }),
        queries.invalidateQueries({ queryKey: ['sources', 'attention'] }),
        queries.invalidateQueries({ queryKey: ['sources', 'grants'] }),
      ]),
  })
  const { data: receipt } = removal
  const which = `${connection.title}, ${connection.name}`
  const isOff = connection.state === 'not configured'
  if (receipt !== undefined)
    return (
      <Dialog open onClose={() => onClose(true)} title={isOff ? messages.removed : messages.disconnected} about={which}>
        <Receipt receipt={receipt} hasForgotten={removal.variables.forget} />
        <DialogActions>
          <Button look="primary" onClick={() => onClose(true)}>
            {uiMessages.done}
          </Button>
        </DialogActions>
      </Dialog>
    )
  return (
    <Dialog
      open
      onClose={() => onClose(false)}
      title={isOff ? messages.removeTitle(which) : messages.disconnectTitle(which)}
      about={isOff ? messages.removeAbout : messages.disconnectDialogAbout}
    >
      <Choice
        connection={connection}
        isBusy={removal.isPending}
        error={removal.error}
        onChoose={removal.mutate}
        onCancel={() => onClose(false)}
      />
    </Dialog>
  )
}

interface RemovalChoice {
  readonly forget: boolean
  readonly revoke: boolean
}

interface ChoiceProps {
  readonly connection: Connection
  readonly isBusy: boolean
  readonly error: Error | null
  readonly onChoose: (choice: RemovalChoice) => void
  readonly onCancel: () => void
}

function Choice({ connection, isBusy, error, onChoose, onCancel }: ChoiceProps) {
  const { id, items, name, removing, access } = connection
  const isOff = connection.state === 'not configured'
  const verb = isOff ? messages.remove : messages.disconnect
  const [forget, setForget] = useState(removing)
  const [typed, setTyped] = useState('')
  const [revoke, setRevoke] = useState(false)
  const isConfirmed = !forget || typed.trim() === name
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isConfirmed) onChoose({ forget, revoke })
      }}
      className="flex flex-col gap-5"
    >
      <KeepOrDeleteChoice connection={connection} forget={forget} onForget={setForget} disabled={isBusy} />
      {forget && (
        <TextField
          label={messages.typeNameToDelete(name)}
          value={typed}
          onValue={setTyped}
          autoComplete="off"
          spellCheck={false}
          disabled={isBusy}
        />
      )}
      {access.grant !== null && (
        <RevokeSwitch
          id={id}
          grantId={access.grant.id}
          title={access.grant.title}
          checked={revoke}
          onChecked={setRevoke}
        />
      )}
      {error !== null && <SourceProblemNote error={error} />}
      <p aria-live="polite" className="text-soft text-sm empty:hidden">
        {isBusy && forget ? messages.deletingItems(items) : ''}
      </p>
      <DialogActions>
        <Button onClick={onCancel}>{uiMessages.cancel}</Button>
        <Button look="danger" type="submit" busy={isBusy} disabled={!isConfirmed}>
          {forget ? messages.confirmWithDelete(verb) : verb}
        </Button>
      </DialogActions>
    </form>
  )
}

interface KeepOrDeleteChoiceProps {
  readonly connection: Connection
  readonly forget: boolean
  readonly onForget: (forget: boolean) => void
  readonly disabled: boolean
}

function KeepOrDeleteChoice({ connection, forget, onForget, disabled }: KeepOrDeleteChoiceProps) {
  const { items, removing, state } = connection
  const held = messages.itemCount(items)
  const later = state === 'not configured' ? messages.removeLater : messages.disconnectLater
  return (
    <fieldset className="flex flex-col gap-2" disabled={disabled}>
      <legend className="mb-2 text-sm font-medium">{messages.keepOrDelete}</legend>
      {!removing && (
        <RadioCard
          name="forget"
          checked={!forget}
          onChoose={() => onForget(false)}
          title={messages.keepItems}
          about={messages.keepItemsAbout(held, later)}
        />
      )}
      <RadioCard
        name="forget"
        checked={forget}
        onChoose={() => onForget(true)}
        title={messages.deleteItems}
        about={messages.deleteItemsAbout(held)}
      />
    </fieldset>
  )
}

interface RevokeSwitchProps {
  readonly id: string
  readonly grantId: string
  readonly title: string
  readonly checked: boolean
  readonly onChecked: (checked: boolean) => void
}

/** A grant used by other connections can't be revoked here. */
function RevokeSwitch({ id, grantId, title, checked, onChecked }: RevokeSwitchProps) {
  const { data } = useQuery(GRANTS_QUERY)
  const grant = data?.grants.find((one) => one.id === grantId)
  if (grant === undefined) return null
  const others = grant.connections.filter((other) => other !== id)
  const about = others.length === 0 ? messages.revokeAboutAccount(title) : messages.revokeInUse(others.join(', '))
  return (
    <SwitchField
      label={messages.revokeAtProvider(grant.provider_title)}
      about={about}
      checked={checked && others.length === 0}
      onChecked={onChecked}
      disabled={others.length > 0}
    />
  )
}

function Receipt({ receipt, hasForgotten }: { readonly receipt: RemoveAnswer; readonly hasForgotten: boolean }) {
  return (
    <div role="status" className="flex flex-col gap-1 text-sm">
      <p>{hasForgotten ? messages.deletedReceipt(receipt.forgotten) : messages.keptReceipt}</p>
      {receipt.revoked && <p>{messages.revokedAtTheProvider}</p>}
    </div>
  )
}
