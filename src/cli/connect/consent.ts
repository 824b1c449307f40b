import { randomInt } from 'node:crypto'
import type { ConsentPlan, Provider } from '../../connections/grantable-sources.ts'
import type { GrantRequest, GrantView, OAuthGrants, StartedGrant } from '../../connections/oauth/oauth-grants.ts'
import { AppError } from '../../domain/errors.ts'
import { printable } from '../../lib/terminal-text.ts'
import { failureSentence } from '../terminal/failure.ts'
import type { Prompter } from '../terminal/prompter.ts'
import { type LoopbackListener, listenOnLoopback } from './loopback-listener.ts'
import type { RedirectPage } from './redirect-page.ts'

/** A grant and the sources that it was given for. */
export interface Granted {
  readonly plan: ConsentPlan
  readonly grant: GrantView
  /** Of the same family, before it. */
  readonly before: readonly GrantView[]
}

export interface ConsentOptions {
  readonly device?: boolean
  /** Nothing listens; the person copies the address that the browser ends at. */
  readonly paste?: boolean
  readonly port?: number
}

export interface ConsentSurroundings {
  readonly prompter: Prompter
  readonly say: (text: string) => void
  /** Absent where there is no browser to open. */
  readonly openBrowser: ((url: string) => void) | undefined
  /** The person wants to stop. */
  readonly stop: AbortSignal
  readonly patienceMs: number
}

/**
 * Leads the person through one consent.
 *
 * @throws AppError `invalid` when the person refuses, stops or takes too long: nothing is stored then; SourceError
 */
export async function consent(
  desk: OAuthGrants,
  { provider, request }: { readonly provider: Provider; readonly request: GrantRequest },
  options: ConsentOptions,
  surroundings: ConsentSurroundings,
): Promise<GrantView> {
  const { stop, prompter, patienceMs } = surroundings
  const late = AbortSignal.timeout(patienceMs)
  const signal = AbortSignal.any([stop, prompter.interrupted, late])
  try {
    if (options.device === true) return await byCode(desk, { provider, request }, surroundings, signal)
    return await byRedirect(desk, { provider, request }, options, { ...surroundings, signal })
  } catch (error) {
    if (late.aborted) {
      const minutes = Math.round(patienceMs / 60_000)
      throw new AppError('invalid', `Nobody answered within ${minutes} minutes; nothing was stored. Run it again.`)
    }
    if (signal.aborted) throw new AppError('invalid', 'Stopped; nothing was stored.')
    throw error
  }
}

async function byCode(
  desk: OAuthGrants,
  { provider, request }: { readonly provider: Provider; readonly request: GrantRequest },
  { say, openBrowser }: ConsentSurroundings,
  signal: AbortSignal,
): Promise<GrantView> {
  if (!provider.device) {
    const remedy = 'leave --device out; with --paste, the browser can be on another machine'
    throw new AppError('invalid', `${provider.title} gives no such access by a code: ${remedy}.`)
  }
  return desk.byDevice({
    ...request,
    signal,
    onCode(code, url) {
      say(`Open ${printable(url)} and type this code there: ${printable(code)}\nWaiting for it ...\n`)
      openBrowser?.(url)
    },
  })
}

type Waiting = ConsentSurroundings & { readonly signal: AbortSignal }

