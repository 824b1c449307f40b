import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import type { ImportedFile } from '../../../http/app/schemas/imports.ts'
import type { Connector, ConnectRequest, Field, Sources } from '../../../http/app/schemas/sources.ts'
import { CallError, call } from '../../api/call.ts'
import { refetchShown } from '../../api/refetching.ts'
import { useSendOnce } from '../../api/use-send-once.ts'
import { useToast } from '../../ui/toasts.tsx'
import { messages } from './messages.ts'
import { type ConnectingDraft, dropDraft, storeDraft, storedDraft } from './session-drafts.ts'
import { isOfAccess } from './settings-panel.tsx'
import { chosenGrant, connectionPath, fieldProblems, GRANTS_QUERY } from './source-calls.ts'

export const CONNECT_STEPS = ['access', 'content', 'schedule'] as const
export type ConnectStep = (typeof CONNECT_STEPS)[number]

export interface Connecting {
  readonly connector: Connector
  readonly fields: readonly Field[]
  readonly sources: Sources
}

/** State of the connect form: step, draft, errors and the calls. */
export function useConnecting({ connector, fields, sources }: Connecting) {
  const [search] = useSearchParams()
  const [step, setStep] = useState<ConnectStep>('access')
  const [draft, setDraft] = useState(() => startingDraft(connector, sources, search.get('name')))
  const [token, setToken] = useState('')
  const [previewProblem, setPreviewProblem] = useState<Error | null>(null)
  useEffect(() => storeDraft(connector.id, withoutSecrets(draft, fields)), [connector.id, draft, fields])
  const request = useRequest(connector, draft, token)
  const missing = missingAccess(connector, draft, request)
  const check = useMutation({
    mutationFn: async () => {
      if (missing !== undefined) throw missing
      return call('POST /sources/check', { body: request })
    },
    onSuccess: () => setStep('content'),
  })
  const connect = useConnect(connector, request, (error) => setStep(stepOfProblem(error, fields)))
  const connectOnce = useSendOnce(connect)
  // An error no longer applies after a change.
  const forgetProblems = () => {
    setPreviewProblem(null)
    if (connect.isError) connect.reset()
    if (check.isError) check.reset()
  }
  return {
    step,
    /** Checks the access, goes on, or connects. */
    proceed() {
      forgetProblems()
      if (step === 'access') check.mutate()
      else if (step === 'content') setStep('schedule')
      else connectOnce()
    },
    goBack(to: ConnectStep) {
      forgetProblems()
      setStep(to)
    },
    isPending: check.isPending || connect.isPending,
    /** The result of checking the source. */
    checked: check.data,
    error: check.error ?? connect.error,
    draft,
    change(some: Partial<ConnectingDraft>) {
      setDraft({ ...draft, ...some })
      forgetProblems()
    },
    token,
    changeToken(typed: string) {
      setToken(typed)
      forgetProblems()
    },
    request,
    /** What is missing before the source can be reached. */
    missing,
    problems: { ...fieldProblems(previewProblem), ...fieldProblems(check.error), ...fieldProblems(connect.error) },
    /** Sets the errors of a preview. */
    reportProblem: setPreviewProblem,
  }
}

/** The step that has the field of an error. */
function stepOfProblem(error: Error, fields: readonly Field[]): ConnectStep {
  const names = Object.keys(fieldProblems(error))
  if (names.length === 0 || names.includes('schedule')) return 'schedule'
  const isOfContent = fields.some((field) => names.includes(field.name) && !isOfAccess(field) && !hasOwnStep(field))
  return isOfContent ? 'content' : 'access'
}

/** Token and account belong to the access. */
function hasOwnStep({ name }: Field): boolean {
  return ['account', 'token', 'token_file'].includes(name)
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
    const sentence = connector.secret === 'password' ? messages.enterPasswordFirst : messages.pasteTokenFirst
    return token === undefined ? new CallError(422, sentence, { token: sentence }) : undefined
  }
  const sentence = messages.signInFirst(connector.grant?.provider_title ?? '')
  return settings?.account === undefined ? new CallError(422, sentence, { account: sentence }) : undefined
}

function useConnect(connector: Connector, request: ConnectRequest, onError: (error: Error) => void) {
  const queries = useQueryClient()
  const toast = useToast()
  const [, navigate] = useLocation()
  return useMutation({
    mutationFn: () => call('POST /sources', { body: request }),
    onError,
    onSuccess: async ({ connection, account, warnings }) => {
      dropDraft(connector.id)
      await refetchShown(queries, ['sources'])
      navigate(connectionPath(connection))
      toast(
        messages.connectedToast(connector.title),
        [account === null ? '' : messages.connectedAs(account), ...warnings].join(' ').trim(),
      )
    },
  })
}

/** Adds an uploaded export to the connection that is being made for it. @returns the path of the page that makes it */
export function addImport({ connector: id, setting, path }: ImportedFile, sources: Sources): string {
  const connector = sources.connectors.find((one) => one.id === id)
  if (connector !== undefined) {
    const draft = startingDraft(connector, sources, null)
    const before = draft.settings[setting]
    const paths = [...(Array.isArray(before) ? before : []), path]
    storeDraft(id, { ...draft, settings: { ...draft.settings, [setting]: paths } })
  }
  return `/sources/new/${encodeURIComponent(id)}`
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
