import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useMemo, useState } from 'react'
import { Link } from 'wouter'
import { call } from '../../api/call.ts'
import { useViewer } from '../../shell/use-session.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/card.tsx'
import { TextField } from '../../ui/field.tsx'
import { Note, ProblemNote } from '../../ui/notices.tsx'
import { SearchSelectField } from '../../ui/search-select-field.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { useTell } from '../../ui/toasts.tsx'
import { AccountDataPanel } from './account-data-panel.tsx'

/** What the account is called, the time zone in which its days begin, and all of it to take away or to delete. */
export function AccountPanel() {
  const { account } = useViewer()
  return (
    <>
      <NamePanel />
      {account.role === 'owner' && <AccountDataPanel />}
    </>
  )
}

function NamePanel() {
  const { account } = useViewer()
  return (
    <Panel
      title="Account"
      about={
        <>
          Whose memory this is. Your own name is in{' '}
          <Link href="/settings/security" className="text-accent underline">
            Security
          </Link>
          .
        </>
      }
    >
      {account.role === 'owner' ? (
        <AccountForm key={account.id} />
      ) : (
        <div className="flex flex-col gap-4">
          <dl className="grid gap-x-6 gap-y-2 text-sm sm:grid-cols-[8rem_1fr]">
            <dt className="text-soft">Name</dt>
            <dd>
              <bdi>{shownText(account.name)}</bdi>
            </dd>
            <dt className="text-soft">Time zone</dt>
            <dd>{account.time_zone}</dd>
          </dl>
          <Note>Owners of the account can change this.</Note>
        </div>
      )}
    </Panel>
  )
}

function AccountForm() {
  const { account } = useViewer()
  const queries = useQueryClient()
  const tell = useTell()
  const [name, setName] = useState(account.name)
  const [timeZone, setTimeZone] = useState(account.time_zone)
  const change = {
    ...(name.trim() !== account.name && { name }),
    ...(timeZone !== account.time_zone && { time_zone: timeZone }),
  }
  const save = useMutation({
    mutationFn: () => call('/account', { method: 'PATCH', body: change }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['session'] })
      tell('The account was changed')
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <form onSubmit={submit} className="flex max-w-lg flex-col gap-5">
      <TextField label="Name" value={name} onValue={setName} required maxLength={200} autoComplete="off" />
      <TimeZoneField value={timeZone} onValue={setTimeZone} />
      {save.error !== null && <ProblemNote error={save.error} />}
      <Button
        type="submit"
        look="primary"
        className="self-start"
        busy={save.isPending}
        disabled={name.trim() === '' || Object.keys(change).length === 0}
      >
        Save
      </Button>
    </form>
  )
}

function TimeZoneField({ value, onValue }: { readonly value: string; readonly onValue: (value: string) => void }) {
  const zones = useMemo(() => [...new Set([value, 'UTC', ...Intl.supportedValuesOf('timeZone')])].sort(), [value])
  const browser = Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <SearchSelectField
      label="Time zone"
      about={
        <>
          What “yesterday” means in a question, and when a day of a budget begins.
          {browser !== value && (
            <>
              {' '}
              <button type="button" className="text-accent underline" onClick={() => onValue(browser)}>
                Use {browser}, as this browser
              </button>
            </>
          )}
        </>
      }
      value={value}
      onValue={onValue}
      options={zones}
      nothing="No time zone has this in its name; try a large city nearby."
    />
  )
}
