import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '../../api/call.ts'
import { useViewer } from '../../shell/use-session.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/card.tsx'
import { TextField } from '../../ui/field.tsx'
import { ProblemNote } from '../../ui/notices.tsx'
import { useTell } from '../../ui/toasts.tsx'
import { PasswordField } from '../sign-in/password-field.tsx'

/** Changes the password, or sets the first one of somebody who came in another way. */
export function PasswordPanel({ hasPassword }: { readonly hasPassword: boolean }) {
  const { person } = useViewer()
  const queries = useQueryClient()
  const tell = useTell()
  const [old, setOld] = useState('')
  const [password, setPassword] = useState('')
  const change = useMutation({
    mutationFn: () =>
      call('/security/password', { method: 'PUT', body: { password, ...(hasPassword && { old_password: old }) } }),
    onSuccess: () => {
      setOld('')
      setPassword('')
      tell('Your password was changed', 'You are signed out everywhere but here.')
      void queries.invalidateQueries({ queryKey: ['people', 'security'] })
    },
    gcTime: 0,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate()
  }
  return (
    <Panel title="Password" about="A new one signs you out everywhere but here.">
      <form onSubmit={submit} className="flex max-w-md flex-col gap-4">
        <input type="text" autoComplete="username" value={person.login} readOnly hidden />
        {hasPassword && (
          <TextField
            label="Old password"
            type="password"
            value={old}
            onValue={setOld}
            autoComplete="current-password"
            required
          />
        )}
        <PasswordField label="New password" value={password} onValue={setPassword} />
        {change.error !== null && <ProblemNote error={change.error} />}
        <Button type="submit" busy={change.isPending} className="self-start">
          {hasPassword ? 'Change password' : 'Set a password'}
        </Button>
      </form>
    </Panel>
  )
}
