import { z } from 'zod'
import type { SourceAccount } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import type { GraphGateway } from './graph-gateway.ts'
import { microsoftAccountId, PERSONAL_TENANT } from './microsoft-config.ts'

const me = z.looseObject({
  id: z.string().min(1),
  displayName: z.string().nullish(),
  mail: z.string().nullish(),
  userPrincipalName: z.string().nullish(),
})

const organization = z.looseObject({ id: z.string() })

/** The token's owner as `tenant.user`; the same for a grant and a token of one person. */
export async function graphAccount(gateway: GraphGateway): Promise<SourceAccount> {
  const query = { $select: 'id,displayName,mail,userPrincipalName' }
  const { id, displayName, mail, userPrincipalName } = await asReconfigure(() => gateway.get(me, '/me', { query }))
  const { grant } = await gateway.access()
  const title = mail ?? userPrincipalName ?? displayName ?? id
  if (grant === undefined) return { account: microsoftAccountId(await tenant(gateway), id), title }
  const { account, expiresAt } = grant
  return { account, title, ...(expiresAt && { expiresAt }) }
}

/** A personal account, which has only mail, a calendar and a OneDrive. */
export function isPersonalAccount({ account }: SourceAccount): boolean {
  return account.startsWith(`${PERSONAL_TENANT}.`)
}

/** Personal accounts have no organization, and some tenants hide theirs. */
async function tenant(gateway: GraphGateway): Promise<string | undefined> {
  try {
    const { values } = await gateway.page(organization, '/organization', { query: { $select: 'id' } })
    return values[0]?.id
  } catch (error) {
    if (error instanceof SourceError && error.remedy === 'skip') return undefined
    throw error
  }
}

async function asReconfigure<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof SourceError) || error.remedy !== 'skip') throw error
    throw new SourceError(
      'reconfigure',
      `The account of the token can't be read. The token needs the permission User.Read, and api_url must be the address of Microsoft Graph. ${error.message}`,
      { cause: error },
    )
  }
}
