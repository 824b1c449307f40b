import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import type { Provider } from '../../connections/grantable-sources.ts'
import { clientSteps } from '../../connections/grantable-sources.ts'
import type { GrantView, OAuthClient, OAuthGrants } from '../../connections/oauth/oauth-grants.ts'
import { AppError } from '../../domain/errors.ts'
import { failureSentence } from '../terminal/failure.ts'
import type { Prompter } from '../terminal/prompter.ts'
import { messages } from './messages.ts'

export interface ClientChoice {
  readonly clientId?: string
  readonly clientFile?: string
}

export interface ClientEnvironment {
  readonly service: OAuthGrants
  readonly prompter: Prompter
  readonly say: (text: string) => void
  /** The grant to replace, or the latest of the provider. */
  readonly earlier?: GrantView
}

/**
 * The OAuth client of the person: from the options, otherwise of an earlier grant, otherwise entered after reading how
 * to create it.
 * @throws AppError `invalid` when there is none, or it lacks its secret
 */
export async function oauthClient(
  provider: Provider,
  choice: ClientChoice,
  { service, prompter, say, earlier }: ClientEnvironment,
): Promise<OAuthClient> {
  if (choice.clientFile !== undefined) return withSecret(provider, clientInFile(choice.clientFile), prompter)
  const known = earlier && (await service.knownClient(provider.id, earlier.id))
  if (choice.clientId !== undefined) {
    const isKnown = known?.clientId === choice.clientId
    return withSecret(provider, { clientId: choice.clientId }, prompter, isKnown ? known.clientSecret : undefined)
  }
  if (known !== undefined) return known
  if (!prompter.isTerminal) {
    throw new AppError(
      'invalid',
      messages.needsClient(provider.title, provider.id, provider.clientSecret === 'required'),
    )
  }
  say(`${messages.createClient(provider.title)}\n${clientSteps(provider)}\n`)
  const clientId = await prompter.ask(messages.clientIdPrompt)
  if (!clientId) throw new AppError('invalid', messages.noClientId)
  return withSecret(provider, { clientId: requireAscii(clientId, messages.clientIdField) }, prompter)
}

/** @param knownSecret the one used so far; the person may have created a new one since */
async function withSecret(
  provider: Provider,
  client: OAuthClient,
  prompter: Prompter,
  knownSecret?: string,
): Promise<OAuthClient> {
  requireAscii(client.clientId, messages.clientIdField)
  if (client.clientSecret !== undefined || provider.clientSecret === 'none') return client
  const isOptional = provider.clientSecret === 'optional'
  // Without a terminal, reading an empty pipe would wait forever.
  if (isOptional && !prompter.isTerminal) return { ...client, ...(knownSecret && { clientSecret: knownSecret }) }
  const firstPrompt = isOptional ? messages.optionalSecretPrompt : messages.secretPrompt
  const prompt = knownSecret === undefined ? firstPrompt : messages.knownSecretPrompt
  const secret = await prompter.ask(prompt, { hidden: true })
  if (prompter.interrupted.aborted) throw new AppError('invalid', messages.stopped)
  if (secret) return { ...client, clientSecret: requireAscii(secret, messages.clientSecretField) }
  if (knownSecret !== undefined) return { ...client, clientSecret: knownSecret }
  if (isOptional && secret === '') return client
  throw new AppError('invalid', messages.noClientSecret(provider.title))
}

/** The message never repeats the value, because it may be another secret. */
function requireAscii(value: string, field: string): string {
  if (/^[\x21-\x7e]+$/.test(value)) return value
  throw new AppError('invalid', messages.malformed(field))
}

const client = z.looseObject({ client_id: z.string().min(1), client_secret: z.string().min(1).optional() }).transform(
  ({ client_id: clientId, client_secret: clientSecret }): OAuthClient => ({
    clientId,
    ...(clientSecret !== undefined && { clientSecret }),
  }),
)
/** In the Google console's download format, or only the two values. */
const clientFile = z.union([
  z.looseObject({ installed: client }).transform(({ installed }) => installed),
  z.looseObject({ web: client }).transform(({ web }) => web),
  client,
])

function clientInFile(file: string): OAuthClient {
  let content: unknown
  try {
    content = JSON.parse(readFileSync(resolve(file), 'utf8'))
  } catch (error) {
    // The message of JSON.parse quotes the text, which contains a secret.
    const reason = error instanceof SyntaxError ? messages.notJson(file) : failureSentence(error)
    throw new AppError('invalid', reason)
  }
  const found = clientFile.safeParse(content)
  if (found.success) return found.data
  throw new AppError('invalid', messages.clientFileEmpty(file))
}
