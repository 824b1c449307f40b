import type { CheckContext, SourceAccount } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { enterpriseHost } from './enterprise-host.ts'
import { identityAnswer, installationAnswer } from './github-answers.ts'
import type { GithubConfig } from './github-config.ts'
import { type GithubGateway, githubGateway } from './github-gateway.ts'
import { tokenWarnings } from './token-warnings.ts'

/** Whose the token is: a person; of the token of an app, the one whose repositories it is installed on. */
export async function githubAccount(context: CheckContext<GithubConfig>): Promise<SourceAccount> {
  const { id, login, headers } = await identity(githubGateway(context))
  const host = enterpriseHost(context.config.api_url)
  return {
    account: host === undefined ? String(id) : `${host}/${id}`,
    title: host === undefined ? login : `${login} (${host})`,
    ...tokenWarnings(headers, context.clock()),
  }
}

async function identity(gateway: GithubGateway) {
  try {
    const answer = await gateway.get(identityAnswer, { path: '/user', params: {} })
    if (answer.outcome === 'found') return { ...answer.data, headers: answer.headers }
  } catch (error) {
    if (!(error instanceof SourceError) || error.remedy !== 'skip') throw error
    return installationOwner(gateway, error)
  }
  throw new SourceError(
    'reconfigure',
    'api_url does not answer as GitHub does: on Enterprise servers it ends in /api/v3.',
  )
}

/** GitHub refuses `/user` to the tokens of app installations. */
async function installationOwner(gateway: GithubGateway, refused: SourceError) {
  const answer = await gateway.get(installationAnswer, { path: '/installation/repositories', params: { per_page: 1 } })
  const owner = answer.outcome === 'found' ? answer.data.repositories[0]?.owner : undefined
  if (answer.outcome === 'found' && owner !== undefined) return { ...owner, headers: answer.headers }
  throw new SourceError('reauthorize', `${refused.message} The app of this token is installed on no repository.`, {
    cause: refused,
  })
}
