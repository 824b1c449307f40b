import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Connection, RemoveAnswer } from '../../../http/app/schemas/sources.ts'
import { call } from '../../api/call.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { formatCount, formatNoun } from '../../ui/formats.ts'
import { ProblemNote } from '../../ui/notices.tsx'
import { RadioCard } from '../../ui/radio-card.tsx'
import { SwitchField } from '../../ui/switch-field.tsx'
import { GRANTS_QUERY, pathOf } from './source-calls.ts'

export interface DisconnectDialogProps {
  readonly connection: Connection
  /** @param isGone whether it was disconnected */
  readonly onClose: (isGone: boolean) => void
}

/** Asks what becomes of what a connection brought, disconnects it, and says what was forgotten. */
export function DisconnectDialog({ connection, onClose }: DisconnectDialogProps) {
  const queries = useQueryClient()
  const removal = useMutation({
    mutationFn: (choice: RemovalChoice) =>
      call<RemoveAnswer>(pathOf(connection), { method: 'DELETE', query: { ...choice } }),
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['sources', 'list'] }),
        queries.invalidateQueries({ queryKey: ['sources', 'grants'] }),
      ]),
  })
  const { data: receipt } = removal
  const which = `${connection.title}, ${connection.name}`
  const isOff = connection.state === 'not configured'
  if (receipt !== undefined)
    return (
      <Dialog open onClose={() => onClose(true)} title={isOff ? 'Removed' : 'Disconnected'} about={which}>
        <Receipt receipt={receipt} hasForgotten={removal.variables.forget} />
        <DialogActions>
          <Button look="primary" onClick={() => onClose(true)}>
            Done
          </Button>
        </DialogActions>
      </Dialog>
    )
  return (
    <Dialog
      open
      onClose={() => onClose(false)}
      title={isOff ? `Remove ${which}?` : `Disconnect ${which}?`}
      about={isOff ? 'It is not read any more; what it brought is still here.' : 'It is not read any more.'}
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
  const verb = isOff ? 'Remove' : 'Disconnect'
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
      <WhatBecomes connection={connection} forget={forget} onForget={setForget} disabled={isBusy} />
      {forget && (
        <TextField
          label={`Type ${name} to forget what it brought`}
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
      {error !== null && <ProblemNote error={error} />}
      <p aria-live="polite" className="text-soft text-sm empty:hidden">
        {isBusy && forget ? `Forgetting ${formatNoun(items, 'item')}; this can take a while.` : ''}
      </p>
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button look="danger" type="submit" busy={isBusy} disabled={!isConfirmed}>
          {forget ? `${verb} and forget` : verb}
        </Button>
      </DialogActions>
    </form>
  )
}

interface WhatBecomesProps {
  readonly connection: Connection
  readonly forget: boolean
  readonly onForget: (forget: boolean) => void
  readonly disabled: boolean
}

function WhatBecomes({ connection, forget, onForget, disabled }: WhatBecomesProps) {
  const { items, removing, state } = connection
  const held = formatNoun(items, 'item')
  const later =
    state === 'not configured'
      ? 'It leaves the list of sources, and is read from its beginning when you connect it again.'
      : 'When you connect it again under this name, reading goes on from here.'
  return (
    <fieldset className="flex flex-col gap-2" disabled={disabled}>
      <legend className="mb-2 text-sm font-medium">What becomes of what it brought?</legend>
      {!removing && (
        <RadioCard
          name="forget"
          checked={!forget}
          onChoose={() => onForget(false)}
          title="Keep it"
          about={`${held} and their memories stay. ${later}`}
        />
      )}
      <RadioCard
        name="forget"
        checked={forget}
        onChoose={() => onForget(true)}
        title="Forget it"
        about={`${held} and every memory made from them are removed for good. At the source nothing changes.`}
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

/** A grant that other connections are read by stays: they would stop. */
function RevokeSwitch({ id, grantId, title, checked, onChecked }: RevokeSwitchProps) {
  const { data } = useQuery(GRANTS_QUERY)
  const grant = data?.grants.find((one) => one.id === grantId)
  if (grant === undefined) return null
  const others = grant.connections.filter((other) => other !== id)
  const about =
    others.length === 0
      ? `${title} has to sign in again before anything can be read with it.`
      : `Stays: it is also used by ${others.join(', ')}.`
  return (
    <SwitchField
      label={`Take back the access at ${grant.provider_title}`}
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
      <p>
        {hasForgotten ? (
          <>
            <strong>{formatCount(receipt.forgotten)}</strong>{' '}
            {receipt.forgotten === 1 ? 'item was forgotten' : 'items were forgotten'}, with every memory made from{' '}
            {receipt.forgotten === 1 ? 'it' : 'them'}.
          </>
        ) : (
          'Everything it brought is kept, and can be recalled as before.'
        )}
      </p>
      {receipt.revoked && <p>The access at the provider was taken back.</p>}
    </div>
  )
}
