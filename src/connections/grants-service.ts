import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { withConnectionEntries } from '../config/connection-entry.ts'
import type { OAuthProvider } from '../connector/oauth-provider.ts'
import { AppError } from '../domain/errors.ts'
import type { Grant, PendingGrant } from '../http/app/schemas/grants.ts'
import { actorOf } from '../service/activity.ts'
import type { Viewer } from '../service/principal.ts'
import { accessNow, grantUsesNow, wireGrant, wireProvider } from './grant-views.ts'
import { grantsOf, pinnedConnections } from './grantable-sources.ts'
import type { Consent } from './oauth/consents.ts'
import type { GrantView } from './oauth/oauth-grants.ts'
import { planConsent } from './plan-consent.ts'
import { homeOf, lockedReason, type SourcesContext, type SourcesHome } from './sources-context.ts'
import type { GrantsService } from './sources-contract.ts'

/** The page of the app that browsers come back to. */
const RETURN_PATH = '/app/connected'
/** RFC 6335, 6: no program has a claim to a port from here on. */
const FIRST_DYNAMIC_PORT = 49_152
const LAST_PORT = 65_535

/** While somebody else redeems what came back. */
const LOOK_MS = 250
const LONGEST_REDEMPTION_MS = 60_000
const GIVEN_UP_LOOK_MS = 1_000

