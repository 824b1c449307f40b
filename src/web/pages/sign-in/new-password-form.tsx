import { type FormEvent, useState } from 'react'
import type { LinkUse, Session } from '../../../http/app/schemas/session.ts'
import { call } from '../../api/call.ts'
import { Button } from '../../ui/button.tsx'
import { ProblemNote } from '../../ui/notices.tsx'
import { PasswordField } from './password-field.tsx'
import { useEnter } from './use-enter.ts'

/** For a password that was forgotten. */
export function NewPasswordForm({
  token,
  login,
  onDone,
}: {
  readonly token: string
  readonly login: string
  readonly onDone: () => void
}) {
  const [password, setPassword] = useState('')
  const enter = useEnter((body: LinkUse) => call<Session>('/sign-in/link', { method: 'POST', body }), onDone)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    enter.mutate({ token, password })
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      {/* For the password manager of the browser, which keeps it under this name. */}
      <input type="text" autoComplete="username" value={login} readOnly hidden />
      <PasswordField label="New password" value={password} onValue={setPassword} autoFocus />
      {enter.error !== null && <ProblemNote error={enter.error} />}
      <Button type="submit" look="primary" busy={enter.isPending}>
        Set the password and sign in
      </Button>
    </form>
  )
}
