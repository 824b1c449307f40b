import { usableCredentials } from '../config/credentials.ts'
import { AppError } from '../domain/errors.ts'
import type { Service } from '../service/service.ts'
import { welcomeAddress } from '../service/welcome-address.ts'

/** The account of the key in credentials.json, which is the one that this machine works with; else the first. */
async function homeAccount(service: Service, credentials: string): Promise<string | undefined> {
  const apiKey = usableCredentials(credentials)?.apiKey
  try {
    return (await service.authenticate(apiKey)).accountId
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unauthenticated') throw error
    return (await service.accounts.list())[0]?.accountId
  }
}

/** The link by which the first person signs up to the app; those of earlier starts are over. `undefined`: somebody has. */
export async function firstLink(
  service: Service,
  { credentials, baseUrl }: { credentials: string; baseUrl: string },
): Promise<string | undefined> {
  const accountId = await homeAccount(service, credentials)
  const link = accountId === undefined ? undefined : await service.people.links.first(accountId)
  return link && welcomeAddress(baseUrl, link.token)
}
