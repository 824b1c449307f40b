import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import type { AccessDecision, AccessRequest, RequestEnd } from '../../../http/app/schemas/agents.ts'
import type { SignedIn } from '../../../http/app/schemas/session.ts'
import { call } from '../../api/call.ts'
import { useSendOnce } from '../../api/use-send-once.ts'
import { Button } from '../../ui/button.tsx'
import { Note, ProblemNote, Skeleton } from '../../ui/notices.tsx'
import { RadioCard } from '../../ui/radio-card.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { type Access, SOME_ACCESS, SourceChoice, selectedSources } from '../keys/source-choice.tsx'
import { SignInFrame } from '../sign-in/sign-in-frame.tsx'
import { messages } from './messages.ts'

/** The consent page: whether an agent gets access, to which sources, and for how long. */
export function ConnectAgentPage({ session }: { readonly session: SignedIn }) {
  const [location] = useLocation()
  const id = location.split('/')[2] ?? ''
  const { data, error } = useQuery({
    queryKey: ['agent-request', id],
    queryFn: ({ signal }) => call('GET /agents/requests/:id', { params: { id }, signal }),
    retry: false,
  })
  if (error !== null)
    return (
      <SignInFrame title={messages.connectAgent}>
        <ProblemNote error={error} />
      </SignInFrame>
    )
  if (data === undefined)
    return (
      <SignInFrame title={messages.connectAgent}>
        <Skeleton lines={4} label={messages.loading} />
      </SignInFrame>
    )
  return <Question id={id} request={data} session={session} />
}

interface QuestionProps {
  readonly id: string
  readonly request: AccessRequest
  readonly session: SignedIn
}

function Question({ id, request, session }: QuestionProps) {
  const name = shownText(request.name)
  const owned = session.accounts.filter(({ role }) => role === 'owner')
  const answer = useMutation({
    mutationFn: (decision: AccessDecision | undefined) => sendAnswer(id, decision),
    // The authorization server redirects to the agent.
    onSuccess: ({ path }) => window.location.assign(path),
  })
  const send = useSendOnce(answer)
  return (
    <SignInFrame title={messages.title(name)} about={<Facts request={request} name={name} />}>
      {owned.length === 0 ? (
        <>
          <Note tone="warn">{messages.notOwner}</Note>
          <Button onClick={() => send(undefined)}>{messages.deny}</Button>
        </>
      ) : (
        <DecisionForm
          mayWrite={request.may_write}
          accounts={owned}
          preferred={session.account.id}
          isBusy={answer.isPending || answer.isSuccess}
          onDecision={send}
        />
      )}
      {answer.isSuccess && (
        <p role="status" className="text-soft text-sm">
          {messages.continuing}
        </p>
      )}
      {answer.error !== null && <ProblemNote error={answer.error} />}
    </SignInFrame>
  )
}

function Facts({ request, name }: { readonly request: AccessRequest; readonly name: string }) {
  const { kind, name: place } = request.returns_to
  return (
    <div className="flex flex-col gap-2">
      <p>
        {messages.about(name)} {request.host === null ? messages.unverified : messages.fromHost(request.host)}
      </p>
      <p>{messages.returnsTo[kind](shownText(place))}</p>
    </div>
  )
}

function DecisionForm({
  mayWrite,
  accounts,
  preferred,
  isBusy,
  onDecision,
}: {
  readonly mayWrite: boolean
  readonly accounts: SignedIn['accounts']
  readonly preferred: string
  readonly isBusy: boolean
  readonly onDecision: (decision: AccessDecision | undefined) => void
}) {
  const [accountId, setAccountId] = useState((accounts.find(({ id }) => id === preferred) ?? accounts[0])?.id ?? '')
  const [sources, setSources] = useState<Access>({ kind: 'all', chosen: new Set() })
  const [access, setAccess] = useState<AccessDecision['access']>('read')
  const [days, setDays] = useState('90')
  const isIncomplete = sources.kind === 'some' && sources.chosen.size === 0
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isIncomplete || isBusy) return
    const chosen = selectedSources(sources)
    onDecision({ account_id: accountId, sources: chosen, access, days: days === '' ? null : Number(days) })
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-5">
      {accounts.length > 1 && (
        <SelectField
          label={messages.account}
          value={accountId}
          onValue={setAccountId}
          options={accounts.map(({ id, name }) => ({ value: id, label: shownText(name) }))}
        />
      )}
      <SourceChoice access={sources} onAccess={setSources} kinds={SOME_ACCESS} />
      {mayWrite && <RightsChoice access={access} onAccess={setAccess} />}
      <SelectField
        label={messages.until}
        about={messages.untilAbout}
        value={days}
        onValue={setDays}
        options={messages.days}
      />
      <div className="flex flex-wrap justify-end gap-2">
        <Button disabled={isBusy} onClick={() => onDecision(undefined)}>
          {messages.deny}
        </Button>
        <Button look="primary" type="submit" busy={isBusy} disabled={isIncomplete}>
          {messages.allow}
        </Button>
      </div>
    </form>
  )
}

function RightsChoice({
  access,
  onAccess,
}: {
  readonly access: AccessDecision['access']
  readonly onAccess: (access: AccessDecision['access']) => void
}) {
  const choices = [
    { value: 'read', title: messages.read, about: messages.readAbout },
    { value: 'write', title: messages.write, about: messages.writeAbout },
  ] as const
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 text-sm font-medium">{messages.mayDo}</legend>
      {choices.map(({ value, title, about }) => (
        <RadioCard
          key={value}
          name="may-do"
          title={title}
          about={about}
          checked={access === value}
          onChoose={() => onAccess(value)}
        />
      ))}
    </fieldset>
  )
}

/** @param decision absent: access is denied */
function sendAnswer(id: string, decision: AccessDecision | undefined): Promise<RequestEnd> {
  const params = { id }
  if (decision === undefined) return call('POST /agents/requests/:id/deny', { params })
  return call('POST /agents/requests/:id/allow', { params, body: decision })
}
