import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql'

export interface QueryCost {
  readonly points: number
  readonly nodeCount: number
  /** Why GitHub refuses the query. */
  readonly problem?: { readonly type: string; readonly message: string }
}

const MOST_NODES = 500_000
const MOST_IN_A_PAGE = 100

/**
 * As GitHub counts: each connection may return as many nodes as it asks for, once for each of its parents; a point for a
 * hundred connections. https://docs.github.com/en/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api
 */
export function queryCost(
  schema: GraphQLSchema,
  document: DocumentNode,
  variables: Readonly<Record<string, unknown>>,
): QueryCost {
  const counted: Count = { nodes: 0, connections: 0, problem: undefined }
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition)
  }

  const walk = ({ selections }: SelectionSetNode, parent: string, times: number): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        const inner = typeOfField(schema, parent, selection)
        if (inner === undefined || selection.selectionSet === undefined) continue
        const size = inner.endsWith('Connection') ? countPage(counted, selection, { times, variables }) : 1
        walk(selection.selectionSet, inner, times * size)
      } else {
        const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value)
        if (fragment) walk(fragment.selectionSet, fragment.typeCondition?.name.value ?? parent, times)
      }
    }
  }

  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) walk(definition.selectionSet, 'Query', 1)
  }
  const { nodes, connections } = counted
  if (nodes > MOST_NODES) {
    const message = `This query requests up to ${nodes} possible nodes which exceeds the maximum limit of 500,000.`
    counted.problem ??= { type: 'MAX_NODE_LIMIT_EXCEEDED', message }
  }
  const { problem } = counted
  return { points: Math.max(1, Math.round(connections / 100)), nodeCount: nodes, ...(problem && { problem }) }
}

interface Count {
  nodes: number
  connections: number
  problem: QueryCost['problem']
}

function typeOfField(schema: GraphQLSchema, parent: string, { name }: FieldNode): string | undefined {
  const type = schema.getType(parent)
  const field = isObjectType(type) ? type.getFields()[name.value] : undefined
  return field && getNamedType(field.type).name
}

/** @returns how many nodes a page of the connection has at most */
function countPage(
  counted: Count,
  node: FieldNode,
  { times, variables }: { readonly times: number; readonly variables: Readonly<Record<string, unknown>> },
): number {
  const first = boundOf(node, variables)
  const name = node.name.value
  // Only their number may be asked for without a page.
  if (first === undefined && node.selectionSet && !asksForNodes(node.selectionSet)) return 1
  if (first === undefined) {
    const message = `You must provide a \`first\` or \`last\` value to properly paginate the \`${name}\` connection.`
    counted.problem ??= { type: 'MISSING_PAGINATION_BOUNDARIES', message }
    return 1
  }
  if (first > MOST_IN_A_PAGE) {
    const message = `Requesting ${first} records on the \`${name}\` connection exceeds the limit of 100 records.`
    counted.problem ??= { type: 'EXCESSIVE_PAGINATION', message }
  }
  counted.connections += times
  counted.nodes += times * first
  return first
}

function asksForNodes({ selections }: SelectionSetNode): boolean {
  return selections.some((selection) => selection.kind !== Kind.FIELD || /^(nodes|edges)$/.test(selection.name.value))
}

function boundOf(node: FieldNode, variables: Readonly<Record<string, unknown>>): number | undefined {
  const value = node.arguments?.find(({ name }) => name.value === 'first' || name.value === 'last')?.value
  if (value?.kind === Kind.INT) return Number(value.value)
  return value?.kind === Kind.VARIABLE ? Number(variables[value.name.value]) : undefined
}
