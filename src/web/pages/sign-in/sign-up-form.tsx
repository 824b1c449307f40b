import { type FormEvent, useState } from 'react'
import type { LinkUse, Session } from '../../../http/app/schemas/session.ts'
import { call } from '../../api/call.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { ProblemNote } from '../../ui/notices.tsx'
import { PasswordField } from './password-field.tsx'
import { useEnter } from './use-enter.ts'

/** Name, login and password of somebody who is new. */
export function SignUpForm({
  token,
  login: invited,
  onDone,
}: {
  readonly token: string
  readonly login: string
  readonly onDone: () => void
}) {
  const [name, setName] = useState('')
  const [login, setLogin] = useState(invited)
  const [password, setPassword] = useState('')
  const enter = useEnter((body: LinkUse) => call<Session>('/sign-in/link', { method: 'POST', body }), onDone)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    enter.mutate({ token, name, login, password })
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <TextField
        label="Your name"
        about="As others see it."
        value={name}
        onValue={setName}
        autoComplete="name"
        autoFocus
        required
        maxLength={200}
      />
      <TextField
        label="E-mail or name to sign in with"
        value={login}
        onValue={setLogin}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        maxLength={200}
      />
      <PasswordField label="Password" value={password} onValue={setPassword} />
      {enter.error !== null && <ProblemNote error={enter.error} />}
      <Button type="submit" look="primary" busy={enter.isPending}>
        Sign up
      </Button>
    </form>
  )
}
