import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import type { NewKey, ShownKey } from '../../../http/app/schemas/keys.ts'
import { CallError, call } from '../../api/call.ts'
import { useSendOnce } from '../../api/use-send-once.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { uiMessages } from '../../ui/messages.ts'
import { ProblemNote } from '../../ui/notices.tsx'
import { messages } from './messages.ts'
import { type Access, SourceChoice, selectedSources } from './source-choice.tsx'

/** Asks for the name and access of a new key. */
export function CreateKeyDialog({
  onClose,
  onCreated,
}: {
  readonly onClose: () => void
  readonly onCreated: (key: ShownKey) => void
}) {
  const [name, setName] = useState('')
  const [access, setAccess] = useState<Access>({ kind: 'all', chosen: new Set() })
  // Don't cache the answer: it contains the key.
  const create = useMutation({ mutationFn: createKey, onSuccess: onCreated, gcTime: 0 })
  const send = useSendOnce(create)
  const { error } = create
  const isIncomplete = name.trim() === '' || (access.kind === 'some' && access.chosen.size === 0)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isIncomplete) send({ name: name.trim(), sources: selectedSources(access) })
  }
  return (
    <Dialog open onClose={onClose} title={messages.newKey} about={messages.newKeyAbout}>
      <form onSubmit={submit} className="flex flex-col gap-5">
        <TextField
          label={messages.name}
          about={messages.nameAbout}
          value={name}
          onValue={setName}
          autoFocus
          autoComplete="off"
          maxLength={200}
          required
        />
        <SourceChoice access={access} onAccess={setAccess} note={messages.accessFixed} />
        {error !== null && <Refusal error={error} />}
        <DialogActions>
          <Button onClick={onClose}>{uiMessages.cancel}</Button>
          <Button look="primary" type="submit" busy={create.isPending} disabled={isIncomplete}>
            {messages.createKey}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** The error, or a link to the plans if billing is missing. */
function Refusal({ error }: { readonly error: Error }) {
  if (!(error instanceof CallError) || error.status !== 402) return <ProblemNote error={error} />
  return (
    <div role="alert" className="bg-warn-soft text-warn flex flex-wrap items-center gap-3 rounded-lg px-4 py-3 text-sm">
      <span className="flex-1">{messages.billingNeeded}</span>
      <Link href="/settings/usage?plan=change" className={buttonClass('secondary', 'small')}>
        {messages.choosePlan}
      </Link>
    </div>
  )
}

function createKey(key: NewKey): Promise<ShownKey> {
  return call('POST /keys', { body: key })
}
