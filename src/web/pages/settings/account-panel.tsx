import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useMemo, useState } from 'react'
import { Link } from 'wouter'
import { call } from '../../api/call.ts'
import { refetchShown } from '../../api/refetching.ts'
import { useViewer } from '../../shell/use-session.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/card.tsx'
import { TextField } from '../../ui/field.tsx'
import { Note, ProblemNote } from '../../ui/notices.tsx'
import { SearchSelectField } from '../../ui/search-select-field.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { useToast } from '../../ui/toasts.tsx'
import { AccountDataPanel } from './account-data-panel.tsx'
import { messages } from './messages.ts'

/** Name, time zone and data of the account. */
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
      title={messages.tabAccount}
      about={
        <>
          {messages.accountAbout}{' '}
          <Link href="/settings/security" className="text-accent underline">
            {messages.tabSecurity}
          </Link>
        </>
      }
    >
      {account.role === 'owner' ? (
        <AccountForm key={account.id} />
      ) : (
        <div className="flex flex-col gap-4">
          <dl className="grid gap-x-6 gap-y-2 text-sm sm:grid-cols-[8rem_1fr]">
            <dt className="text-soft">{messages.name}</dt>
            <dd>
              <bdi>{shownText(account.name)}</bdi>
            </dd>
            <dt className="text-soft">{messages.timeZone}</dt>
            <dd>{account.time_zone}</dd>
          </dl>
          <Note>{messages.ownersCanChange}</Note>
        </div>
      )}
    </Panel>
  )
}

function AccountForm() {
  const { account } = useViewer()
  const queries = useQueryClient()
  const toast = useToast()
  const [name, setName] = useState(account.name)
  const [timeZone, setTimeZone] = useState(account.time_zone)
  const change = {
    ...(name.trim() !== account.name && { name }),
    ...(timeZone !== account.time_zone && { time_zone: timeZone }),
  }
  const save = useMutation({
    mutationFn: () => call('PATCH /account', { body: change }),
    onSuccess: async () => {
      await refetchShown(queries, ['session'])
      toast(messages.accountSaved)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <form onSubmit={submit} className="flex max-w-lg flex-col gap-5">
      <TextField label={messages.name} value={name} onValue={setName} required maxLength={200} autoComplete="off" />
      <TimeZoneField value={timeZone} onValue={setTimeZone} />
      {save.error !== null && <ProblemNote error={save.error} />}
      <Button
        type="submit"
        look="primary"
        className="self-start"
        busy={save.isPending}
        disabled={name.trim() === '' || Object.keys(change).length === 0}
      >
        {messages.save}
      </Button>
    </form>
  )
}

function TimeZoneField({ value, onValue }: { readonly value: string; readonly onValue: (value: string) => void }) {
  const zones = useMemo(() => [...new Set([value, 'UTC', ...Intl.supportedValuesOf('timeZone')])].sort(), [value])
  const browser = Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <SearchSelectField
      label={messages.timeZone}
      about={
        <>
          {messages.timeZoneAbout}
          {browser !== value && (
            <>
              {' '}
              <button type="button" className="text-accent underline" onClick={() => onValue(browser)}>
                {messages.browserTimeZone(browser)}
              </button>
            </>
          )}
        </>
      }
      value={value}
      onValue={onValue}
      options={zones}
      nothing={messages.noTimeZone}
    />
  )
}
