import type { SourceAccount } from '../../src/connector/connector.ts'
import type { GoogleGateway } from './google-gateway.ts'

const DAY_MS = 24 * 60 * 60_000

/**
 * Whose data is read: that of the grant, else what the API tells of the owner of the token.
 *
 * @param ask an id that never changes, and a name for people; only called for tokens of the configuration
 */
export async function googleAccount(
  { granted }: GoogleGateway,
  ask: () => Promise<{ readonly account: string; readonly title: string }>,
  now: Date,
): Promise<SourceAccount> {
  if (granted === undefined) return ask()
  const { account, title, expiresAt } = granted
  if (expiresAt === undefined) return { account, title }
  const days = Math.max(0, Math.ceil((expiresAt.getTime() - now.getTime()) / DAY_MS))
  const end = `The grant ends in ${days} ${days === 1 ? 'day' : 'days'}`
  const remedy = 'publish the OAuth app ("In production") and give access again'
  return { account, title, expiresAt, warnings: [`${end}, as Google gives to apps in testing: ${remedy}.`] }
}
