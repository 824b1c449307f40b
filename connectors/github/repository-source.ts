import type { Context, Partition } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { accountPart, type NamedPart, sourceItemId } from '../../src/connector/source-item-id.ts'
import { enterpriseHost } from './github-account.ts'
import type { Repository } from './github-answers.ts'
import type { GithubConfig } from './github-config.ts'
import { apiUrl, type GithubGateway } from './github-gateway.ts'
import type { GraphqlState } from './graphql-state.ts'

/** Everything a run needs to read one repository. */
export interface RepositorySource {
  readonly repository: Repository
  readonly partition: Partition
  readonly gateway: GithubGateway
  readonly context: Context<GithubConfig>
  readonly graphql: GraphqlState
}

/** A path in the repository's API, by its name. */
export function repositoryRoute(
  { repository }: Pick<RepositorySource, 'repository'>,
  path: string,
  params: Readonly<Record<string, string | number | undefined>> = {},
) {
  return {
    path: `/repos/{owner}/{repo}${path}`,
    params: { owner: repository.owner.login, repo: repository.name, ...params },
    repositoryId: repository.id,
  }
}

/** The error that skips a lost partition. */
export function lostPartition({ partition }: RepositorySource, status: number): SourceError {
  const why = status === 301 ? 'has moved' : 'was deleted, or the token has no access to it'
  return new SourceError('skip', `${partition.title} can't be read: the repository ${why}.`)
}

/**
 * `gh:1234:issue=7`. Repository ids of Enterprise servers are prefixed with the
 * host.
 */
export function githubItemId(
  { context, repository }: Pick<RepositorySource, 'context' | 'repository'>,
  ...parts: readonly (string | NamedPart)[]
): string {
  const host = enterpriseHost(apiUrl(context.config))
  return sourceItemId('gh', ...(host === undefined ? [] : [accountPart(host)]), String(repository.id), ...parts)
}

/** Item fields shared by all items of a repository. */
export function repositoryFields({ repository }: Pick<RepositorySource, 'repository'>) {
  return {
    sourceType: 'github' as const,
    where: repository.full_name,
    parents: [repository.owner.login, repository.name],
    visibility: visibilityOf(repository),
  }
}

export function takesPullRequests({ context }: Pick<RepositorySource, 'context'>): boolean {
  return context.config.kinds.includes('pull_requests')
}

export function takesBots({ context }: Pick<RepositorySource, 'context'>): boolean {
  return context.config.bots === 'include'
}

function visibilityOf({ visibility, private: hidden }: Repository): 'private' | 'shared' | 'public' {
  if (visibility === 'internal') return 'shared'
  return hidden ? 'private' : 'public'
}
