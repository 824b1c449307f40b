import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { NewInvitation, ShownLink } from '../../../http/app/schemas/people.ts'
import { call } from '../../api/call.ts'
import { useSendOnce } from '../../api/use-send-once.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { uiMessages } from '../../ui/messages.ts'
import { ProblemNote } from '../../ui/notices.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { messages } from './messages.ts'

/** Asks for the person and the role of an invitation. */
export function InviteDialog({
  isAdmin,
  accountName,
  onClose,
  onInvited,
}: {
  readonly isAdmin: boolean
  readonly accountName: string
  readonly onClose: () => void
  readonly onInvited: (link: ShownLink) => void
}) {
  const queries = useQueryClient()
  const [login, setLogin] = useState('')
  const [access, setAccess] = useState('member')
  const invite = useMutation({
    mutationFn: (body: NewInvitation) => call('POST /people/invitations', { body }),
    onSuccess: (link) => {
      void queries.invalidateQueries({ queryKey: ['people'] })
      onInvited(link)
    },
    gcTime: 0,
  })
  const send = useSendOnce(invite)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const role = access === 'member' ? 'member' : 'owner'
    const who = login.trim() === '' ? {} : { login: login.trim() }
    send({ role, ...who, ...(access === 'own' && { own_account: true }) })
  }
  return (
    <Dialog open onClose={onClose} title={messages.inviteTitle} about={messages.inviteAbout}>
      <form onSubmit={submit} className="flex flex-col gap-5">
        <AccessField account={shownText(accountName)} isAdmin={isAdmin} value={access} onValue={setAccess} />
        <TextField
          label={messages.loginOptional}
          about={messages.loginAbout}
          value={login}
          onValue={setLogin}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={200}
        />
        {invite.error !== null && <ProblemNote error={invite.error} />}
        <DialogActions>
          <Button onClick={onClose}>{uiMessages.cancel}</Button>
          <Button type="submit" look="primary" busy={invite.isPending}>
            {messages.createLink}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function AccessField({
  account,
  isAdmin,
  value,
  onValue,
}: {
  readonly account: string
  readonly isAdmin: boolean
  readonly value: string
  readonly onValue: (value: string) => void
}) {
  return (
    <SelectField
      label={messages.access}
      value={value}
      onValue={onValue}
      options={[
        { value: 'member', label: messages.memberOf(account) },
        { value: 'owner', label: messages.ownerOf(account) },
        ...(isAdmin ? [{ value: 'own', label: messages.separateMemory }] : []),
      ]}
    />
  )
}

/** A one-time link, which is shown only once. */
export function LinkDialog({
  title,
  link: { link, expires_at },
  onClose,
}: {
  readonly title: string
  readonly link: ShownLink
  readonly onClose: () => void
}) {
  return (
    <Dialog open insistent onClose={onClose} title={title} about={messages.linkAbout}>
      <p className="bg-raised rounded-lg p-3.5 font-mono text-[0.8125rem] break-all select-all">{link}</p>
      <p className="text-soft mt-2 text-[0.8125rem]">{messages.linkExpires(expires_at)}</p>
      <DialogActions>
        <CopyButton text={link} label={messages.copyLink} size="normal" look="primary" />
        <Button onClick={onClose}>{uiMessages.done}</Button>
      </DialogActions>
    </Dialog>
  )
}
