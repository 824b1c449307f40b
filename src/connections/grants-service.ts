import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { withConnectionEntries } from '../config/connection-entry.ts'
import type { OAuthProvider } from '../connector/oauth-provider.ts'
import { AppError } from '../domain/errors.ts'
import type {
  BeginRequest,
  DeviceRequest,
  Grant,
  Grants,
  PendingGrant,
  RevokeAnswer,
} from '../http/app/schemas/grants.ts'
import { actorOf } from '../service/activity.ts'
import type { Viewer } from '../service/principal.ts'
import { accessNow, grantUsesNow, wireGrant, wireProvider } from './grant-views.ts'
import { grantsOf, pinnedConnections } from './grantable-sources.ts'
import type { Consent } from './oauth/consents.ts'
import type { GrantView, StartedGrant } from './oauth/oauth-grants.ts'
import { planConsent } from './plan-consent.ts'
import { homeOf, lockedReason, OTHER_ACCOUNT, type SourcesContext, type SourcesHome } from './sources-context.ts'
import type { GrantsService } from './sources-contract.ts'

/** The page of the app to which providers redirect. */
const RETURN_PATH = '/app/connected'
/** RFC 6335, 6: dynamic ports, which no program reserves, start here. */
const FIRST_DYNAMIC_PORT = 49_152
const LAST_PORT = 65_535

/** Interval of checks while another request redeems the code. */
const POLL_MS = 250
const LONGEST_REDEMPTION_MS = 60_000
const GIVEN_UP_POLL_MS = 1_000

/** The grants for the connections of this home, as the web app shows and changes them. */
export function grantsService(context: SourcesContext): GrantsService {
  return new HomeGrantsService(context)
}

class HomeGrantsService implements GrantsService {
  readonly #context: SourcesContext

  constructor(context: SourcesContext) {
    this.#context = context
  }

  async grants(viewer: Viewer, address: string): Promise<Grants> {
    const { registry } = this.#context
    const home = await this.#context.home()
    const isOther = home.accountId !== viewer.principal.accountId
    const grants = isOther ? [] : await this.#list(home)
    const providers = await Promise.all(
      (await this.#context.providers()).map(async (provider) => {
        const client = isOther ? undefined : await home.grants.knownClient(provider.id)
        return wireProvider(provider, { registry, redirect: redirectFor(provider, address), client })
      }),
    )
    const why = isOther ? OTHER_ACCOUNT : lockedReason(this.#context, viewer)
    return {
      grants,
      providers,
      editable: why === undefined,
      why_not_editable: why ?? null,
      memory_of_other: isOther,
    }
  }