/** What was granted for the connections of this home, as the web app shows and changes it. */
export function grantsService(context: SourcesContext): GrantsService {
  async function show(consent: Consent, home: SourcesHome): Promise<PendingGrant> {
    const { outcome } = consent
    const granted = outcome !== undefined && 'grant' in outcome ? outcome : undefined
    const { id, url, code, redirect, provider, connectors, name } = consent
    return {
      ...{ id, url, code, redirect, provider, name, connectors },
      state: outcome === undefined ? 'waiting' : granted === undefined ? 'failed' : 'granted',
      redirect_url: consent.redirectUrl,
      expires_at: consent.expiresAt.toISOString(),
      problem: outcome !== undefined && 'problem' in outcome ? outcome.problem : null,
      grant: granted === undefined ? null : await oneGrant(granted.grant, home),
      notes: granted?.notes ?? [],
    }
  }
  async function allGrants(home: SourcesHome): Promise<Grant[]> {
    const providers = await context.providers()
    const uses = await grantUsesNow(context, home)
    const grants = uses.map(({ grant }) => grant)
    return uses.map((use) => wireGrant(use, { providers, grants }))
  }
  const oneGrant = async (id: string, home: SourcesHome) =>
    (await allGrants(home)).find((grant) => grant.id === id) ?? null

  /** Takes note of a grant that was made; connections of another account say from now on whose they are. */
  async function granted(home: SourcesHome, id: string, { grant, before, viewer }: Made): Promise<void> {
    await home.consents.end(id, { grant: grant.id, notes: [...grant.notes] })
    const { principal } = viewer
    const entry = { kind: 'grant_made', provider: grant.provider, account: grant.title } as const
    context.service.activity.note(principal.accountId, actorOf(principal), entry)
    await context.inTurn(async () => {
      const changes = pinnedConnections(grant, before, await accessNow(context))
      if (changes.length > 0) {
        const found = context.settings.read()
        context.settings.write(found, withConnectionEntries(found.text, changes, context.settings.fileName))
        await context.reload()
      }
      // What waited for this access is read now.
      for (const ref of servedBy(grant, await grantUsesNow(context, await context.home()))) {
        await context.runSoon(ref, { full: false, again: true })
      }
      await context.tell()
    })
  }
  const ofFamily = async ({ grants }: SourcesHome, { provider, family }: Pick<Consent, 'provider' | 'family'>) =>
    grantsOf(provider, family, await grants.list())

  /** @param begun that was taken; put back unless the provider had the code */
  async function redeem(
    consent: Consent,
    { begun, address }: { readonly begun: string; readonly address: string },
    { viewer, home }: { readonly viewer: Viewer; readonly home: SourcesHome },
  ): Promise<void> {
    let before: Awaited<ReturnType<typeof ofFamily>>
    let started: Awaited<ReturnType<typeof home.grants.resume>> | undefined
    let grant: GrantView
    try {
      before = await ofFamily(home, consent)
      started = await home.grants.resume(begun)
      grant = await started.complete(address, context.stopping)
    } catch (error) {
      // When the provider did not answer, the same address may be sent again.
      const problem = error instanceof AppError && error.code !== 'unavailable' ? { problem: error.message } : undefined
      if (!started?.isUsed()) await home.consents.giveBack(consent.id, begun, problem)
      else await home.consents.end(consent.id, problem ?? { problem: FAILED })
      if (problem === undefined) throw error
      await context.tell()
      return
    }
    await granted(home, consent.id, { grant, before, viewer })
  }

  /** Whoever takes it redeems it; everybody else is told how that ended. */
  async function finish(viewer: Viewer, home: SourcesHome, address: string): Promise<Consent> {
    const answered = await answeredBy(viewer, home, address)
    const isOver = (consent: Consent) => consent.outcome !== undefined && 'grant' in consent.outcome
    if (isOver(answered)) return answered
    const begun = await home.consents.take(answered.id)
    if (begun !== undefined) {
      await redeem(answered, { begun, address }, { viewer, home })
      return find(viewer, home, answered.id)
    }
    const deadline = performance.now() + LONGEST_REDEMPTION_MS
    for (;;) {
      const now = await find(viewer, home, answered.id)
      if (now.outcome !== undefined || performance.now() > deadline) return now
      await sleep(LOOK_MS, undefined, { signal: context.stopping })
    }
  }

  return {
    async grants(viewer, address) {
      const home = await context.home()
      const isOther = home.accountId !== viewer.principal.accountId
      const why = lockedReason(context, viewer)
      const grants = isOther ? [] : await allGrants(home)
      const providers = await context.providers()
      return {
        grants,
        providers: await Promise.all(
          providers.map(async (provider) => {
            const client = isOther ? undefined : await home.grants.knownClient(provider.id)
            return wireProvider(provider, {
              registry: context.registry,
              redirect: redirectFor(provider, address),
              client,
            })
          }),
        ),
        editable: !isOther && why === undefined,
        why_not_editable: isOther
          ? 'The sources of this server fill another memory than the one you look at.'
          : (why ?? null),
        memory_of_other: isOther,
      }
    },
    async begin(viewer, { paste = false, ...request }, address) {
      const home = await homeOf(context, viewer)
      const { plan, request: asked } = await planConsent(context, home, request)
      const way = redirectFor(plan.provider, address, paste)
      const redirectUrl = way.url.replace(/:\*(?=\/|$)/, () => `:${randomInt(FIRST_DYNAMIC_PORT, LAST_PORT + 1)}`)
      const { url, state, begun } = await home.grants.begin({ ...asked, redirectUrl })
      const facts = { ...factsOf(asked, request), url, code: null, redirect: way.kind, redirectUrl }
      const { personId } = viewer
      return show(await home.consents.add({ personId, facts, answer: { state, begun } }), home)
    },
    async complete(viewer, address) {
      const home = await homeOf(context, viewer)
      return show(await finish(viewer, home, address), home)
    },
    async beginDevice(viewer, request) {
      const home = await homeOf(context, viewer)
      const { request: asked } = await planConsent(context, home, request)
      const before = await ofFamily(home, asked)
      const shown = Promise.withResolvers<Consent>()
      const ending = new AbortController()
      const signal = AbortSignal.any([ending.signal, context.stopping])
      const onCode = (code: string, url: string) => {
        const facts = { ...factsOf(asked, request), url, code, redirect: null, redirectUrl: null }
        shown.resolve(home.consents.add({ personId: viewer.personId, facts }))
      }
      const finishDevice = async () => {
        const grant = await home.grants.byDevice({ ...asked, onCode, signal })
        await granted(home, (await shown.promise).id, { grant, before, viewer })
      }
      void finishDevice()
        .catch(async (error: unknown) => {
          shown.reject(error)
          const consent = await shown.promise.catch(() => undefined)
          if (consent === undefined || signal.aborted) return
          if (!(error instanceof AppError)) context.log.error({ err: error }, 'a consent by a code failed unexpectedly')
          await home.consents.end(consent.id, { problem: error instanceof AppError ? error.message : FAILED })
          await context.tell()
        })
        .catch((error: unknown) => context.log.error({ err: error }, 'how a consent by a code ended was not stored'))
        .finally(() => ending.abort())
      const consent = await shown.promise.catch((error: unknown) => {
        ending.abort()
        throw error
      })
      void endWhenGivenUp(home, consent.id, ending)
      return show(consent, home)
    },
    async pending(viewer, id) {
      const home = await homeOf(context, viewer)
      return show(await find(viewer, home, id), home)
    },
    async giveUp(viewer, id) {
      const home = await homeOf(context, viewer)
      await home.consents.giveUp((await find(viewer, home, id)).id)
    },
    async revoke(viewer, id) {
      const home = await homeOf(context, viewer)
      const { grant, withdrawn } = await home.grants.revoke(id, context.stopping)
      const { principal } = viewer
      const entry = { kind: 'grant_removed', provider: grant.provider, account: grant.title } as const
      context.service.activity.note(principal.accountId, actorOf(principal), entry)
      await context.tell()
      return { withdrawn }
    },
  }
}

