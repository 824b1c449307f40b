import { randomInt } from 'node:crypto'
import type { GrantsDesk } from '../app-api/sources-desk.ts'
import type { Viewer } from '../app-api/viewer.ts'
import type { Grant, PendingGrant } from '../app-api/wire/grants.ts'
import { pinnedConnections } from '../cli/connect-names.ts'
import { grantsOf } from '../cli/connect-sources.ts'
import { withConnectionEntries } from '../config/connection-entry.ts'
import type { OAuthProvider } from '../connector/oauth-provider.ts'
import { AppError } from '../domain/errors.ts'
import { systemClock } from '../kit/clock.ts'
import type { GrantView } from '../oauth/grant-desk.ts'
import { actorOf } from '../service/activity.ts'
import { accessNow, grantUsesNow } from './grant-uses.ts'
import { wireGrant, wireProvider } from './grant-wire.ts'
import { type PendingConsent, pendingConsents } from './pending-consents.ts'
import { planConsent } from './plan-consent.ts'
import { homeOf, type SourcesContext, type SourcesHome } from './sources-context.ts'
import { whyFixed } from './why-fixed.ts'

/** The page of the app that browsers come back to. */
const RETURN_PATH = '/app/connected'
/** RFC 6335, 6: no program has a claim to a port from here on. */
const FIRST_DYNAMIC_PORT = 49_152
const LAST_PORT = 65_535

/** What was granted for the connections of this home, as the web app shows and changes it. */
export function grantsDesk(context: SourcesContext): GrantsDesk {
  const pending = pendingConsents(systemClock)

  async function show(consent: PendingConsent, home: SourcesHome): Promise<PendingGrant> {
    const { outcome } = consent
    const granted = outcome !== undefined && 'grant' in outcome ? outcome.grant : undefined
    const { id, url, code, redirect, provider, connectors, name } = consent
    return {
      ...{ id, url, code, redirect, provider, name, connectors: [...connectors] },
      state: outcome === undefined ? 'waiting' : granted === undefined ? 'failed' : 'granted',
      redirect_url: consent.redirectUrl,
      expires_at: consent.expiresAt.toISOString(),
      problem: outcome !== undefined && 'problem' in outcome ? outcome.problem : null,
      grant: granted === undefined ? null : await oneGrant(granted.id, home),
      notes: [...(granted?.notes ?? [])],
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
  async function granted(consent: PendingConsent, { grant, before }: Made, viewer: Viewer): Promise<void> {
    consent.outcome = { grant }
    const { principal } = viewer
    const entry = { kind: 'grant_made', provider: grant.provider, account: grant.title } as const
    context.service.activity.note(principal.accountId, actorOf(principal), entry)
    await context.inTurn(async () => {
      const changes = pinnedConnections(grant, before, await accessNow(context))
      if (changes.length > 0) {
        const found = context.settings.read()
        context.settings.write(found, withConnectionEntries(found.text, changes, context.settings.fileName))
        await context.takeUp()
      }
      // What waited for this access is read now.
      for (const ref of servedBy(grant, await grantUsesNow(context, await context.home()))) {
        context.scheduler()?.runNow(ref, { full: false, again: true })
      }
      await context.tell()
    })
  }
  const ofFamily = async ({ grants }: SourcesHome, { provider, family }: Pick<PendingConsent, 'provider' | 'family'>) =>
    grantsOf(provider, family, await grants.list())

  async function redeem(
    consent: PendingConsent,
    address: string,
    { viewer, home }: { readonly viewer: Viewer; readonly home: SourcesHome },
  ): Promise<void> {
    const before = await ofFamily(home, consent)
    const signal = AbortSignal.any([consent.ending.signal, context.stopping])
    const made = await consent.complete?.(address, signal).catch((error: unknown) => {
      // The provider did not answer: the same address may be sent again.
      if (!(error instanceof AppError) || error.code === 'unavailable') throw error
      return error
    })
    if (made instanceof AppError) {
      consent.outcome = { problem: made.message }
      await context.tell()
    } else if (made !== undefined) await granted(consent, { grant: made, before }, viewer)
  }

  return {
    async grants(viewer, address) {
      const home = await context.home()
      const isOther = home.accountId !== viewer.principal.accountId
      const why = whyFixed(context, viewer)
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
      const started = await home.grants.begin({ ...asked, redirectUrl })
      const consent = pending.add({
        ...ofViewer(viewer),
        ...{
          provider: asked.provider,
          family: asked.family,
          connectors: request.connectors,
          name: request.name ?? 'me',
        },
        ...{ url: started.url, code: null, redirect: way.kind, redirectUrl },
        state: new URL(started.url).searchParams.get('state') ?? undefined,
        complete: (back, signal) => started.complete(back, signal),
        ending: new AbortController(),
      })
      return show(consent, home)
    },
    async complete(viewer, address) {
      const home = await homeOf(context, viewer)
      const consent = pending.answeredBy(viewer, address)
      if (consent.outcome === undefined || !('grant' in consent.outcome)) {
        consent.completing ??= redeem(consent, address, { viewer, home }).finally(() => {
          consent.completing = undefined
        })
        await consent.completing
      }
      return show(consent, home)
    },
    async beginDevice(viewer, request) {
      const home = await homeOf(context, viewer)
      const { request: asked } = await planConsent(context, home, request)
      const before = await ofFamily(home, asked)
      const shown = Promise.withResolvers<PendingConsent>()
      const ending = new AbortController()
      const signal = AbortSignal.any([ending.signal, context.stopping])
      const onCode = (code: string, url: string) => {
        const consent = pending.add({
          ...ofViewer(viewer),
          ...{
            provider: asked.provider,
            family: asked.family,
            connectors: request.connectors,
            name: request.name ?? 'me',
          },
          ...{ url, code, redirect: null, redirectUrl: null, state: undefined, complete: undefined, ending },
        })
        shown.resolve(consent)
      }
      const finish = async () => {
        const grant = await home.grants.byDevice({ ...asked, onCode, signal })
        await granted(await shown.promise, { grant, before }, viewer)
      }
      finish().catch(async (error: unknown) => {
        shown.reject(error)
        const consent = await shown.promise.catch(() => undefined)
        if (consent === undefined || consent.outcome !== undefined || signal.aborted) return
        if (!(error instanceof AppError)) context.log.error({ err: error }, 'a consent by a code failed unexpectedly')
        consent.outcome = { problem: error instanceof AppError ? error.message : 'It failed unexpectedly: begin anew.' }
        await context.tell()
      })
      return show(await shown.promise, home)
    },
    async pending(viewer, id) {
      return show(pending.find(viewer, id), await homeOf(context, viewer))
    },
    giveUp: (viewer, id) => pending.giveUp(viewer, id),
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
}

function ofViewer({ personId, principal }: Viewer) {
  return { personId, accountId: principal.accountId }
}

function servedBy(grant: GrantView, uses: Awaited<ReturnType<typeof grantUsesNow>>) {
  const ids = uses.find((use) => use.grant.id === grant.id)?.connections ?? []
  return ids.map((id) => ({ connector: id.slice(0, id.indexOf('/')), name: id.slice(id.indexOf('/') + 1) }))
}

/**
 * Where the browser is sent back to. To the app itself when it is looked at under a loopback address that the provider
 * takes; else to an address where nothing answers, which the person copies. `*`: any port.
 *
 * @param address under which the app is looked at
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