async function byRedirect(
  desk: OAuthGrants,
  { provider, request }: { readonly provider: Provider; readonly request: GrantRequest },
  options: ConsentOptions,
  waiting: Waiting,
): Promise<GrantView> {
  const { redirect } = provider
  const answer = Promise.withResolvers<GrantView>()
  // Whoever waits for it hears of a failure; until then it is nobody's.
  answer.promise.catch(() => undefined)
  let started: StartedGrant | undefined
  let completion: Promise<GrantView> | undefined
  const take = (address: string): Promise<GrantView> | undefined => {
    if (started === undefined || !isAnswerTo(started.url, address)) return undefined
    // A code is good for one use; browsers ask twice at times.
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
  started = await desk.begin({ ...request, redirectUrl })
  tellWhereToGo(started.url, { redirectUrl, listener }, waiting)
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

/** Without a listener the port only has to be one that the provider takes. */
function pastedRedirect(redirect: Provider['redirect'], port: number | undefined): string {
  if (redirect.kind === 'paste') return redirect.url
  const chosen = port ?? (redirect.port || randomInt(FIRST_DYNAMIC_PORT, LAST_PORT + 1))
  return `http://${redirect.host}:${chosen}${redirect.path}`
}

/** RFC 6335, 6: no program has a claim to a port from here on. */
const FIRST_DYNAMIC_PORT = 49_152
const LAST_PORT = 65_535

function tellWhereToGo(
  url: string,
  { redirectUrl, listener }: { readonly redirectUrl: string; readonly listener: LoopbackListener | undefined },
  { say, openBrowser, prompter }: ConsentSurroundings,
): void {
  say(
    `Open this address in a browser${openBrowser === undefined ? '' : ' (it was opened for you)'}:\n\n  ${printable(url)}\n\n`,
  )
  if (listener === undefined) {
    say(
      `The browser ends at a page that cannot be shown, at ${redirectUrl}... - copy its whole address from the address bar and paste it here.\n`,
    )
  } else {
    const paste = prompter.isTerminal
      ? ' When the browser runs on another machine, it ends at a page that cannot be shown: paste its whole address here.'
      : ''
    say(`Waiting for the answer at ${redirectUrl} ...${paste}\n`)
  }
  openBrowser?.(url)
}

/** Takes what the person pastes, until it is the answer or `done` aborts. */
async function readPasted(
  take: (address: string) => Promise<GrantView> | undefined,
  { redirectUrl, isOnly, done }: { readonly redirectUrl: string; readonly isOnly: boolean; readonly done: AbortSignal },
  { prompter, say, signal }: Waiting,
): Promise<void> {
  // A pipe is for secrets, unless it is all there is.
  if (!isOnly && !prompter.isTerminal) return
  for (;;) {
    const line = await prompter.ask('Address: ', { signal: AbortSignal.any([done, signal]) })
    if (done.aborted || signal.aborted) return
    if (line === undefined) {
      if (isOnly) throw new AppError('invalid', 'No address was pasted; nothing was stored.')
      return
    }
    if (line === '') continue
    if (!isSamePlace(line, redirectUrl)) {
      say(`That is not it: the address begins with ${redirectUrl}\n`)
    } else if (take(line) === undefined) {
      say(
        'That address answers an earlier attempt: open the address above, and paste the one that the browser ends at.\n',
      )
    } else return
  }
}

function isSamePlace(address: string, redirectUrl: string): boolean {
  const [given, expected] = [URL.parse(address), new URL(redirectUrl)]
  return given?.origin === expected.origin && given.pathname === expected.pathname
}

/** Pages of others can send the browser to the listener too: what does not carry the state of the request is no answer to it. */
function isAnswerTo(authorization: string, address: string): boolean {
  const stateOf = (url: string) => URL.parse(url)?.searchParams.get('state') ?? undefined
  const expected = stateOf(authorization)
  return expected === undefined || stateOf(address) === expected
}

async function pageFor(completion: Promise<GrantView> | undefined): Promise<RedirectPage> {
  if (completion === undefined) {
    const text = 'It answers an earlier attempt, or another program. Use the address that the terminal shows.'
    return { status: 400, isGood: false, title: 'This is not the answer that recalld waits for', text }
  }
  try {
    const { title } = await completion
    const text = `Access to ${title} was granted. You can close this window; the terminal says how it goes on.`
    return { status: 200, isGood: true, title: 'Connected', text }
  } catch (error) {
    const text = `${failureSentence(error)} You can close this window; nothing was stored.`
    return { status: 400, isGood: false, title: 'This did not work', text }
  }
}
