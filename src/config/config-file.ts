import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { type Document, isMap, isNode, isScalar, LineCounter, type Pair, parseDocument } from 'yaml'
import { AppError } from '../domain/errors.ts'
import { closestName } from '../lib/closest-name.ts'
import { isAbsent } from '../lib/files.ts'
import { carryReferences, type FileSection, fileSection, replaceCarried } from './file-section.ts'

export interface FileValue {
  readonly value: unknown
  /** File and line, for messages. */
  readonly where: string
}

export interface ConfigFile {
  readonly values: ReadonlyMap<string, FileValue>
  /** The section below each key; absent when it is empty. */
  readonly sections: FileSections
}

/** Connectors, models and sign-in check the content of these sections. */
const SECTIONS = ['connectors', 'models', 'oidc', 'retention'] as const

export type FileSections = { readonly [Name in (typeof SECTIONS)[number]]?: FileSection }

interface Known {
  readonly settings: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * Reads config.yaml, replacing `${VARIABLE}` by the environment.
 *
 * @throws AppError `invalid`, naming file, line and key
 */
export function readConfigFile(path: string, known: Known): ConfigFile {
  const source = readIfPresent(path)
  if (source === undefined) return { values: new Map(), sections: {} }
  return readConfigText(source, basename(path), known)
}

/** Reads the text of a config.yaml. @param file its name, for messages */
export function readConfigText(source: string, file: string, known: Known): ConfigFile {
  const lines = new LineCounter()
  const document = parseDocument(carryReferences(source), { lineCounter: lines })
  const whereIs = (offset: number | undefined) => `${file} line ${lines.linePos(offset ?? 0).line}`

  const [syntax] = document.errors
  if (syntax) throw new AppError('invalid', firstLine(syntax.message), { location: whereIs(syntax.pos[0]) })
  const root = document.contents
  if (root === null || (isScalar(root) && root.value === null)) return { values: new Map(), sections: {} }
  if (!isMap(root))
    throw new AppError('invalid', 'write settings as "name: value"', { location: whereIs(root.range?.[0]) })
  return entries(root.items, { known: known.settings, document, whereIs, interpolate: withVariables(known.env) })
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw new AppError('invalid', `${path} can't be read: ${error instanceof Error ? error.message : error}`)
  }
}

/** Replaces the references in a scalar. */
function withVariables(env: Readonly<Record<string, string | undefined>>) {
  return (value: string, where: string): string =>
    replaceCarried(value, (name) => {
      const replacement = env[name]
      if (replacement === undefined) {
        throw new AppError('invalid', `the environment variable ${name} is not set`, { location: where })
      }
      return replacement
    })
}

interface FileContext {
  readonly known: readonly string[]
  readonly document: Document
  whereIs(offset: number | undefined): string
  interpolate(value: string, where: string): string
}

function entries(pairs: readonly Pair[], file: FileContext): ConfigFile {
  const values = new Map<string, FileValue>()
  const sections: { -readonly [Name in keyof FileSections]: FileSections[Name] } = {}
  for (const pair of pairs) {
    const offset = isScalar(pair.key) ? pair.key.range?.[0] : undefined
    const where = file.whereIs(offset)
    const key = file.interpolate(isScalar(pair.key) ? String(pair.key.value) : String(pair.key), where)
    const known = [...file.known, ...SECTIONS]
    if (!known.includes(key)) throw unknownKey(key, known, where)
    if (!isNode(pair.value) || (isScalar(pair.value) && pair.value.value === null)) continue
    const section = fileSection(file.document, pair.value, { ...file, offset })
    const name = SECTIONS.find((name) => name === key)
    if (name !== undefined) sections[name] = section
    else values.set(key, { value: section.read(), where })
  }
  return { values, sections }
}

function unknownKey(key: string, known: readonly string[], where: string): AppError {
  const meant = closestName(key, known)
  const hint = meant === undefined ? `Allowed: ${known.join(', ')}` : `Did you mean ${meant}?`
  return new AppError('invalid', `there is no setting ${key}. ${hint}`, { location: where })
}

function firstLine(message: string): string {
  return message.split('\n', 1)[0]?.replace(/ at line .*$/, '') ?? message
}
