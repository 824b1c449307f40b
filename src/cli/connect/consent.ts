import { randomInt } from 'node:crypto'
import type { ConsentPlan, Provider } from '../../connections/grantable-sources.ts'
import type { GrantRequest, GrantView, OAuthGrants, StartedGrant } from '../../connections/oauth/oauth-grants.ts'
import { AppError } from '../../domain/errors.ts'
import { printable } from '../../lib/terminal-text.ts'
import { failureSentence } from '../terminal/failure.ts'
import type { Prompter } from '../terminal/prompter.ts'
import { qrCode } from '../terminal/qr-code.ts'
import { type LoopbackListener, listenOnLoopback } from './loopback-listener.ts'
import { messages } from './messages.ts'
import type { RedirectPage } from './redirect-page.ts'

/** A grant and its sources. */
export interface Granted {
  readonly plan: ConsentPlan
  readonly grant: GrantView
  /** The previous grant of the family. */
  readonly before: readonly GrantView[]
}

export interface ConsentOptions {
  readonly device?: boolean
  /** There is no listener; the person copies the browser's final address. */
  readonly paste?: boolean
  readonly port?: number
}

export interface ConsentEnvironment {
  readonly prompter: Prompter
  readonly say: (text: string) => void
  /** Where `say` writes. */
  readonly output: Parameters<typeof qrCode>[0]
  /** Absent without a browser to open. */
  readonly openBrowser: ((url: string) => void) | undefined
  /** The person wants to stop. */
  readonly stop: AbortSignal
  readonly patienceMs: number
}

/**
 * Guides the person through one consent.
 * @throws AppError `invalid` when the person refuses, stops or takes too long, and nothing is stored; SourceError
 */
export async function consent(
  service: OAuthGrants,
  { provider, request }: { readonly provider: Provider; readonly request: GrantRequest },
  options: ConsentOptions,
  environment: ConsentEnvironment,
): Promise<GrantView> {
  const { stop, prompter, patienceMs } = environment
  const late = AbortSignal.timeout(patienceMs)
  const signal = AbortSignal.any([stop, prompter.interrupted, late])
  try {
    if (options.device === true) return await grantByCode(service, { provider, request }, environment, signal)
    return await grantByRedirect(service, { provider, request }, options, { ...environment, signal })
  } catch (error) {
    if (late.aborted) {
      const minutes = Math.round(patienceMs / 60_000)
      throw new AppError('invalid', messages.timedOut(minutes))
    }
    if (signal.aborted) throw new AppError('invalid', messages.stopped)
    throw error
  }
}

async function grantByCode(
  service: OAuthGrants,
  { provider, request }: { readonly provider: Provider; readonly request: GrantRequest },
  { say, output, openBrowser }: ConsentEnvironment,
  signal: AbortSignal,
): Promise<GrantView> {
  if (!provider.device) {
    throw new AppError('invalid', messages.noDevice(provider.title))
  }
  return service.byDevice({
    ...request,
    signal,
    onCode(code, url) {
      say(`${qrCode(output, url)}${messages.enterCode(printable(url), printable(code))}\n`)
      openBrowser?.(url)
    },
  })
}

type Waiting = ConsentEnvironment & { readonly signal: AbortSignal }

async function grantByRedirect(
  service: OAuthGrants,
  { provider, request }: { readonly provider: Provider; readonly request: GrantRequest },
  options: ConsentOptions,
  waiting: Waiting,
): Promise<GrantView> {
  const { redirect } = provider
  const answer = Promise.withResolvers<GrantView>()
  // A failure reaches the code that awaits the promise; until then it must not count as unhandled.
  answer.promise.catch(() => undefined)
  let started: StartedGrant | undefined
  let completion: Promise<GrantView> | undefined
  const take = (address: string): Promise<GrantView> | undefined => {
    if (started === undefined || !isAnswerTo(started.url, address)) return undefined
    // A code works once, and browsers sometimes send it twice.
    completion ??= started.complete(address, waiting.signal)
    completion.then(answer.resolve, answer.reject)
    return completion
  }
  await using listener =
    redirect.kind === 'loopback' && options.paste !== true
      ? await listenOnLoopback({ ...redirect, port: options.port ?? redirect.port }, (address) =>
          pageFor(take(address)),
        )
      : undefined
  const redirectUrl = listener?.url ?? pastedRedirect(redirect, options.port)
  started = await service.begin({ ...request, redirectUrl })
  showLink(started.url, { redirectUrl, listener }, waiting)
  const done = new AbortController()
  const reading = readPasted(take, { redirectUrl, isOnly: listener === undefined, done: done.signal }, waiting)
  reading.catch(answer.reject)
  const { signal } = waiting
  const onAbort = () => answer.reject(signal.reason)
  signal.addEventListener('abort', onAbort)
  if (signal.aborted) onAbort()
  try {
    return await answer.promise
  } finally {
    signal.removeEventListener('abort', onAbort)
    done.abort()
    await reading.catch(() => undefined)
  }
}

