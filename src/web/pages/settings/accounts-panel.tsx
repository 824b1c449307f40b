import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { AccountList } from '../../../http/app/schemas/people.ts'
import { call } from '../../api/call.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/card.tsx'
import { TextField } from '../../ui/field.tsx'
import { formatDay, formatNoun } from '../../ui/formats.ts'
import { ProblemNote, Skeleton } from '../../ui/notices.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { useTell } from '../../ui/toasts.tsx'

/** All accounts of this server, and a way to make one. */
export function AccountsPanel() {
  const { data, error, refetch } = useQuery({
    queryKey: ['people', 'accounts'],
    queryFn: () => call<AccountList>('/accounts'),
  })
  return (
    <Panel
      title="Accounts of this server"
      about="Each is a memory of its own, with its own people and keys. Nobody sees into another one, administrators neither."
    >
      {error !== null && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton />}
      {data !== undefined && (
        <ul aria-label="Accounts" className="divide-line -mx-5 divide-y">
          {data.accounts.map((account) => (
            <li key={account.id} className="flex flex-wrap justify-between gap-x-6 gap-y-1 px-5 py-3 text-sm">
              <bdi className="min-w-0 font-medium [overflow-wrap:anywhere]">{shownText(account.name)}</bdi>
              <span className="text-soft">
                {formatNoun(account.people, 'person', 'people')}, since {formatDay(account.created_at)}
              </span>
            </li>
          ))}
        </ul>
      )}
      <NewAccountForm />
    </Panel>
  )
}

function NewAccountForm() {
  const queries = useQueryClient()
  const tell = useTell()
  const [name, setName] = useState('')
  const make = useMutation({
    mutationFn: () => call('/accounts', { method: 'POST', body: { name } }),
    onSuccess: () => {
      tell(`${name} was made`, 'You are its owner; switch to it in the menu with your name.')
      setName('')
      void queries.invalidateQueries({ queryKey: ['people'] })
      void queries.invalidateQueries({ queryKey: ['session'] })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    make.mutate()
  }
  return (
    <form onSubmit={submit} className="border-line -mx-5 mt-1 flex flex-col gap-3 border-t px-5 pt-4">
      <div className="flex flex-wrap items-end gap-3">
        <TextField
          label="New account"
          value={name}
          onValue={setName}
          required
          maxLength={200}
          className="min-w-0 flex-1 basis-60"
        />
        <Button type="submit" busy={make.isPending} disabled={name.trim() === ''}>
          Make account
        </Button>
      </div>
      {make.error !== null && <ProblemNote error={make.error} />}
    </form>
  )
}
