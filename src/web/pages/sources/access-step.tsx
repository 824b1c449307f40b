import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Grant } from '../../../http/app/schemas/grants.ts'
import type { Connector } from '../../../http/app/schemas/sources.ts'
import { TextField } from '../../ui/field.tsx'
import { formatDay } from '../../ui/formats.ts'
import { Note, ProblemNote, Skeleton } from '../../ui/notices.tsx'
import { RadioCard } from '../../ui/radio-card.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { StepsList, WithCode } from './instructions.tsx'
import { SignInAtProvider } from './sign-in-at-provider.tsx'
import { chosenGrant, fittingGrants, GRANTS_QUERY, NEW_GRANT } from './source-calls.ts'

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
}

/** How recalld may read a source: not needed, by a token, or by signing in at the provider. */
export function AccessStep(props: AccessStepProps) {
  const { connector, access, onAccess, token, onToken, problems } = props
  if (connector.auth === 'none')
    return (
      <p className="text-soft text-sm">
        <WithCode text={needsWords(connector)} />
      </p>
    )
  const isChoice = connector.takes_token && connector.grant !== null
  return (
    <div className="flex flex-col gap-5">
      {isChoice && (
        <fieldset className="grid gap-2 sm:grid-cols-2">
          <legend className="sr-only">How to give access</legend>
          <RadioCard
            name="way"
            checked={access.way === 'token'}
            onChoose={() => onAccess({ ...access, way: 'token' })}
            title="With a token"
            about="You make one at the source and paste it here."
          />
          <RadioCard
            name="way"
            checked={access.way === 'grant'}
            onChoose={() => onAccess({ ...access, way: 'grant' })}
            title={`By signing in at ${connector.grant?.provider_title}`}
            about="In the browser; it is renewed by itself."
          />
        </fieldset>
      )}
      {access.way === 'token' ? (
        <TokenField
          connector={connector}
          token={token}
          onToken={onToken}
          problem={problems.token ?? problems.token_file}
        />
      ) : (
        <GrantChoice {...props} />
      )}
    </div>
  )
}

function GrantChoice({ connector, name, access, onAccess, problems }: AccessStepProps) {
  const queries = useQueryClient()
  const { data, error, refetch } = useQuery(GRANTS_QUERY)
  const [notes, setNotes] = useState<readonly string[]>([])
  if (error !== null) return <ProblemNote error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton lines={2} />
  const fitting = fittingGrants(data, connector.id)
  const chosen = chosenGrant(data, connector.id, access.grantId)
  const provider = data.providers.find((one) => one.id === connector.grant?.provider)
  const granted = async (grant: Grant, told: readonly string[]) => {
    await queries.invalidateQueries({ queryKey: GRANTS_QUERY.queryKey })
    setNotes(told)
    onAccess({ way: 'grant', grantId: grant.id })
  }
  const signsIn = chosen === undefined
  return (
    <div className="flex flex-col gap-4">
      {fitting.length > 0 && (
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-2 text-sm font-medium">Whose access it uses</legend>
          {fitting.map((grant) => (
            <RadioCard
              key={grant.id}
              name="grant"
              checked={grant.id === chosen?.id}
              onChoose={() => onAccess({ way: 'grant', grantId: grant.id })}
              title={<bdi>{shownText(grant.title)}</bdi>}
              about={grant.refusal ?? `${grant.family_title}, granted on ${formatDay(grant.granted_at)}`}
            />
          ))}
          <RadioCard
            name="grant"
            checked={signsIn}
            onChoose={() => onAccess({ way: 'grant', grantId: NEW_GRANT })}
            title="Another account"
            about={`Sign in at ${provider?.title} once more.`}
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
          onGranted={(grant, told) => void granted(grant, told)}
        />
      )}
    </div>
  )
}

/** What a connector without access needs, as a sentence. */
function needsWords({ needs }: Connector): string {
  return needs.startsWith('nothing')
    ? `N${needs.slice(1, 7)} is needed${needs.slice(7)}.`
    : `No sign-in is needed, only ${needs}.`
}

interface TokenFieldProps {
  readonly connector: Pick<Connector, 'title' | 'token_steps' | 'needs'>
  readonly token: string
  readonly onToken: (token: string) => void
  readonly problem: string | undefined
}

/** Where to get a token, and the place to paste it; it is never shown again. */
export function TokenField({ connector, token, onToken, problem }: TokenFieldProps) {
  return (
    <div className="flex flex-col gap-4">
      {connector.token_steps.length > 0 ? (
        <StepsList steps={connector.token_steps} />
      ) : (
        <p className="text-soft text-sm">
          <WithCode text={`Needed: ${connector.needs}.`} />
        </p>
      )}
      <TextField
        label="Token"
        type="password"
        autoComplete="off"
        spellCheck={false}
        value={token}
        onValue={onToken}
        problem={problem}
        className="max-w-xl"
        about={`It is kept in a file of this server that only recalld reads, and sent to ${connector.title} only.`}
      />
    </div>
  )
}
