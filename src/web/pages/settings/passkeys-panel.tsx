import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { PasskeyInfo } from '../../../http/app/schemas/security.ts'
import { call } from '../../api/call.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/card.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { focusIfLost } from '../../ui/focus.ts'
import { formatDay } from '../../ui/formats.ts'
import { Note, ProblemNote } from '../../ui/notices.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'
import { useTell } from '../../ui/toasts.tsx'
import { passkeyPlace } from '../sign-in/passkey-support.ts'

const SECURITY = ['people', 'security']

/** Passkeys of the person: add with a name, see, remove. */
export function PasskeysPanel({ passkeys }: { readonly passkeys: readonly PasskeyInfo[] }) {
  const place = passkeyPlace()
  const content = useRef<HTMLElement>(null)
  const [removing, setRemoving] = useState<PasskeyInfo>()
  const isRemoving = removing !== undefined
  useEffect(() => (isRemoving ? () => focusIfLost(content.current) : undefined), [isRemoving])
  return (
    <Panel
      title="Passkeys"
      about="Sign in by your fingerprint, your face, or a security key, without a password. A passkey works at the host name where it was made."
    >
      <section ref={content} tabIndex={-1} aria-label="Passkeys" className="flex flex-col gap-4 outline-none">
        {passkeys.length > 0 && (
          <ul className="divide-line border-line -mx-5 divide-y border-b">
            {passkeys.map((passkey) => (
              <PasskeyRow key={passkey.id} passkey={passkey} onRemove={() => setRemoving(passkey)} />
            ))}
          </ul>
        )}
        {place.works ? (
          <AddPasskey />
        ) : (
          <Note>
            Browsers make no passkeys at this address.{' '}
            {place.url === undefined ? (
              'Open the app by a host name, over https.'
            ) : (
              <>
                Open <a href={place.url}>{place.url}</a> and sign in there to add one.
              </>
            )}
          </Note>
        )}
      </section>
      {removing !== undefined && <RemovePasskeyDialog passkey={removing} onClose={() => setRemoving(undefined)} />}
    </Panel>
  )
}

function PasskeyRow({ passkey, onRemove }: { readonly passkey: PasskeyInfo; readonly onRemove: () => void }) {
  const name = shownText(passkey.name)
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-5 py-3 text-sm">
      <div className="min-w-0">
        <bdi className="font-medium [overflow-wrap:anywhere]">{name}</bdi>
        <p className="text-soft text-[0.8125rem]">
          for {passkey.host}, added {formatDay(passkey.created_at)},{' '}
          {passkey.used_at === null ? (
            'not used yet'
          ) : (
            <>
              used <TimeAgo time={passkey.used_at} />
            </>
          )}
        </p>
      </div>
      <Button size="small" look="danger" aria-label={`Remove the passkey ${name}`} onClick={onRemove}>
        Remove
      </Button>
    </li>
  )
}

function AddPasskey() {
  const queries = useQueryClient()
  const tell = useTell()
  const [name, setName] = useState('')
  const add = useMutation({
    mutationFn: () => makePasskey(name),
    onSuccess: () => {
      setName('')
      tell('The passkey was added')
      void queries.invalidateQueries({ queryKey: SECURITY })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    add.mutate()
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-end gap-3">
        <TextField
          label="Name of the new passkey"
          placeholder="Laptop, phone, security key"
          value={name}
          onValue={setName}
          autoComplete="off"
          required
          maxLength={200}
          className="min-w-0 flex-1 basis-60"
        />
        <Button type="submit" busy={add.isPending} disabled={name.trim() === ''}>
          Add a passkey
        </Button>
      </div>
      {add.error !== null && <ProblemNote error={add.error} />}
    </form>
  )
}

async function makePasskey(name: string): Promise<void> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  const optionsJSON = await call<Parameters<typeof startRegistration>[0]['optionsJSON']>('/security/passkeys/options', {
    method: 'POST',
  })
  const response = await startRegistration({ optionsJSON }).catch((error: unknown) => {
    const reason = error instanceof Error ? error.name : ''
    if (reason === 'InvalidStateError') throw new Error('This device holds a passkey for you here already.')
    throw reason === 'NotAllowedError' ? new Error('No passkey was made. Try again when you are ready.') : error
  })
  await call('/security/passkeys', { method: 'POST', body: { name, response } })
}

function RemovePasskeyDialog({ passkey, onClose }: { readonly passkey: PasskeyInfo; readonly onClose: () => void }) {
  const queries = useQueryClient()
  const tell = useTell()
  const name = shownText(passkey.name)
  const remove = useMutation({
    mutationFn: () => call(`/security/passkeys/${encodeURIComponent(passkey.id)}`, { method: 'DELETE' }),
    onSuccess: async () => {
      // First, so that the focus does not go back to a button that is about to go.
      await queries.invalidateQueries({ queryKey: ['people', 'security'] })
      onClose()
      tell(`${name} was removed`, 'Remove it from your device or password manager as well.')
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Remove ${name}?`}
      about={`You cannot sign in with this passkey any more. It was made for ${passkey.host}.`}
    >
      {remove.error !== null && <ProblemNote error={remove.error} />}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
          Remove
        </Button>
      </DialogActions>
    </Dialog>
  )
}
