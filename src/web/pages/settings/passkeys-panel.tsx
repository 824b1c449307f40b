import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { PasskeyInfo } from '../../../http/app/schemas/session.ts'
import { call } from '../../api/call.ts'
import { refetchShown } from '../../api/refetching.ts'
import { useSendOnce } from '../../api/use-send-once.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/card.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { focusIfLost } from '../../ui/focus.ts'
import { uiMessages } from '../../ui/messages.ts'
import { Note, ProblemNote } from '../../ui/notices.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'
import { useToast } from '../../ui/toasts.tsx'
import { passkeySupport } from '../sign-in/passkey-support.ts'
import { messages } from './messages.ts'

const SECURITY = ['people', 'security']

/** The person's passkeys: add, list, remove. */
export function PasskeysPanel({ passkeys }: { readonly passkeys: readonly PasskeyInfo[] }) {
  const support = passkeySupport()
  const content = useRef<HTMLFieldSetElement>(null)
  const [removing, setRemoving] = useState<PasskeyInfo>()
  const isRemoving = removing !== undefined
  useEffect(() => (isRemoving ? () => focusIfLost(content.current) : undefined), [isRemoving])
  return (
    <Panel title={messages.passkeys} about={messages.passkeysAbout}>
      <fieldset
        ref={content}
        tabIndex={-1}
        aria-label={messages.passkeys}
        className="flex min-w-0 flex-col gap-4 outline-none"
      >
        {passkeys.length > 0 && (
          <ul className="divide-line border-line -mx-5 divide-y border-b">
            {passkeys.map((passkey) => (
              <PasskeyRow key={passkey.id} passkey={passkey} onRemove={() => setRemoving(passkey)} />
            ))}
          </ul>
        )}
        {support.works ? (
          <AddPasskey />
        ) : (
          <Note>
            {messages.passkeysUnsupported}{' '}
            {support.url === undefined ? (
              messages.useHostName
            ) : (
              <>
                {messages.open} <a href={support.url}>{support.url}</a> {messages.signInThere}
              </>
            )}
          </Note>
        )}
      </fieldset>
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
          {messages.passkeyFacts(passkey.host, passkey.created_at)},{' '}
          {passkey.used_at === null ? (
            messages.neverUsed
          ) : (
            <>
              {messages.used} <TimeAgo time={passkey.used_at} />
            </>
          )}
        </p>
      </div>
      <Button size="small" look="danger" aria-label={messages.removePasskey(name)} onClick={onRemove}>
        {messages.remove}
      </Button>
    </li>
  )
}

function AddPasskey() {
  const queries = useQueryClient()
  const toast = useToast()
  const [name, setName] = useState('')
  const add = useMutation({
    mutationFn: () => makePasskey(name),
    onSuccess: () => {
      setName('')
      toast(messages.passkeyAdded)
      void queries.invalidateQueries({ queryKey: SECURITY })
    },
  })
  const send = useSendOnce(add)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send()
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-end gap-3">
        <TextField
          label={messages.passkeyName}
          placeholder={messages.passkeyNameExample}
          value={name}
          onValue={setName}
          autoComplete="off"
          required
          maxLength={200}
          className="min-w-0 flex-1 basis-60"
        />
        <Button type="submit" busy={add.isPending} disabled={name.trim() === ''}>
          {messages.addPasskey}
        </Button>
      </div>
      {add.error !== null && <ProblemNote error={add.error} />}
    </form>
  )
}

async function makePasskey(name: string): Promise<void> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  const optionsJSON = await call('POST /security/passkeys/options')
  const response = await startRegistration({ optionsJSON }).catch((error: unknown) => {
    const reason = error instanceof Error ? error.name : ''
    if (reason === 'InvalidStateError') throw new Error(messages.passkeyExists)
    throw reason === 'NotAllowedError' ? new Error(messages.passkeyCancelled) : error
  })
  await call('POST /security/passkeys', { body: { name, response } })
}

function RemovePasskeyDialog({ passkey, onClose }: { readonly passkey: PasskeyInfo; readonly onClose: () => void }) {
  const queries = useQueryClient()
  const toast = useToast()
  const name = shownText(passkey.name)
  const remove = useMutation({
    mutationFn: () => call('DELETE /security/passkeys/:id', { params: { id: passkey.id } }),
    onSuccess: async () => {
      // Close first, so that the focus does not return to a removed button.
      await refetchShown(queries, ['people', 'security'])
      onClose()
      toast(messages.passkeyRemoved(name), messages.removeFromDevice)
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={messages.removePasskeyTitle(name)}
      about={messages.removePasskeyAbout(passkey.host)}
    >
      {remove.error !== null && <ProblemNote error={remove.error} />}
      <DialogActions>
        <Button onClick={onClose}>{uiMessages.cancel}</Button>
        <Button look="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
          {messages.remove}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
