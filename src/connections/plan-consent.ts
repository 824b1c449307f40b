import { AppError } from '../domain/errors.ts'
import type { BeginRequest } from '../http/app/schemas/grants.ts'
import { connectorView } from './connector-view.ts'
import { accessNow } from './grant-views.ts'
import { type ConsentPlan, grantsOf, isOf, planConsents, scopesToAsk, servingGrant } from './grantable-sources.ts'
import type { GrantRequest, GrantView } from './oauth/oauth-grants.ts'
import type { SourcesContext, SourcesHome } from './sources-context.ts'

export type ConsentRequest = Omit<BeginRequest, 'paste'>

/**
 * The request to a provider: the scopes that these connections need, and those of the replaced grant.
 * @throws AppError `invalid` for connectors of several consents, and when no OAuth client is known
 */
export async function planConsent(
  context: SourcesContext,
  { grants: service }: SourcesHome,
  request: ConsentRequest,
): Promise<{ readonly plan: ConsentPlan; readonly request: GrantRequest }> {
  const { provider: id, connectors: sources, name = 'me' } = request
  const provider = (await context.providers()).find((one) => one.id === id)
  if (provider === undefined) throw new AppError('invalid', `Unknown provider ${id}.`, { field: 'provider' })
  const nothing = { connections: [], wrong: [] }
  const connectors = await Promise.all(
    Object.values(context.registry).map(async (load) => connectorView(await load(), nothing)),
  )
  const access = await accessNow(context)
  const [plan, another] = planConsents(provider, { sources, name }, { connectors, access })
  if (plan === undefined || another !== undefined) {
    const sentence = `${provider.title} needs a separate consent for each of these. Connect them one at a time.`
    throw new AppError('invalid', sentence, { field: 'connectors' })
  }
  const grants = await service.list()
  const ofFamily = grantsOf(id, plan.family.id, grants)
  const bound = boundGrant(plan, name, { access, ofFamily })
  const asked = request.account
  const account = asked ?? bound?.title
  const replaced = asked === undefined ? bound : ofFamily.find((grant) => isOf(grant, asked))
  const earlier = replaced ?? grants.findLast((grant) => grant.provider === id)
  const scopes = scopesToAsk(plan, {
    grants,
    access,
    ...(asked !== undefined && { account: asked }),
    ...(bound && { bound }),
  })
  return {
    plan,
    request: {
      provider: id,
      family: plan.family.id,
      scopes,
      client: await clientFor(provider, request, earlier && (await service.knownClient(id, earlier.id))),
      place: placeOf(request, earlier),
      // Its title, if it was named by its id.
      ...(account !== undefined && { account: replaced?.title ?? account }),
    },
  }
}

/** The grant that the connections currently use, if it is the same. */
function boundGrant(
  { sources }: ConsentPlan,
  name: string,
  {
    access,
    ofFamily,
  }: { readonly access: Awaited<ReturnType<typeof accessNow>>; readonly ofFamily: readonly GrantView[] },
): GrantView | undefined {
  const ids = sources.map(({ connector }) => connector.id)
  const serving = access
    .filter((one) => one.name === name && ids.includes(one.connector))
    .map(({ need }) => servingGrant(need?.account, ofFamily))
  return new Set(serving).size === 1 ? serving[0] : undefined
}

async function clientFor(
  { title, clientSecret: wants }: ConsentPlan['provider'],
  { client }: ConsentRequest,
  known: GrantRequest['client'] | undefined,
): Promise<GrantRequest['client']> {
  if (client === undefined) {
    if (known !== undefined) return known
    throw new AppError('invalid', `${title} needs your own OAuth client. Enter its client ID.`, { field: 'client' })
  }
  const isKnown = known?.clientId === client.client_id
  const clientSecret = client.client_secret ?? (isKnown ? known.clientSecret : undefined)
  if (wants === 'required' && clientSecret === undefined) {
    throw new AppError('invalid', `${title} also needs the client secret.`, { field: 'client' })
  }
  return { clientId: client.client_id, ...(clientSecret !== undefined && { clientSecret }) }
}

/** Settings that were not entered again are kept. */
function placeOf({ place = {} }: ConsentRequest, earlier: GrantView | undefined): GrantRequest['place'] {
  const given = {
    ...(place.auth_url !== undefined && { authUrl: place.auth_url }),
    ...(place.api_url !== undefined && { apiUrl: place.api_url }),
    ...(place.tenant !== undefined && { tenant: place.tenant }),
    ...(place.cloud !== undefined && { cloud: place.cloud }),
  }
  return { ...earlier?.place, ...given }
}
