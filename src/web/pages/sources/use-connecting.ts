import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import type { Connector, ConnectRequest, Field, Sources } from '../../../http/app/schemas/sources.ts'
import { CallError, call } from '../../api/call.ts'
import { useToast } from '../../ui/toasts.tsx'
import { messages } from './messages.ts'
import { type ConnectingDraft, dropDraft, storeDraft, storedDraft } from './session-drafts.ts'
import { chosenGrant, connectionPath, fieldProblems, GRANTS_QUERY } from './source-calls.ts'

export interface Connecting {
  readonly connector: Connector
  readonly fields: readonly Field[]
  readonly sources: Sources
}

/** State of the connect form: draft, errors and the connect call. */
export function useConnecting({ connector, fields, sources }: Connecting) {
  const [search] = useSearchParams()
  const [draft, setDraft] = useState(() => startingDraft(connector, sources, search.get('name')))
  const [token, setToken] = useState('')
  const [previewProblem, setPreviewProblem] = useState<Error | null>(null)
  useEffect(() => storeDraft(connector.id, withoutSecrets(draft, fields)), [connector.id, draft, fields])
  const request = useRequest(connector, draft, token)
  const missing = missingAccess(connector, draft, request)
  const connect = useConnect(connector, request, missing)
  // An error no longer applies after a change.
  const reportProblem = (problem: Error | null) => {
    setPreviewProblem(problem)
    if (connect.isError) connect.reset()
  }
  return {
    draft,
    change(some: Partial<ConnectingDraft>) {
      setDraft({ ...draft, ...some })
      reportProblem(null)
    },
    token,
    changeToken(typed: string) {
      setToken(typed)
      reportProblem(null)
    },
    request,
    /** What is missing before the source can be reached. */
    missing,
    connect,
    problems: { ...fieldProblems(previewProblem), ...fieldProblems(connect.error) },
    /** Sets the errors of a preview. */
    reportProblem,
  }
}

/** The request, without cleared settings. */
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

/** What is missing before the source can be reached. */
function missingAccess(connector: Connector, { way }: ConnectingDraft, { token, settings }: ConnectRequest) {
  if (connector.auth === 'none') return undefined
  if (way === 'token') {
    const sentence = messages.pasteTokenFirst
    return token === undefined ? new CallError(422, sentence, { token: sentence }) : undefined
  }
  const sentence = messages.signInFirst(connector.grant?.provider_title ?? '')
  return settings?.account === undefined ? new CallError(422, sentence, { account: sentence }) : undefined
}

function useConnect(connector: Connector, request: ConnectRequest, missing: CallError | undefined) {
  const queries = useQueryClient()
  const toast = useToast()
  const [, navigate] = useLocation()
  return useMutation({
    mutationFn: async () => {
      if (missing !== undefined) throw missing
      return call('POST /sources', { body: request })
    },
    onSuccess: async ({ connection, account, warnings }) => {
      dropDraft(connector.id)
      await queries.invalidateQueries({ queryKey: ['sources'] })
      navigate(connectionPath(connection))
      toast(
        messages.connectedToast(connector.title),
        [account === null ? '' : messages.connectedAs(account), ...warnings].join(' ').trim(),
      )
    },
  })
}

/** @param asked name of a connection to reconnect */
function startingDraft(connector: Connector, sources: Sources, asked: string | null): ConnectingDraft {
  const kept = storedDraft(connector.id)
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
