import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import type { Provider } from '../../connections/grantable-sources.ts'
import { clientSteps } from '../../connections/grantable-sources.ts'
import type { GrantView, OAuthClient, OAuthGrants } from '../../connections/oauth/oauth-grants.ts'
import { AppError } from '../../domain/errors.ts'
import { failureSentence } from '../terminal/failure.ts'
import type { Prompter } from '../terminal/prompter.ts'

export interface ClientChoice {
  readonly clientId?: string
  readonly clientFile?: string
}

export interface ClientSurroundings {
  readonly desk: OAuthGrants
  readonly prompter: Prompter
  readonly say: (text: string) => void
  /** Grant that is replaced, or the latest of the provider. */
  readonly earlier?: GrantView
}

/**
 * The OAuth client that the person registered: the one that is named, else the one of an earlier grant, else the person is
 * told how to make one, and asked.
 *
 * @throws AppError `invalid` when there is none, or it lacks its secret
 */
export async function oauthClient(
  provider: Provider,
  choice: ClientChoice,
  { desk, prompter, say, earlier }: ClientSurroundings,
): Promise<OAuthClient> {
  if (choice.clientFile !== undefined) return complete(provider, clientInFile(choice.clientFile), prompter)
  const known = earlier && (await desk.knownClient(provider.id, earlier.id))
  if (choice.clientId !== undefined) {
    const isKnown = known?.clientId === choice.clientId
    return complete(provider, { clientId: choice.clientId }, prompter, isKnown ? known.clientSecret : undefined)
  }
  if (known !== undefined) return known
  if (!prompter.isTerminal) {
    throw new AppError('invalid', `${provider.title} needs an OAuth client of your own: ${howToName(provider)}.`)
  }
  say(`${provider.title} gives access to an OAuth client of your own, which you make once:\n${clientSteps(provider)}\n`)
  const clientId = await prompter.ask('Client id: ')
  if (!clientId) throw new AppError('invalid', 'No client id was given; nothing was stored.')
  return complete(provider, { clientId: checked(clientId, 'client id') }, prompter)
}

function howToName({ id, clientSecret }: Provider): string {
  const secret = clientSecret === 'required' ? ' and its secret on standard input' : ''
  return `give --client-id${secret}, or --client-file; docs/connect/${id}.md says how to make one`
}

/** @param knownSecret of this client until now; a provider may have been asked for another one since */
async function complete(
  provider: Provider,
  client: OAuthClient,
  prompter: Prompter,
  knownSecret?: string,
): Promise<OAuthClient> {
  checked(client.clientId, 'client id')
  if (client.clientSecret !== undefined || provider.clientSecret === 'none') return client
  const isOptional = provider.clientSecret === 'optional'
  // A pipe that nothing comes through would be waited for.
  if (isOptional && !prompter.isTerminal) return { ...client, ...(knownSecret && { clientSecret: knownSecret }) }
  const enter = isOptional ? 'Enter when it has none; ' : ''
  const hint = `${knownSecret === undefined ? enter : 'Enter for the one that is known; '}it is not shown`
  const secret = await prompter.ask(`Client secret (${hint}): `, { hidden: true })
  if (prompter.interrupted.aborted) throw new AppError('invalid', 'Stopped; nothing was stored.')
  if (secret) return { ...client, clientSecret: checked(secret, 'client secret') }
  if (knownSecret !== undefined) return { ...client, clientSecret: knownSecret }
  if (isOptional && secret === '') return client
  throw new AppError('invalid', `No client secret was given, and ${provider.title} wants one; nothing was stored.`)
}

/** Never repeated in the message: what was pasted may be another secret. */
function checked(value: string, what: string): string {
  if (/^[\x21-\x7e]+$/.test(value)) return value
  throw new AppError(
    'invalid',
    `A ${what} has no spaces and no letters beyond ASCII; nothing was stored. Copy it again.`,
  )
}

const client = z.looseObject({ client_id: z.string().min(1), client_secret: z.string().min(1).optional() }).transform(
  ({ client_id: clientId, client_secret: clientSecret }): OAuthClient => ({
    clientId,
    ...(clientSecret !== undefined && { clientSecret }),
  }),
)
/** As the console of Google has it downloaded; or the two values alone. */
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
    // What JSON.parse says quotes the text, which holds a secret.
    const reason = error instanceof SyntaxError ? `${file} is no JSON` : failureSentence(error)
    throw new AppError('invalid', `${reason}.`)
  }
  const parsed = clientFile.safeParse(content)
  if (parsed.success) return parsed.data
  throw new AppError('invalid', `${file} holds no client_id: give the file that the console has you download.`)
}
