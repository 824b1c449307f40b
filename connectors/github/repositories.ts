import { z } from 'zod'
import type { Choice, Context } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { installedRepositoriesAnswer, type Repository, repositoryAnswer } from './github-answers.ts'
import type { GithubConfig } from './github-config.ts'
import type { GithubGateway, Route } from './github-gateway.ts'
import { glob } from './glob.ts'
import { steadyPages } from './listing-pages.ts'

/** Up to this number, repositories are requested by name; more are looked up in the full list, 100 per request. */
const ASKED_BY_NAME = 3

export interface ConfiguredRepositories {
  /** Each once. */
  readonly found: readonly Repository[]
  /** Names that the settings list without excluding them, and GitHub does not find, with a warning in the log. */
  readonly missing: readonly string[]
}

export async function configuredRepositories(
  gateway: GithubGateway,
  { config, log }: Pick<Context<GithubConfig>, 'config' | 'log'>,
): Promise<ConfiguredRepositories> {
  const rules = config.repositories
  const names = (rules ?? []).filter((rule) => !/[*?]/.test(rule))
  const hasPatterns = rules === undefined || names.length < rules.length
  const isListed = hasPatterns || names.length > ASKED_BY_NAME
  const listed = isListed ? await ownRepositories(gateway, hasPatterns) : []
  const chosen = rules === undefined ? listed : listed.filter(({ full_name }) => glob(rules).matches(full_name))
  const missing: string[] = []
  for (const name of names) {
    if (chosen.some(({ full_name }) => full_name.toLowerCase() === name.toLowerCase())) continue
    const [owner = '', repo = ''] = name.split('/')
    const repository = await readRepository(gateway, { path: '/repos/{owner}/{repo}', params: { owner, repo } })
    if (repository !== undefined) {
      chosen.push(repository)
      continue
    }
    missing.push(name)
    log.warn({ repository: name }, 'a configured repository was not found')
  }
  const excluded = glob(config.exclude)
  const byId = new Map(chosen.map((repository) => [repository.id, repository]))
  return {
    found: [...byId.values()].filter(({ full_name }) => !excluded.matches(full_name)),
    missing: missing.filter((name) => !excluded.matches(name)),
  }
}

/** What a rule with `*` can match. */
export async function repositoryChoices(
  gateway: GithubGateway,
  { repositories, exclude }: Pick<GithubConfig, 'repositories' | 'exclude'>,
): Promise<readonly Choice[]> {
  const excluded = glob(exclude)
  const chosen = repositories && glob(repositories)
  const own = await ownRepositories(gateway, true)
  return own
    .filter(({ full_name }) => !excluded.matches(full_name))
    .map(({ full_name, owner, private: isPrivate, pushed_at: pushedAt }) => ({
      value: full_name,
      group: owner.login,
      groupValue: `${owner.login}/*`,
      isPrivate,
      ...(pushedAt && { updatedAt: pushedAt }),
      isChosen: chosen?.matches(full_name) ?? true,
    }))
}

/** By its number, which outlives renames and transfers. */
export function repositoryById(gateway: GithubGateway, id: number): Promise<Repository | undefined> {
  return readRepository(gateway, { path: '/repositories/{id}', params: { id }, repositoryId: id })
}

async function readRepository(gateway: GithubGateway, route: Route): Promise<Repository | undefined> {
  const answer = await gateway.get(repositoryAnswer, route)
  return answer.outcome === 'found' ? answer.data : undefined
}

/** @param hasPatterns repositories not listed count as lost; full names are requested one by one */
async function ownRepositories(gateway: GithubGateway, hasPatterns: boolean): Promise<Repository[]> {
  const pages = (await personalRepositories(gateway)) ?? (await installedRepositories(gateway))
  if ('outcome' in pages) throw new SourceError('reauthorize', "The token can't list repositories.")
  if (hasPatterns && pages.some(({ headers }) => headers['x-github-sso']?.startsWith('partial-results'))) {
    throw new SourceError(
      'reauthorize',
      'GitHub hides repositories of organizations with single sign-on. Authorize the token for them at https://github.com/settings/tokens, or list each repository in repositories.',
    )
  }
  return pages.flatMap(({ data }) => data)
}

/** `undefined`: GitHub rejects the request, as for tokens of app installations. */
async function personalRepositories(gateway: GithubGateway) {
  const affiliation = 'owner,collaborator,organization_member'
  const route = { path: '/user/repos', params: { affiliation, sort: 'created', direction: 'asc', per_page: 100 } }
  try {
    return await steadyPages(gateway, z.array(repositoryAnswer), route)
  } catch (error) {
    if (error instanceof SourceError && error.remedy === 'skip') return undefined
    throw error
  }
}

function installedRepositories(gateway: GithubGateway) {
  const route = { path: '/installation/repositories', params: { per_page: 100 } }
  return steadyPages(gateway, installedRepositoriesAnswer, route)
}
