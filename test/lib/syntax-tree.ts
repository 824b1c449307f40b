import { type Node, parseSync } from 'oxc-parser'

export type { Node }

export interface SourceTree {
  /** Visits every node, with those around it, nearest first. */
  walk(visit: (node: Node, ancestors: readonly Node[]) => void): void
  readonly program: ReturnType<typeof parseSync>['program']
  lineOf(node: { readonly start: number }): number
}

/** Syntax of a module. Throws when the parser finds an error. */
export function syntaxTree(path: string, source: string): SourceTree {
  const { program, errors } = parseSync(path, source)
  const [error] = errors
  if (error) throw new Error(`${path}: ${error.message}`)
  let ends: number[] | undefined
  return {
    program,
    walk: (visit) => walk(program, [], visit),
    lineOf({ start }) {
      ends ??= Array.from(source.matchAll(/\n/g), ({ index }) => index)
      const line = ends.findIndex((end) => end >= start)
      return (line === -1 ? ends.length : line) + 1
    },
  }
}

function walk(node: Node, ancestors: readonly Node[], visit: (node: Node, ancestors: readonly Node[]) => void): void {
  visit(node, ancestors)
  const inside = [node, ...ancestors]
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) walk(child, inside, visit)
    }
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}