  async begin(viewer: Viewer, { paste = false, ...request }: BeginRequest, address: string): Promise<PendingGrant> {
    const home = await homeOf(this.#context, viewer)
    const { plan, request: asked } = await planConsent(this.#context, home, request)
    const redirect = redirectFor(plan.provider, address, paste)
    const redirectUrl = redirect.url.replace(/:\*(?=\/|$)/, () => `:${randomInt(FIRST_DYNAMIC_PORT, LAST_PORT + 1)}`)
    const { url, state, begun } = await home.grants.begin({ ...asked, redirectUrl })
    const facts = { ...factsOf(asked, request), url, code: null, redirect: redirect.kind, redirectUrl }
    const { personId } = viewer
    return this.#show(await home.consents.add({ personId, facts, answer: { state, begun } }), home)
  }

  async complete(viewer: Viewer, address: string): Promise<PendingGrant> {
    const home = await homeOf(this.#context, viewer)
    return this.#show(await this.#finish(viewer, home, address), home)
  }

  async beginDevice(viewer: Viewer, request: DeviceRequest): Promise<PendingGrant> {
    const { log, stopping } = this.#context
    const home = await homeOf(this.#context, viewer)
    const { request: asked } = await planConsent(this.#context, home, request)
    const before = await grantsOfFamily(home, asked)
    const shown = Promise.withResolvers<Consent>()
    const ending = new AbortController()
    const signal = AbortSignal.any([ending.signal, stopping])
    const onCode = (code: string, url: string) => {
      const facts = { ...factsOf(asked, request), url, code, redirect: null, redirectUrl: null }
      shown.resolve(home.consents.add({ personId: viewer.personId, facts }))
    }
    const finishDevice = async () => {
      const grant = await home.grants.byDevice({ ...asked, onCode, signal })
      await this.#granted(home, (await shown.promise).id, { grant, before, viewer })
    }
    void finishDevice()
      .catch(async (error: unknown) => {
        shown.reject(error)
        const consent = await shown.promise.catch(() => undefined)
        if (consent === undefined || signal.aborted) return
        await this.#endFailed(home, consent, error)
      })
      .catch((error: unknown) => log.error({ err: error }, 'the result of a device-code consent could not be stored'))
      .finally(() => ending.abort())
    const consent = await shown.promise.catch((error: unknown) => {
      ending.abort()
      throw error
    })
    void endWhenGivenUp(home, consent.id, ending)
    return this.#show(consent, home)
  }

  async pending(viewer: Viewer, id: string): Promise<PendingGrant> {
    const home = await homeOf(this.#context, viewer)
    return this.#show(await findConsent(viewer, home, id), home)
  }

  async giveUp(viewer: Viewer, id: string): Promise<void> {
    const home = await homeOf(this.#context, viewer)
    await home.consents.giveUp((await findConsent(viewer, home, id)).id)
  }

  async revoke(viewer: Viewer, id: string): Promise<RevokeAnswer> {
    const { stopping } = this.#context
    const home = await homeOf(this.#context, viewer)
    const { grant, withdrawn } = await home.grants.revoke(id, stopping)
    this.#note(viewer, 'grant_removed', grant)
    await this.#context.publish()
    return { withdrawn }
  }

  async #show(consent: Consent, home: SourcesHome): Promise<PendingGrant> {
    const { outcome } = consent
    const granted = outcome !== undefined && 'grant' in outcome ? outcome : undefined
    const { id, url, code, redirect, provider, connectors, name } = consent
    return {
      ...{ id, url, code, redirect, provider, name, connectors },
      state: outcome === undefined ? 'waiting' : granted === undefined ? 'failed' : 'granted',
      redirect_url: consent.redirectUrl,
      expires_at: consent.expiresAt.toISOString(),
      problem: outcome !== undefined && 'problem' in outcome ? outcome.problem : null,
      grant: granted === undefined ? null : ((await this.#list(home)).find((one) => one.id === granted.grant) ?? null),
      notes: granted?.notes ?? [],
    }
  }

  async #list(home: SourcesHome): Promise<Grant[]> {
    const providers = await this.#context.providers()
    const uses = await grantUsesNow(this.#context, home)
    const grants = uses.map(({ grant }) => grant)
    return uses.map((use) => wireGrant(use, { providers, grants }))
  }

  /** The request that takes the consent redeems it; others wait for the outcome. */
  async #finish(viewer: Viewer, home: SourcesHome, address: string): Promise<Consent> {
    const answered = await answeredBy(viewer, home, address)
    if (answered.outcome !== undefined && 'grant' in answered.outcome) return answered
    const begun = await home.consents.take(answered.id)
    if (begun !== undefined) {
      await this.#redeem(answered, { begun, address }, { viewer, home })
      return findConsent(viewer, home, answered.id)
    }
    const deadline = performance.now() + LONGEST_REDEMPTION_MS
    for (;;) {
      const now = await findConsent(viewer, home, answered.id)
      if (now.outcome !== undefined || performance.now() > deadline) return now
      await sleep(POLL_MS, undefined, { signal: this.#context.stopping })
    }
  }

  /** @param begun the taken consent; returned unless the provider received the code */
  async #redeem(
    consent: Consent,
    { begun, address }: { readonly begun: string; readonly address: string },
    { viewer, home }: { readonly viewer: Viewer; readonly home: SourcesHome },
  ): Promise<void> {
    let before: readonly GrantView[]
    let started: StartedGrant | undefined
    let grant: GrantView
    try {
      before = await grantsOfFamily(home, consent)
      started = await home.grants.resume(begun)
      grant = await started.complete(address, this.#context.stopping)
    } catch (error) {
      // If the provider did not respond, the same address can be sent again.
      const problem = error instanceof AppError && error.code !== 'unavailable' ? { problem: error.message } : undefined
      if (!started?.isUsed()) await home.consents.giveBack(consent.id, begun, problem)
      else await home.consents.end(consent.id, problem ?? { problem: FAILED })
      if (problem === undefined) throw error
      await this.#context.publish()
      return
    }
    await this.#granted(home, consent.id, { grant, before, viewer })
  }

  /** Stores the outcome; connections of another account get an `account` setting in config.yaml. */
  async #granted(home: SourcesHome, id: string, { grant, before, viewer }: NewGrant): Promise<void> {
    const context = this.#context
    await home.consents.end(id, { grant: grant.id, notes: [...grant.notes] })
    this.#note(viewer, 'grant_made', grant)
    await context.serialize(async () => {
      const changes = pinnedConnections(grant, before, await accessNow(context))
      if (changes.length > 0) {
        const found = context.settings.read()
        context.settings.write(found, withConnectionEntries(found.text, changes, context.settings.fileName))
        await context.reload()
      }
      // Starts connections that waited for this access.
      for (const ref of servedBy(grant, await grantUsesNow(context, await context.home()))) {
        await context.runSoon(ref, { full: false, again: true })
      }
      await context.publish()
    })
  }

  async #endFailed(home: SourcesHome, consent: Consent, error: unknown): Promise<void> {
    const isExpected = error instanceof AppError
    if (!isExpected) this.#context.log.error({ err: error }, 'a device-code consent failed unexpectedly')
    await home.consents.end(consent.id, { problem: isExpected ? error.message : FAILED })
    await this.#context.publish()
  }

  #note({ principal }: Viewer, kind: 'grant_made' | 'grant_removed', grant: GrantView): void {
    const entry = { kind, provider: grant.provider, account: grant.title }
    this.#context.service.activity.note(principal.accountId, actorOf(principal), entry)
  }
}

interface NewGrant {
  readonly grant: GrantView
  /** The previous grant of the family. */
  readonly before: readonly GrantView[]
  readonly viewer: Viewer
}

const FAILED = 'Something went wrong. Start again.'

function factsOf(
  { provider, family }: { readonly provider: string; readonly family: string },
  { connectors, name = 'me' }: { readonly connectors: readonly string[]; readonly name?: string | undefined },
) {
  return { provider, family, connectors: [...connectors], name }
}

/** @throws AppError `not_found`, also for another person's consent */
async function findConsent({ personId }: Viewer, { consents }: SourcesHome, id: string): Promise<Consent> {
  const found = await consents.find(id)
  if (found?.personId === personId) return found
  throw new AppError('not_found', 'This sign-in expired or belongs to somebody else. Start again.')
}

/** Stops waiting for a code when the consent was canceled, possibly in another process. */
async function endWhenGivenUp({ consents }: SourcesHome, id: string, ending: AbortController): Promise<void> {
  while (!ending.signal.aborted) {
    await sleep(GIVEN_UP_POLL_MS, undefined, { ref: false })
    const found = await consents.find(id).catch(() => 'not known')
    if (found === undefined) ending.abort()
  }
}

/** Finds the consent by the `state` in the address. @throws AppError `invalid` when this person has no such consent */
async function answeredBy({ personId }: Viewer, { consents }: SourcesHome, address: string): Promise<Consent> {
  const state = URL.parse(address.trim())?.searchParams.get('state') ?? undefined
  const found = state === undefined ? undefined : await consents.answeredBy(state)
  if (found?.personId === personId) return found
  throw new AppError('invalid', "This link doesn't match your sign-in. Start again, and paste the whole address.", {
    field: 'address',
  })
}

async function grantsOfFamily(
  { grants }: SourcesHome,
  { provider, family }: Pick<Consent, 'provider' | 'family'>,
): Promise<readonly GrantView[]> {
  return grantsOf(provider, family, await grants.list())
}

function servedBy(grant: GrantView, uses: Awaited<ReturnType<typeof grantUsesNow>>) {
  const ids = uses.find((use) => use.grant.id === grant.id)?.connections ?? []
  return ids.map((id) => ({ connector: id.slice(0, id.indexOf('/')), name: id.slice(id.indexOf('/') + 1) }))
}

/**
 * The redirect URI: the app itself, if the provider accepts its loopback address; otherwise an address without a
 * server, which the person copies from the browser and pastes.
 * @param address the app's address
 * @param paste requests an address to paste in any case
 * @returns in `url`, the port `*` stands for any port
 */
export function redirectFor(
  { redirect }: OAuthProvider,
  address: string,
  paste = false,
): { readonly kind: 'automatic' | 'paste'; readonly url: string } {
  if (redirect.kind === 'paste') return { kind: 'paste', url: redirect.url }
  const { host, port, path, takesLongerPaths } = redirect
  const { protocol, hostname, origin } = new URL(address)
  if (!paste && port === 0 && takesLongerPaths === true && protocol === 'http:' && hostname === host) {
    return { kind: 'automatic', url: `${origin}${RETURN_PATH}` }
  }
  return { kind: 'paste', url: `http://${host}:${port === 0 ? '*' : port}${path}` }
}
