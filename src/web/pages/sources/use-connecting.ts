import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import type { ConnectAnswer, Connector, ConnectRequest, Field, Sources } from '../../../http/app/schemas/sources.ts'
import { CallError, call } from '../../api/call.ts'
import { useTell } from '../../ui/toasts.tsx'
import { type ConnectingDraft, dropDraft, keepDraft, keptDraft } from './session-drafts.ts'
import { chosenGrant, fieldProblems, GRANTS_QUERY, pathOf } from './source-calls.ts'

export interface Connecting {
  readonly connector: Connector
  readonly fields: readonly Field[]
  readonly sources: Sources
}

/** A connection that is being made: what was typed, what is wrong with it, and the call that makes it. */
export function useConnecting({ connector, fields, sources }: Connecting) {
  const [search] = useSearchParams()
  const [draft, setDraft] = useState(() => startingDraft(connector, sources, search.get('name')))
  const [token, setToken] = useState('')
  const [previewProblem, setPreviewProblem] = useState<Error | null>(null)
  useEffect(() => keepDraft(connector.id, withoutSecrets(draft, fields)), [connector.id, draft, fields])
  const request = useRequest(connector, draft, token)
  const lacking = lackingAccess(connector, draft, request)
  const connect = useConnect(connector, request, lacking)
  // What was wrong with what is being changed is not wrong any more, as far as anybody knows.
  const tellProblem = (problem: Error | null) => {
    setPreviewProblem(problem)
    if (connect.isError) connect.reset()
  }
  return {
    draft,
    change(some: Partial<ConnectingDraft>) {
      setDraft({ ...draft, ...some })
      tellProblem(null)
    },
    token,
    changeToken(typed: string) {
      setToken(typed)
      tellProblem(null)
    },
    request,
    /** What has to be given before the source can be asked. */
    lacking,
    connect,
    problems: { ...fieldProblems(previewProblem), ...fieldProblems(connect.error) },
    /** What a preview found wrong. */
    tellProblem,
  }
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
