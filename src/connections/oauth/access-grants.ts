import type { AccessGrant, GrantNeed, Grants } from '../../connector/access-grant.ts'
import type { OAuthProvider } from '../../connector/oauth-provider.ts'
import { SourceError } from '../../connector/source-error.ts'
import type { Advice } from '../../domain/errors.ts'
import type { Clock } from '../../lib/clock.ts'
import type { GrantRow, GrantStore } from '../../store/grants/grants.ts'
import type { CredentialCipher } from './credential-cipher.ts'
import { readPlace } from './oauth-grants.ts'
import type { Renewals } from './renewals.ts'

/** Minimum remaining validity of a token: enough for a request and a wrong clock. */
const EARLY_MS = 5 * 60_000

interface GrantsParts {
  readonly store: GrantStore
  readonly seal: CredentialCipher
  readonly renewals: Renewals
  findProvider(id: string): Promise<OAuthProvider>
  readonly clock: Clock
}

/** Grants for connectors. */
export function createGrants({ store, seal, renewals, findProvider, clock }: GrantsParts): Grants {
  /** At most half of a token's life early; otherwise a token valid for five minutes would be renewed at every use. */
  const isStale = ({ accessExpiresAt, renewedAt, grantedAt }: GrantRow) => {
    if (accessExpiresAt === undefined) return false
    const life = accessExpiresAt.getTime() - (renewedAt ?? grantedAt).getTime()
    return accessExpiresAt.getTime() - Math.min(EARLY_MS, life / 2) <= clock().getTime()
  }
  const tokenOf = (row: GrantRow) => seal.open(row).accessToken

  function accessGrant(row: GrantRow): AccessGrant {
    const { cloud, tenant } = readPlace(row.place)
    return {
      account: row.account,
      title: row.accountTitle,
      scopes: row.scopes,
      ...(row.expiresAt !== undefined && { expiresAt: row.expiresAt }),
      place: { ...(cloud !== undefined && { cloud }), ...(tenant !== undefined && { tenant }) },
      async accessToken(signal) {
        const now = await renewals.current(row.id)
        return tokenOf(isStale(now) ? await renewals.renew(row.id, isStale, signal) : now)
      },
      async replaceToken(refused, signal) {
        const isDue = (found: GrantRow) => isStale(found) || tokenOf(found) === refused
        const now = await renewals.current(row.id)
        const token = tokenOf(isDue(now) ? await renewals.renew(row.id, isDue, signal) : now)
        if (token !== refused) return token
        throw new SourceError(
          'retry',
          `The provider renewed the access of ${row.accountTitle}, but its API still refuses it. Reconnect it.`,
        )
      },
    }
  }

  return {
    async open(need) {
      const provider = await findProvider(need.provider)
      const rows = (await store.list()).filter((row) => row.provider === need.provider && row.family === need.family)
      const row = await renewals.current(chosen(rows, need, provider).id)
      // Reports at once that the grant was encrypted with another key.
      seal.open(row)
      requireScopes(row, need, provider)
      return accessGrant(row)
    },
  }
}

function chosen(rows: readonly GrantRow[], need: GrantNeed, provider: OAuthProvider): GrantRow {
  const { account, family } = need
  const advice = connectAdvice(provider, family)
  const titles = rows.map(({ accountTitle }) => accountTitle).join(', ')
  const what = provider.families.find(({ id }) => id === family)?.title ?? provider.title
  if (rows.length === 0) throw new SourceError('reconfigure', `No account is connected for ${what} yet.`, { advice })
  const asked = account?.toLowerCase()
  const fitting = rows.filter(
    (row) => asked === undefined || row.account.toLowerCase() === asked || row.accountTitle.toLowerCase() === asked,
  )
  const [first] = fitting
  if (first !== undefined && fitting.length === 1) return first
  if (first === undefined) {
    throw new SourceError('reconfigure', `${account} isn't connected for ${what}. Set account to one of: ${titles}.`, {
      advice,
    })
  }
  const choices = asked === undefined ? titles : fitting.map((row) => row.account).join(', ')
  throw new SourceError('reconfigure', `Several accounts are connected for ${what}. Set account to one of: ${choices}.`)
}

function requireScopes(row: GrantRow, need: GrantNeed, provider: OAuthProvider): void {
  const has = (scope: string) => provider.hasScope?.(row.scopes, scope) ?? row.scopes.includes(scope)
  const missing = need.scopes.filter((scope) => !has(scope))
  if (missing.length === 0) return
  throw new SourceError(
    'reconfigure',
    `The access of ${row.accountTitle} at ${provider.title} lacks ${missing.join(', ')}.`,
    { advice: connectAdvice(provider, need.family) },
  )
}

/** The advice for getting a grant of a family. */
function connectAdvice({ id, families }: Pick<OAuthProvider, 'id' | 'families'>, family: string): Advice {
  const connectors = families.find((one) => one.id === family)?.connectors ?? []
  if (connectors.includes(id)) return { action: 'connect', source: id, oauth: true }
  // The name of a provider stands for its first family.
  const [first] = families
  return { action: 'connect', source: first?.id === family ? id : (connectors[0] ?? id), oauth: false }
}
