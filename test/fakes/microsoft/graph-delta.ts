import { type GraphCall, type GraphReply, graphError, selected } from './graph-server.ts'

export type GraphEntity = Readonly<Record<string, unknown>> & { readonly id: string }

export interface DeltaOptions {
  /** As the entity appears now; by default as it was written. */
  readonly render?: (entity: GraphEntity, call: GraphCall) => Record<string, unknown>
  /** As a deletion appears: `{id, '@removed': {reason: 'deleted'}}` by default; drives say `deleted: {state}`. */
  readonly removed?: (id: string) => Record<string, unknown>
  /** Which entities the first request is about: a filter on its query. */
  readonly takes?: (entity: GraphEntity, query: URLSearchParams) => boolean
  /** Without Prefer: odata.maxpagesize and $top. */
  readonly pageSize?: number
  /** However many are asked for. */
  readonly mostPerPage?: number
}

interface Walk {
  readonly ids: readonly string[]
  readonly offset: number
  /** Position in the log when it began: what its deltaLink goes on from. */
  readonly until: number
  /** Without one it is the first walk, which tells nothing of deletions. */
  readonly since: number | undefined
  /** Of the first request; Graph keeps it in its tokens. */
  readonly query: string
}

/**
 * A collection with `delta`: what was written and removed is a log, tokens are positions in it. Answers the collection's
 * `.../delta` with pages (`@odata.nextLink` with `$skiptoken`) and at the end `@odata.deltaLink` with `$deltatoken`.
 */
export class DeltaLog {
  readonly entities = new Map<string, GraphEntity>()
  /** Tells every entity twice, once more on the next page. */
  repeats = false
  /** However many are asked for. */
  largestPage = Number.POSITIVE_INFINITY
  /** Said to tokens that have expired. */
  expired: GraphReply = graphError(410, 'SyncStateNotFound', 'The sync state generation is not found.')
  readonly #log: string[] = []
  readonly #tokens = new Map<string, Walk>()
  readonly #options: DeltaOptions
  #lastToken = 0

  constructor(options: DeltaOptions = {}) {
    this.#options = options
  }

  write(entity: GraphEntity): void {
    this.entities.set(entity.id, entity)
    this.#log.push(entity.id)
  }

  /** Changes what is there. */
  edit(id: string, change: Readonly<Record<string, unknown>>): void {
    const entity = this.entities.get(id)
    if (entity === undefined) throw new Error(`There is no ${id}`)
    this.write({ ...entity, ...change })
  }

  remove(id: string): GraphEntity | undefined {
    const entity = this.entities.get(id)
    this.entities.delete(id)
    this.#log.push(id)
    return entity
  }

  /** All tokens that were given are refused from now on. */
  expire(reply: GraphReply = this.expired): void {
    this.expired = reply
    this.#tokens.clear()
  }

  answer(call: GraphCall): GraphReply {
    const token = call.query.get('$skiptoken') ?? call.query.get('$deltatoken') ?? call.query.get('token')
    if (token === null) return this.#page(this.#begin(call), call)
    if (token === 'latest') return this.#end(this.#log.length, call.query.toString(), call)
    const walk = this.#tokens.get(token)
    return walk === undefined ? this.expired : this.#page(this.#resumed(walk), call)
  }

  #begin({ query }: GraphCall): Walk {
    const takes = this.#options.takes ?? (() => true)
    const ids = [...this.entities.values()].filter((entity) => takes(entity, query)).map(({ id }) => id)
    return { ids: this.#told(ids), offset: 0, until: this.#log.length, since: undefined, query: query.toString() }
  }

  /** A deltaLink is a walk without entries, over what has changed since. */
  #resumed(walk: Walk): Walk {
    if (walk.since === undefined || walk.ids.length > 0 || walk.offset > 0) return walk
    const ids = [...new Set(this.#log.slice(walk.since))]
    return { ...walk, ids: this.#told(ids), until: this.#log.length }
  }

  #told(ids: readonly string[]): string[] {
    return this.repeats ? [...ids, ...ids] : [...ids]
  }

  #page(walk: Walk, call: GraphCall): GraphReply {
    const wanted = /odata\.maxpagesize=(\d+)/.exec(String(call.headers.prefer ?? ''))?.[1]
    const top = new URLSearchParams(walk.query).get('$top')
    const wantedSize = Number(wanted ?? top ?? this.#options.pageSize ?? 10)
    const size = Math.min(wantedSize, this.#options.mostPerPage ?? 1_000, this.largestPage)
    const end = walk.offset + size
    const value = walk.ids.slice(walk.offset, end).flatMap((id) => this.#rendered(id, walk, call))
    if (end >= walk.ids.length) return this.#end(walk.until, walk.query, call, value)
    const token = this.#remember({ ...walk, offset: end })
    return { body: { value, '@odata.nextLink': linkTo(call, '$skiptoken', token) } }
  }

  #end(until: number, query: string, call: GraphCall, value: readonly unknown[] = []): GraphReply {
    const token = this.#remember({ ids: [], offset: 0, until, since: until, query })
    return { body: { value, '@odata.deltaLink': linkTo(call, '$deltatoken', token) } }
  }

  #rendered(id: string, { since, query }: Walk, call: GraphCall): Record<string, unknown>[] {
    const entity = this.entities.get(id)
    const asked = new URLSearchParams(query)
    const isTaken = entity !== undefined && (this.#options.takes?.(entity, asked) ?? true)
    if (!isTaken) {
      const removed = this.#options.removed ?? ((gone) => ({ id: gone, '@removed': { reason: 'deleted' } }))
      return since === undefined ? [] : [removed(id)]
    }
    return [selected(this.#options.render?.(entity, call) ?? entity, asked.get('$select'))]
  }

  #remember(walk: Walk): string {
    this.#lastToken += 1
    const token = `t${this.#lastToken}-${Math.random().toString(36).slice(2)}`
    this.#tokens.set(token, walk)
    return token
  }
}

function linkTo({ path, server }: GraphCall, parameter: string, token: string): string {
  return server.link(`${path.split('/').map(encodeURIComponent).join('/')}?${parameter}=${token}`)
}