/** Without a listener, any port that the provider accepts will do. */
function pastedRedirect(redirect: Provider['redirect'], port: number | undefined): string {
  if (redirect.kind === 'paste') return redirect.url
  const chosen = port ?? (redirect.port || randomInt(FIRST_DYNAMIC_PORT, LAST_PORT + 1))
  return `http://${redirect.host}:${chosen}${redirect.path}`
}

/** RFC 6335, 6: dynamic ports, which no program reserves, start here. */
const FIRST_DYNAMIC_PORT = 49_152
const LAST_PORT = 65_535

function showLink(
  url: string,
  { redirectUrl, listener }: { readonly redirectUrl: string; readonly listener: LoopbackListener | undefined },
  { say, openBrowser, prompter }: ConsentEnvironment,
): void {
  say(`${openBrowser === undefined ? messages.openLink : messages.linkOpened}\n\n  ${printable(url)}\n\n`)
  if (listener === undefined) {
    say(`${messages.pasteAddress(redirectUrl)}\n`)
  } else {
    const paste = prompter.isTerminal ? ` ${messages.otherMachine}` : ''
    say(`${messages.waiting(redirectUrl)}${paste}\n`)
  }
  openBrowser?.(url)
}

/** Reads what the person pastes, until it is the response or `done` aborts. */
async function readPasted(
  take: (address: string) => Promise<GrantView> | undefined,
  { redirectUrl, isOnly, done }: { readonly redirectUrl: string; readonly isOnly: boolean; readonly done: AbortSignal },
  { prompter, say, signal }: Waiting,
): Promise<void> {
  // A pipe carries secrets, unless the address can only be pasted.
  if (!isOnly && !prompter.isTerminal) return
  for (;;) {
    const line = await prompter.ask(messages.addressPrompt, { signal: AbortSignal.any([done, signal]) })
    if (done.aborted || signal.aborted) return
    if (line === undefined) {
      if (isOnly) throw new AppError('invalid', messages.noAddress)
      return
    }
    if (line === '') continue
    if (!isSameEndpoint(line, redirectUrl)) {
      say(`${messages.wrongAddress(redirectUrl)}\n`)
    } else if (take(line) === undefined) {
      say(`${messages.earlierAddress}\n`)
    } else return
  }
}

function isSameEndpoint(address: string, redirectUrl: string): boolean {
  const [given, expected] = [URL.parse(address), new URL(redirectUrl)]
  return given?.origin === expected.origin && given.pathname === expected.pathname
}

/** Other pages can send the browser to the listener too, so a response must carry the state of the request. */
function isAnswerTo(authorization: string, address: string): boolean {
  const stateOf = (url: string) => URL.parse(url)?.searchParams.get('state') ?? undefined
  const expected = stateOf(authorization)
  return expected === undefined || stateOf(address) === expected
}

async function pageFor(completion: Promise<GrantView> | undefined): Promise<RedirectPage> {
  if (completion === undefined) {
    return { status: 400, isGood: false, title: messages.pageWrong, text: messages.pageWrongAbout }
  }
  try {
    const { title } = await completion
    return { status: 200, isGood: true, title: messages.pageConnected, text: messages.pageConnectedAbout(title) }
  } catch (error) {
    const text = messages.pageFailedAbout(failureSentence(error))
    return { status: 400, isGood: false, title: messages.pageFailed, text }
  }
}
