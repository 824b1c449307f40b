import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { isMap, isScalar, LineCounter, type Pair, parseDocument, visit } from 'yaml'
import { AppError } from '../domain/errors.ts'
import { closestName } from '../kit/closest-name.ts'
import { isAbsent } from './absent.ts'

export interface FileValue {
  readonly value: unknown
  /** File and line, for messages. */
  readonly where: string
}

export interface ConfigFile {
  readonly values: ReadonlyMap<string, FileValue>
  readonly connectors: Readonly<Record<string, unknown>>
}

/** Settings of the connectors; what may stand below it is each connector's own business. */
const CONNECTORS = 'connectors'

// `{` would open a mapping inside `[{token: ${TOKEN}}]`, so references travel through the parser in private-use
// characters, and are replaced in the parsed values: what a variable holds is never read as YAML.
const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g
const CARRIED = /\uE000([A-Za-z0-9_]+)\uE001/g

/**
 * Reads config.yaml, replacing `${VARIABLE}` by the environment.
 *
 * @throws AppError `invalid`, naming file, line and key
 */
export function readConfigFile(
  path: string,
  known: { settings: readonly string[]; env: Readonly<Record<string, string | undefined>> },
): ConfigFile {
  const source = readIfPresent(path)
  if (source === undefined) return { values: new Map(), connectors: {} }
  const file = basename(path)
  const lines = new LineCounter()
  const document = parseDocument(source.replace(REFERENCE, '\uE000$1\uE001'), { lineCounter: lines })
  const whereIs = (offset: number | undefined) => `${file} line ${lines.linePos(offset ?? 0).line}`

  const [syntax] = document.errors
  if (syntax) throw new AppError('invalid', `${whereIs(syntax.pos[0])}: ${firstLine(syntax.message)}`)
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value === 'string') node.value = interpolate(node.value, known.env, whereIs(node.range?.[0]))
    },
  })

  const root = document.contents
  if (root === null || (isScalar(root) && root.value === null)) return { values: new Map(), connectors: {} }
  if (!isMap(root)) throw new AppError('invalid', `${whereIs(root.range?.[0])}: write settings as "name: value"`)
  return entries(root.items, {
    known: known.settings,
    whereIs,
    toJs: (node) => document.createNode(node).toJS(document),
  })
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw new AppError('invalid', `${path} cannot be read: ${error instanceof Error ? error.message : error}`)
  }
}

function interpolate(value: string, env: Readonly<Record<string, string | undefined>>, where: string): string {
  return value.replace(CARRIED, (_, name: string) => {
    const replacement = env[name]
    if (replacement === undefined) {
      throw new AppError('invalid', `${where}: the environment variable ${name} is not set`)
    }
    return replacement
  })
}

function entries(
  pairs: readonly Pair[],
  file: { known: readonly string[]; whereIs(offset: number | undefined): string; toJs(node: unknown): unknown },
): ConfigFile {
  const values = new Map<string, FileValue>()
  let connectors: Readonly<Record<string, unknown>> = {}
  for (const pair of pairs) {
    const key = isScalar(pair.key) ? String(pair.key.value) : String(pair.key)
    const where = file.whereIs(isScalar(pair.key) ? pair.key.range?.[0] : undefined)
    const value = file.toJs(pair.value)
    if (key === CONNECTORS) connectors = connectorsIn(value, where)
    else if (!file.known.includes(key)) throw unknownKey(key, file.known, where)
    else if (value !== null) values.set(key, { value, where })
  }
  return { values, connectors }
}

function unknownKey(key: string, known: readonly string[], where: string): AppError {
  const meant = closestName(key, known)
  const hint = meant === undefined ? '.' : `; did you mean ${meant}?`
  return new AppError('invalid', `${where}: there is no setting ${key}${hint} Allowed: ${known.join(', ')}`)
}

function connectorsIn(value: unknown, where: string): Readonly<Record<string, unknown>> {
  if (value === null) return {}
  if (typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>
  throw new AppError('invalid', `${where}: connectors must be a mapping from connector to its settings`)
}

function firstLine(message: string): string {
  return message.split('\n', 1)[0]?.replace(/ at line .*$/, '') ?? message
}
