import type { AnswerOf, AppRoute, AppRoutes, PathParameter } from '../../http/app/schemas/routes.ts'
import { serviceSentence } from '../languages/catalog.ts'
import { fieldSentence } from '../languages/field-sentence.ts'
import { uiMessages } from '../ui/messages.ts'
import { reportReachable } from './reachability.ts'

/** An error answer of the service. Its message can be shown to the user. */
export class CallError extends Error {
  readonly status: number
  /** Messages by field name. */
  readonly fields: Readonly<Record<string, string>>

  constructor(status: number, message: string, fields: Readonly<Record<string, string>> = {}) {
    super(message)
    this.name = 'CallError'
    this.status = status
    this.fields = fields
  }
}

type Query = Readonly<Record<string, string | number | boolean | undefined>>

interface SentOptions {
  /** Values of the parameters in the path. */
  readonly params?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body?: unknown
  readonly query?: Query
  readonly signal?: AbortSignal
  /** Is sent even if the page is closed. */
  readonly keepalive?: boolean
  /** The account it is for; default: the one shown. */
  readonly accountId?: string
}

type CallOptions<Route extends AppRoute> = Pick<SentOptions, 'signal' | 'keepalive' | 'accountId'> &
  ([PathParameter<Route>] extends [never]
    ? unknown
    : { readonly params: Readonly<Record<PathParameter<Route>, string>> }) &
  (AppRoutes[Route] extends { body: infer Body } ? { readonly body: Body } : unknown) &
  (AppRoutes[Route] extends { query: infer Names }
    ? { readonly query?: Readonly<Partial<Record<keyof Names, Query[string]>>> }
    : unknown)

const ROOT = '/app/api'
let csrfToken = ''
let shownAccount: string | undefined
let onRefusal: () => void = () => undefined

/** Sets the CSRF token of the session, which every change sends. */
export function setCsrfToken(token: string): void {
  csrfToken = token
}

/** Sets the account shown. The service refuses calls if another window switched accounts. */
export function setAccount(id: string | undefined): void {
  shownAccount = id
}

/** @param listener called after each 401 or 403: the session may have ended or changed */
export function onRefusedCall(listener: () => void): void {
  onRefusal = listener
}

/** @param account of what waited before it is sent: the page may show another by then, and the service refuses it */
export function sessionHeaders(account = shownAccount): Readonly<Record<string, string>> {
  return { 'x-csrf-token': csrfToken, ...(account !== undefined && { 'x-account-id': account }) }
}

/** URL of a call, for links and streams. */
export function address(path: string, query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return `${ROOT}${path}${search === '' ? '' : `?${search}`}`
}

/**
 * Calls a route of the service. The response is trusted to have the type in the route table: this is the only place
 * where JSON gets a type unchecked.
 * @throws CallError with a message for the user
 */
export function call<Route extends AppRoute>(
  route: Route,
  ...options: Record<never, never> extends CallOptions<Route>
    ? [options?: CallOptions<Route>]
    : [options: CallOptions<Route>]
): Promise<AnswerOf<Route>>
export async function call(route: AppRoute, options: SentOptions = {}): Promise<unknown> {
  return answerIn(await send(route, options))
}

/**
 * As `call`, but returns the response, whatever its status.
 * @param accept the media type that is wanted
 */
export async function send(
  route: AppRoute,
  { params = {}, body, query, signal, keepalive = false, accountId }: SentOptions,
  accept = 'application/json',
): Promise<Response> {
  const [method = '', template = ''] = route.split(' ')
  const path = template.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const response = await fetch(address(path, query), {
    method,
    headers: {
      accept,
      ...sessionHeaders(accountId),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal && { signal }),
    keepalive,
  }).catch((cause: unknown) => {
    if (signal?.aborted) throw cause
    reportReachable(false)
    throw new CallError(0, uiMessages.serverUnreachable)
  })
  reportReachable(true)
  return response
}

/** @throws CallError for an answer other than 2xx */
export async function answerIn(response: Response): Promise<unknown> {
  const text = await response.text()
  const answer: unknown = text === '' ? undefined : parseJson(text)
  if (response.ok) return answer
  throw callError(response.status, answer)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The error for an answer other than 2xx. */
export function callError(status: number, answer: unknown): CallError {
  if (status === 401 || status === 403) onRefusal()
  const isProblem = typeof answer === 'object' && answer !== null && 'detail' in answer
  const fields: Record<string, string> = {}
  if (isProblem && 'errors' in answer && Array.isArray(answer.errors)) {
    for (const { field, message } of answer.errors)
      fields[String(field)] = fieldSentence(String(field), String(message))
  }
  const ofFields = Object.values(fields).join(' ')
  const detail = isProblem ? ofFields || serviceSentence(String(answer.detail)) : uiMessages.serverAnswered(status)
  return new CallError(status, detail, fields)
}
