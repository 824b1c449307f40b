import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { NewInvitation, ShownLink } from '../../../http/app/schemas/people.ts'
import { call } from '../../api/call.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { formatTime } from '../../ui/formats.ts'
import { ProblemNote } from '../../ui/notices.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { shownText } from '../../ui/source-text.tsx'

/** Asks who is invited, and to what. */
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
  const [place, setPlace] = useState('member')
  const invite = useMutation({
    mutationFn: (body: NewInvitation) => call<ShownLink>('/people/invitations', { method: 'POST', body }),
    onSuccess: (link) => {
      void queries.invalidateQueries({ queryKey: ['people'] })
      onInvited(link)
    },
    gcTime: 0,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const role = place === 'member' ? 'member' : 'owner'
    const who = login.trim() === '' ? {} : { login: login.trim() }
    invite.mutate({ role, ...who, ...(place === 'own' && { own_account: true }) })
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="Invite somebody"
      about="You get a link to give to them; recalld sends no mail."
    >
      <form onSubmit={submit} className="flex flex-col gap-5">
        <PlaceField account={shownText(accountName)} isAdmin={isAdmin} value={place} onValue={setPlace} />
        <TextField
          label="E-mail or name (optional)"
          about="Filled in for them. With sign-in by a provider, they are known by this e-mail address."
          value={login}
          onValue={setLogin}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={200}
        />
        {invite.error !== null && <ProblemNote error={invite.error} />}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={invite.isPending}>
            Make the link
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function PlaceField({
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
      label="What they get"
      value={value}
      onValue={onValue}
      options={[
        { value: 'member', label: `Member of ${account}` },
        { value: 'owner', label: `Owner of ${account}` },
        ...(isAdmin ? [{ value: 'own', label: 'A memory of their own, apart from all others' }] : []),
      ]}
    />
  )
}

/** A link that works once, and is shown once. */
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
    <Dialog
      open
      insistent
      onClose={onClose}
      title={title}
      about="Give this link to the person, and to nobody else: whoever opens it first comes in by it. It is shown this once."
    >
      <p className="bg-raised rounded-lg p-3.5 font-mono text-[0.8125rem] break-all select-all">{link}</p>
      <p className="text-soft mt-2 text-[0.8125rem]">It works once, until {formatTime(expires_at)}.</p>
      <DialogActions>
        <CopyButton text={link} label="Copy the link" size="normal" look="primary" />
        <Button onClick={onClose}>Done</Button>
      </DialogActions>
    </Dialog>
  )
}
