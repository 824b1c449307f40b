/** The arguments of a connection. */
export interface Bounds {
  readonly first?: number
  readonly after?: string | null
}

/** A page of a list as GraphQL has it. */
export function connection<T, J>(all: readonly T[], { first = 0, after }: Bounds, render: (entry: T) => J) {
  const start = after ? Number(after.slice(1)) : 0
  const nodes = all.slice(start, start + first).map(render)
  const end = start + nodes.length
  return {
    totalCount: all.length,
    pageInfo: { hasNextPage: end < all.length, endCursor: nodes.length > 0 ? `c${end}` : null },
    nodes,
  }
}

/** GraphQL has no `[bot]` in the names of bots. */
export function actorObject(login: string | undefined) {
  if (login === undefined) return null
  const isBot = login.endsWith('[bot]') || login.endsWith('-app')
  return { __typename: isBot ? 'Bot' : 'User', login: login.replace(/\[bot\]$/, '') }
}
