import { SourceError } from '../../src/connector/source-error.ts'
import { LEAST_IN_A_QUERY } from './graphql-state.ts'
import type { RepositorySource } from './repository-source.ts'
import { type FoundThread, foundThread, threadsAnswer, threadsQuery, type WantedThread } from './thread-query.ts'

interface Group {
  readonly wanted: readonly WantedThread[]
  reading: Promise<ReadonlyMap<number, FoundThread>> | undefined
}

/**
 * Reads what listings lack of many issues and pull requests in one GraphQL query: when the first of a group is needed, and
 * the next group ahead. What GraphQL refuses, or does not answer completely, is left to REST.
 */
export class ThreadBatches {
  readonly #source: RepositorySource
  readonly #groups: Group[] = []
  readonly #groupOf = new Map<number, number>()

  /** @param wanted in the order in which they will be read */
  constructor(source: RepositorySource, wanted: readonly WantedThread[]) {
    this.#source = source
    const size = source.graphql.inAQuery
    for (let at = 0; at < wanted.length; at += size) {
      const group = wanted.slice(at, at + size)
      for (const { number } of group) this.#groupOf.set(number, this.#groups.length)
      this.#groups.push({ wanted: group, reading: undefined })
    }
  }

  /** @throws SourceError a rate limit, or a rejected token */
  async read(number: number): Promise<FoundThread> {
    const at = this.#groupOf.get(number)
    if (at === undefined) return {}
    const found = this.#group(at)
    // Its error is thrown to whoever needs it.
    this.#group(at + 1).catch(() => undefined)
    return (await found).get(number) ?? {}
  }

  #group(at: number): Promise<ReadonlyMap<number, FoundThread>> {
    const group = this.#groups[at]
    if (group === undefined) return Promise.resolve(new Map())
    group.reading ??= this.#query(group.wanted)
    return group.reading
  }

  async #query(wanted: readonly WantedThread[]): Promise<ReadonlyMap<number, FoundThread>> {
    const { gateway, repository, graphql, partition } = this.#source
    if (graphql.refused.has(repository.id)) return new Map()
    const variables = { owner: repository.owner.login, name: repository.name }
    try {
      const query = { text: threadsQuery(wanted), variables, asked: partition.title }
      const data = await gateway.graphqlPart(threadsAnswer, query)
      if (data === undefined) return new Map()
      return new Map(wanted.map(({ number }) => [number, foundThread(data, number)]))
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      this.#giveWay(error)
      return new Map()
    }
  }

  /** @throws SourceError when REST would meet the same */
  #giveWay(error: SourceError): void {
    const { graphql, context, repository } = this.#source
    if (error.limited || error.retryAt !== undefined) throw error
    if (error.remedy === 'retry') {
      graphql.inAQuery = Math.max(LEAST_IN_A_QUERY, Math.floor(graphql.inAQuery / 2))
      return
    }
    if (error.remedy !== 'skip') throw error
    if (graphql.refused.has(repository.id)) return
    graphql.refused.add(repository.id)
    context.warn(`Pull requests of ${repository.full_name} are read one by one, which takes longer: ${error.message}`)
  }
}