interface Made {
  readonly grant: GrantView
  /** Of the same family, before it. */
  readonly before: readonly GrantView[]
  readonly viewer: Viewer
}

const FAILED = 'It failed unexpectedly: begin anew.'

function factsOf(
  { provider, family }: { readonly provider: string; readonly family: string },
  { connectors, name = 'me' }: { readonly connectors: readonly string[]; readonly name?: string | undefined },
) {
  return { provider, family, connectors: [...connectors], name }
}

/** @throws AppError `not_found`, also when somebody else began it */
async function find({ personId }: Viewer, { consents }: SourcesHome, id: string): Promise<Consent> {
  const found = await consents.find(id)
  if (found?.personId === personId) return found
  throw new AppError('not_found', 'This was not begun by you, or too long ago: begin anew.')
}

/** A code is waited for in the process that showed it; who gives it up may reach another one. */
async function endWhenGivenUp({ consents }: SourcesHome, id: string, ending: AbortController): Promise<void> {
  while (!ending.signal.aborted) {
    await sleep(GIVEN_UP_LOOK_MS, undefined, { ref: false })
    const found = await consents.find(id).catch(() => 'not known')
    if (found === undefined) ending.abort()
  }
}

/** By the `state` in an address. @throws AppError `invalid` when it answers nothing that this person began */
async function answeredBy({ personId }: Viewer, { consents }: SourcesHome, address: string): Promise<Consent> {
  const state = URL.parse(address.trim())?.searchParams.get('state') ?? undefined
  const found = state === undefined ? undefined : await consents.answeredBy(state)
  if (found?.personId === personId) return found
  throw new AppError(
    'invalid',
    'This address answers nothing that you began here. Begin anew, and use the whole address that the browser ends at.',
    { field: 'address' },
  )
}

function servedBy(grant: GrantView, uses: Awaited<ReturnType<typeof grantUsesNow>>) {
  const ids = uses.find((use) => use.grant.id === grant.id)?.connections ?? []
  return ids.map((id) => ({ connector: id.slice(0, id.indexOf('/')), name: id.slice(id.indexOf('/') + 1) }))
}

/**
 * Where the provider sends the browser after consent: to the app itself, if the provider accepts the loopback address that
 * the app is opened at; otherwise to an address where nothing answers, which the person copies from the browser and pastes.
 *
 * @param address that the app is opened at
 * @param paste asks for an address to paste in any case
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
