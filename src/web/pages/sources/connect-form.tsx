import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Plug } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import type { ConnectAnswer, Connector, ConnectRequest, Field, Sources } from '../../../app-api/wire/sources.ts'
import { CallError, call } from '../../api/call.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { ProblemNote } from '../../ui/notices.tsx'
import { useTell } from '../../ui/toasts.tsx'
import { AccessStep } from './access-step.tsx'
import { chosenGrant } from './chosen-grant.ts'
import { type ConnectingDraft, dropDraft, keepDraft, keptDraft } from './connecting-draft.ts'
import { fieldProblems } from './field-problems.ts'
import { FormStep } from './form-step.tsx'
import { PreviewPanel } from './preview-panel.tsx'
import { ScheduleField } from './schedule-field.tsx'
import { SettingsForm } from './settings-form.tsx'
import { GRANTS_QUERY, pathOf } from './source-calls.ts'

export interface ConnectFormProps {
  readonly connector: Connector
  readonly fields: readonly Field[]
  readonly sources: Sources
}

/** The steps to a new connection, on one page: nothing is stored before the last. */
export function ConnectForm({ connector, fields, sources }: ConnectFormProps) {
  const [search] = useSearchParams()
  const [draft, setDraft] = useState(() => startingDraft(connector, sources, search.get('name')))
  const [token, setToken] = useState('')
  const [previewProblem, setPreviewProblem] = useState<Error | null>(null)
  const change = (some: Partial<ConnectingDraft>) => setDraft({ ...draft, ...some })
  useEffect(() => keepDraft(connector.id, withoutSecrets(draft, fields)), [connector.id, draft, fields])
  const request = useRequest(connector, draft, token)
  const lacking = lackingAccess(connector, draft, request)
  const connect = useConnect(connector, request, lacking)
  const problems = { ...fieldProblems(previewProblem), ...fieldProblems(connect.error) }
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        connect.mutate()
      }}
    >
      <FormStep step={1} title="Name">
        <TextField
          label="What you call it"
          about="Letters, digits and . _ -; it stands in lists and messages, and cannot be changed later."
          className="max-w-sm"
          value={draft.name}
          onValue={(name) => change({ name })}
          problem={problems.name}
          autoComplete="off"
          spellCheck={false}
        />
      </FormStep>
      <FormStep step={2} title="Access">
        <AccessStep
          connector={connector}
          name={draft.name.trim() || 'me'}
          access={draft}
          onAccess={change}
          token={token}
          onToken={setToken}
          problems={problems}
        />
      </FormStep>
      <FormStep step={3} title="What to take">
        <SettingsForm
          fields={fields}
          changes={draft.settings}
          onChanges={(settings) => change({ settings })}
          problems={problems}
        />
      </FormStep>
      <FormStep step={4} title="When">
        <ScheduleField
          schedule={draft.schedule}
          onSchedule={(schedule) => change({ schedule })}
          standard={connector.schedule_words}
          problem={problems.schedule}
        />
      </FormStep>
      <FormStep step={5} title="Look, then connect">
        <div className="flex flex-col gap-5">
          <PreviewPanel
            path={`/connectors/${encodeURIComponent(connector.id)}/preview`}
            request={{ settings: request.settings, ...(token !== '' && { token: request.token }) }}
            connector={connector.id}
            lacking={lacking}
            onProblem={setPreviewProblem}
          />
          {connect.error !== null && <ProblemNote error={connect.error} />}
          <Button look="primary" type="submit" busy={connect.isPending} className="self-start">
            <Plug aria-hidden />
            Connect {connector.title}
          </Button>
        </div>
      </FormStep>
    </form>
  )
}

/** What is sent: settings that were cleared are simply not there. */
function useRequest(connector: Connector, draft: ConnectingDraft, token: string) {
  const { data: grants } = useQuery({ ...GRANTS_QUERY, enabled: connector.grant !== null })
  const usesGrant = connector.auth !== 'none' && draft.way === 'grant'
  const grant = usesGrant ? chosenGrant(grants, connector.id, draft.grantId) : undefined
  const given = Object.entries(draft.settings).filter(([, value]) => value !== null)
  return {
    connector: connector.id,
    name: draft.name.trim(),
    settings: {
      ...Object.fromEntries(given),
      ...(draft.schedule !== null && { schedule: draft.schedule }),
      ...(grant !== undefined && { account: grant.account_setting }),
    },
    ...(connector.auth !== 'none' && !usesGrant && token !== '' && { token: token.trim() }),
  } satisfies ConnectRequest
}

/** What is missing before the source can be asked. */
function lackingAccess(connector: Connector, { way }: ConnectingDraft, { token, settings }: ConnectRequest) {
  if (connector.auth === 'none') return undefined
  if (way === 'token') {
    const sentence = 'Paste the token first.'
    return token === undefined ? new CallError(422, sentence, { token: sentence }) : undefined
  }
  const sentence = `Sign in at ${connector.grant?.provider_title} first, or choose whose access it uses.`
  return settings?.account === undefined ? new CallError(422, sentence, { account: sentence }) : undefined
}

function useConnect(connector: Connector, request: ConnectRequest, lacking: CallError | undefined) {
  const queries = useQueryClient()
  const tell = useTell()
  const [, navigate] = useLocation()
  return useMutation({
    mutationFn: async () => {
      if (lacking !== undefined) throw lacking
      return call<ConnectAnswer>('/sources', { method: 'POST', body: request })
    },
    onSuccess: async ({ connection, account, warnings }) => {
      dropDraft(connector.id)
      await queries.invalidateQueries({ queryKey: ['sources'] })
      navigate(pathOf(connection))
      tell(`${connector.title} is connected`, [account === null ? '' : `As ${account}.`, ...warnings].join(' ').trim())
    },
  })
}

/** @param asked name of a connection that is made again */
function startingDraft(connector: Connector, sources: Sources, asked: string | null): ConnectingDraft {
  const kept = keptDraft(connector.id)
  return kept === undefined || (asked !== null && asked !== kept.name) ? newDraft(connector, sources, asked) : kept
}

function newDraft(connector: Connector, { connections }: Sources, asked: string | null): ConnectingDraft {
  const taken = new Set(
    connections
      .filter((one) => one.connector === connector.id && one.state !== 'not configured')
      .map(({ name }) => name),
  )
  const free = (number: number): string => {
    const name = number === 1 ? 'me' : `me-${number}`
    return taken.has(name) ? free(number + 1) : name
  }
  const prefersToken = connector.takes_token && (connector.auth === 'token' || connector.grant === null)
  const name = asked === null || taken.has(asked) ? free(1) : asked
  return { name, settings: {}, schedule: null, way: prefersToken ? 'token' : 'grant', grantId: null }
}

function withoutSecrets(draft: ConnectingDraft, fields: readonly Field[]): ConnectingDraft {
  const secret = new Set(fields.filter((field) => field.secret).map(({ name }) => name))
  const settings = Object.fromEntries(Object.entries(draft.settings).filter(([name]) => !secret.has(name)))
  return { ...draft, settings }
}
