import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import type { NewKey, ShownKey } from '../../../http/app/schemas/keys.ts'
import { CallError } from '../../api/call.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { ProblemNote } from '../../ui/notices.tsx'
import { createKey } from './key-calls.ts'
import { type Access, SourceChoice } from './source-choice.tsx'

/** Asks for the name of a new key and what it may reach. */
export function CreateKeyDialog({
  onClose,
  onCreated,
}: {
  readonly onClose: () => void
  readonly onCreated: (key: ShownKey) => void
}) {
  const [name, setName] = useState('')
  const [access, setAccess] = useState<Access>({ kind: 'all', chosen: new Set() })
  // Nothing of the answer is kept once the dialog is gone: it holds the key.
  const create = useMutation({ mutationFn: createKey, onSuccess: onCreated, gcTime: 0 })
  const { error } = create
  const isIncomplete = name.trim() === '' || (access.kind === 'some' && access.chosen.size === 0)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isIncomplete) create.mutate({ name: name.trim(), sources: sourcesOf(access) })
  }
  return (
    <Dialog open onClose={onClose} title="New key" about="Its value is shown once, when it is made.">
      <form onSubmit={submit} className="flex flex-col gap-5">
        <TextField
          label="Name"
          about="The agent or program that uses it, such as cursor-laptop."
          value={name}
          onValue={setName}
          autoFocus
          autoComplete="off"
          maxLength={200}
          required
        />
        <SourceChoice access={access} onAccess={setAccess} />
        {error !== null && <Refusal error={error} />}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" busy={create.isPending} disabled={isIncomplete}>
            Create key
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function sourcesOf({ kind, chosen }: Access): NewKey['sources'] {
  if (kind === 'all') return 'all'
  return kind === 'none' ? [] : [...chosen]
}

/** A billing account is missing, or something else is in the way. */
function Refusal({ error }: { readonly error: Error }) {
  if (!(error instanceof CallError) || error.status !== 402) return <ProblemNote error={error} />
  return (
    <div role="alert" className="bg-warn-soft text-warn flex flex-wrap items-center gap-3 rounded-lg px-4 py-3 text-sm">
      <span className="flex-1">
        Further keys need a billing account that is in order. This server charges nothing for it.
      </span>
      <Link href="/usage?plan=change" className={buttonClass('secondary', 'small')}>
        Choose a plan
      </Link>
    </div>
  )
}
