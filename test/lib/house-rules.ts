import { basename } from 'node:path'
import { type Node, type SourceTree, syntaxTree } from './syntax-tree.ts'

const LONGEST_FILE = 400
const LONGEST_FUNCTION = 60
const KEBAB_CASE = /^[a-z0-9]+(-[a-z0-9]+)*(\.(test|config|browser))?\.(ts|tsx|js)$/
/** Names that say where something was put, not what it is. */
const HOLDALLS = /^(utils?|helpers?|commons?|types?|misc|shared|index)\.(ts|tsx|js)$/
const MAY_USE_CONSOLE_AND_PROCESS = /^(src\/main\.ts|src\/.*-process\.ts|src\/cli\/|bin\/|scripts\/|test\/)/
const MAY_END_THE_PROCESS = /^(src\/main\.ts|src\/.*-process\.ts|bin\/|scripts\/|test\/)/
const MAY_EXPORT_DEFAULT = /^[\w-]+\.config\.ts$/
/** The registry, by the name that the design gives it. */
const MAY_BE_AN_INDEX = /^connectors\/index\.ts$/
/** Entries: loading them is running them. */
const MAY_RUN_AT_IMPORT =
  /^(src\/main\.ts|src\/web\/main\.tsx|src\/web\/public\/|src\/.*-(thread|process)\.ts|bin\/|scripts\/|test\/)/
const OF_THE_PROCESS = new Set(['exit', 'exitCode', 'on', 'once', 'off', 'argv', 'kill', 'abort'])

/**
 * What a module does against the rules of the house, each as `path:line: sentence`.
 *
 * @param path relative to the root of the repository
 */
export function houseRuleFindings(path: string, source: string): string[] {
  const tree = syntaxTree(path, source)
  const findings = [...nameFindings(path), ...lengthFindings(path, source)]
  const report = (node: Node, sentence: string) => findings.push(`${path}:${tree.lineOf(node)}: ${sentence}`)
  if (!MAY_RUN_AT_IMPORT.test(path)) workAtImport(tree, report)
  tree.walk((node, ancestors) => {
    const sentence = syntaxProblem(path, node, ancestors) ?? functionLength(path, node, tree)
    if (sentence !== undefined) report(node, sentence)
  })
  return findings
}

function nameFindings(path: string): string[] {
  const name = basename(path)
  if (HOLDALLS.test(name) && !MAY_BE_AN_INDEX.test(path))
    return [`${path}: name the file after the one thing it exports`]
  return KEBAB_CASE.test(name) ? [] : [`${path}: file names are kebab-case`]
}

function lengthFindings(path: string, source: string): string[] {
  const lines = source.trimEnd().split('\n').length
  return lines > LONGEST_FILE ? [`${path}: has ${lines} lines; at most ${LONGEST_FILE}`] : []
}

function functionLength(path: string, node: Node, tree: SourceTree): string | undefined {
  const isFunction = node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression'
  if (!/^(src|connectors)\//.test(path) || !isFunction || !node.body) return undefined
  const lines = tree.lineOf({ start: node.end }) - tree.lineOf(node) + 1
  return lines > LONGEST_FUNCTION ? `a function has ${lines} lines; at most ${LONGEST_FUNCTION}` : undefined
}

function syntaxProblem(path: string, node: Node, ancestors: readonly Node[]): string | undefined {
  switch (node.type) {
    case 'TSAnyKeyword':
      return 'any is not used: unknown and a schema, or a type'
    case 'CatchClause':
      return node.body.body.length === 0 ? 'a catch rethrows, returns a failure or records one' : undefined
    case 'ExportDefaultDeclaration':
      return MAY_EXPORT_DEFAULT.test(path) ? undefined : 'no default exports'
    case 'TSEnumDeclaration':
      return 'no enums: a union of literals'
    case 'TSParameterProperty':
      return 'no parameter properties'
    case 'ImportDeclaration':
      return /^(node:)?process$/.test(node.source.value) ? processProblem(path, undefined) : undefined
    case 'Identifier':
      return globalProblem(path, node.name, ancestors)
    default:
      return undefined
  }
}

function globalProblem(path: string, name: string, ancestors: readonly Node[]): string | undefined {
  if (name !== 'console' && name !== 'process') return undefined
  const [parent] = ancestors
  if (parent?.type !== 'MemberExpression' || parent.object.type !== 'Identifier' || parent.object.name !== name)
    return undefined
  if (name === 'console')
    return MAY_USE_CONSOLE_AND_PROCESS.test(path) ? undefined : 'console is for src/main.ts and src/cli'
  return processProblem(path, 'name' in parent.property ? String(parent.property.name) : undefined)
}

function processProblem(path: string, member: string | undefined): string | undefined {
  if (!MAY_USE_CONSOLE_AND_PROCESS.test(path)) return 'process is for src/main.ts and src/cli'
  if (member === undefined || !OF_THE_PROCESS.has(member) || MAY_END_THE_PROCESS.test(path)) return undefined
  return `process.${member} is for src/main.ts`
}

function workAtImport(tree: SourceTree, report: (node: Node, sentence: string) => void): void {
  for (const statement of tree.program.body) {
    const runs = statement.type === 'ExpressionStatement' && !('directive' in statement && statement.directive)
    const flows = /^(For|While|DoWhile|If|Try|Switch)/.test(statement.type)
    if (runs || flows) report(statement, 'a module defines when it is imported; it does nothing')
  }
}
