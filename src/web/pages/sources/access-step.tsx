import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Grant } from '../../../http/app/schemas/grants.ts'
import type { Connector } from '../../../http/app/schemas/sources.ts'
import { refetchShown } from '../../api/refetching.ts'
import { TextField } from '../../ui/field.tsx'
import { Note, Skeleton } from '../../ui/notices.tsx'
import { RadioCard } from '../../ui/radio-card.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { StepsList, WithCode } from './instructions.tsx'
import { messages } from './messages.ts'
import { SignInAtProvider } from './sign-in-at-provider.tsx'
import { chosenGrant, fittingGrants, GRANTS_QUERY, NEW_GRANT } from './source-calls.ts'
import { SourceProblemNote, statedProblem } from './source-problem.tsx'

interface Access {
  readonly way: 'token' | 'grant'
  readonly grantId: string | null
}

interface AccessStepProps {
  readonly connector: Connector
  /** Of the connection. */
  readonly name: string
  readonly access: Access
  readonly onAccess: (access: Access) => void
  readonly token: string
  readonly onToken: (token: string) => void
  readonly problems: Readonly<Record<string, string>>
  /** Names of all settings of the connector. */
  readonly fields: readonly string[]
  /** The settings that access needs, such as the server. */
  readonly children: ReactNode
}

/** How to give access: not needed, a token, or a sign-in. */
export function AccessStep(props: AccessStepProps) {
  const { connector, access, onAccess, token, onToken, problems, fields, children } = props
  if (connector.auth === 'none')
    return (
      <>
        <p className="text-soft text-sm">
          <WithCode text={needsSentence(connector)} fields={fields} />
        </p>
        {children}
      </>
    )
  const isChoice = connector.takes_token && connector.grant !== null
  return (
    <div className="flex flex-col gap-5">
      {isChoice && (
        <fieldset className="grid gap-2 sm:grid-cols-2">
          <legend className="sr-only">{messages.accessMethod}</legend>
          <RadioCard
            name="way"
            checked={access.way === 'token'}
            onChoose={() => onAccess({ ...access, way: 'token' })}
            title={messages.withToken}
            about={messages.withTokenAbout}
          />
          <RadioCard
            name="way"
            checked={access.way === 'grant'}
            onChoose={() => onAccess({ ...access, way: 'grant' })}
            title={messages.signInWith(connector.grant?.provider_title ?? '')}
            about={messages.withSignInAbout}
          />
        </fieldset>
      )}
      {access.way === 'token' ? (
        <TokenField
          connector={connector}
          token={token}
          onToken={onToken}
          fields={fields}
          problem={problems.token ?? problems.token_file}
        >
          {children}
        </TokenField>
      ) : (
        <>
          {children}
          <GrantChoice {...props} />
        </>
      )}
    </div>
  )
}

function GrantChoice({ connector, name, access, onAccess, problems }: AccessStepProps) {
  const queries = useQueryClient()
  const { data, error, refetch } = useQuery(GRANTS_QUERY)
  const [notes, setNotes] = useState<readonly string[]>([])
  if (error !== null) return <SourceProblemNote error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton lines={2} />
  const fitting = fittingGrants(data, connector.id)
  const chosen = chosenGrant(data, connector.id, access.grantId)
  const provider = data.providers.find((one) => one.id === connector.grant?.provider)
  const granted = async (grant: Grant, received: readonly string[]) => {
    await refetchShown(queries, GRANTS_QUERY.queryKey)
    setNotes(received)
    onAccess({ way: 'grant', grantId: grant.id })
  }
  const signsIn = chosen === undefined
  return (
    <div className="flex flex-col gap-4">
      {fitting.length > 0 && (
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-2 text-sm font-medium">{messages.accountToUse}</legend>
          {fitting.map((grant) => (
            <RadioCard
              key={grant.id}
              name="grant"
              checked={grant.id === chosen?.id}
              onChoose={() => onAccess({ way: 'grant', grantId: grant.id })}
              title={<bdi>{shownText(grant.title)}</bdi>}
              about={
                (grant.refusal && statedProblem(grant.refusal)) ??
                messages.grantedOn(grant.family_title, grant.granted_at)
              }
            />
          ))}
          <RadioCard
            name="grant"
            checked={signsIn}
            onChoose={() => onAccess({ way: 'grant', grantId: NEW_GRANT })}
            title={messages.anotherAccount}
            about={messages.signInWith(provider?.title ?? '')}
          />
        </fieldset>
      )}
      {notes.map((note) => (
        <Note key={note}>{note}</Note>
      ))}
      {problems.account !== undefined && <p className="text-bad text-sm">{problems.account}</p>}
      {signsIn && provider !== undefined && (
        <SignInAtProvider
          provider={provider}
          connector={connector.id}
          name={name}
          back={{ back: `/sources/new/${encodeURIComponent(connector.id)}`, connector: connector.id }}
          onGranted={(grant, received) => void granted(grant, received)}
        />
      )}
    </div>
  )
}

/** What a connector without access needs, as a sentence. */
function needsSentence({ needs }: Connector): string {
  return needs.startsWith('nothing') ? messages.noSetupBut(needs.slice(7)) : messages.onlyNeeds(needs)
}

interface TokenFieldProps {
  readonly connector: Pick<Connector, 'title' | 'token_steps' | 'needs' | 'secret'>
  readonly token: string
  readonly onToken: (token: string) => void
  readonly problem: string | undefined
  readonly fields?: readonly string[]
  /** Between the instructions, which may speak of it, and the field. */
  readonly children?: ReactNode
}

/** Instructions for a token and its field. */
export function TokenField({ connector, token, onToken, problem, fields, children }: TokenFieldProps) {
  return (
    <div className="flex flex-col gap-4">
      {connector.token_steps.length > 0 ? (
        <StepsList steps={connector.token_steps} fields={fields} />
      ) : (
        <p className="text-soft text-sm">
          <WithCode text={messages.needed(connector.needs)} fields={fields} />
        </p>
      )}
      {children}
      <TextField
        label={connector.secret === 'password' ? messages.password : messages.token}
        type="password"
        autoComplete="off"
        spellCheck={false}
        value={token}
        onValue={onToken}
        problem={problem}
        className="max-w-xl"
        about={messages.tokenAbout(connector.title)}
      />
    </div>
  )
}
