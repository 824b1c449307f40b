import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { basename } from 'node:path'
import { type Document, isMap, isScalar, isSeq, parseDocument, type YAMLMap, type YAMLSeq } from 'yaml'
import { AppError } from '../domain/errors.ts'
import { writePrivateFile } from '../lib/files.ts'
import { carryReferences, replaceCarried } from './file-section.ts'

export interface ConnectionRef {
  readonly connector: string
  readonly name: string
}

/** The settings of a connection as config.yaml has them, references unresolved; `undefined` when it has none. */
export function findConnectionEntry(file: string, ref: ConnectionRef): Readonly<Record<string, unknown>> | undefined {
  return connectionEntryIn(readIfPresent(file) ?? '', ref, basename(file))
}

/** Reads the settings of a connection from the text of the file. @param file its name, for messages */
export function connectionEntryIn(
  source: string,
  ref: ConnectionRef,
  file: string,
): Readonly<Record<string, unknown>> | undefined {
  const entry = entryIn(connectionsOf(readDocument(source, file), file, ref.connector), ref.name)
  return entry && JSON.parse(JSON.stringify(entry), (_, value: unknown) => withReferences(value))
}

export interface ConnectionChange {
  readonly ref: ConnectionRef
  /** `null` removes a setting. */
  readonly settings: Readonly<Record<string, unknown>>
}

/**
 * Adds connections to config.yaml, or settings to existing ones. Comments and everything else are kept; the
 * previous file is kept as `config.yaml.backup`.
 *
 * @throws AppError `invalid` when the file is not a valid config.yaml
 */
export function writeConnectionEntries(file: string, changes: readonly ConnectionChange[]): void {
  const before = readIfPresent(file)
  replaceConfigFile(file, before, withConnectionEntries(before ?? '', changes, basename(file)))
}

/**
 * The text of config.yaml with these changes; everything else is kept.
 *
 * @param file its name, for messages
 * @throws AppError `invalid` when the text is not a valid config.yaml
 */
export function withConnectionEntries(source: string, changes: readonly ConnectionChange[], file: string): string {
  const document = readDocument(source, file)
  for (const { ref, settings } of changes) {
    const connections = connectionsOf(document, file, ref.connector)
    const entry = entryIn(connections, ref.name)
    const given = Object.entries(settings).filter(([, value]) => value !== null)
    if (entry !== undefined) {
      for (const [key, value] of given) entry.set(key, document.createNode(value))
      for (const [key, value] of Object.entries(settings)) if (value === null) entry.delete(key)
      continue
    }
    const made = { name: ref.name, ...Object.fromEntries(given) }
    if (connections !== undefined) connections.add(document.createNode(made))
    else document.setIn([CONNECTORS, ref.connector], document.createNode([made]))
  }
  return textOf(document)
}

/** The text of config.yaml without a connection; unchanged when there is none of this name. */
export function withoutConnectionEntry(source: string, ref: ConnectionRef, file: string): string {
  const document = readDocument(source, file)
  const connections = connectionsOf(document, file, ref.connector)
  const entry = entryIn(connections, ref.name)
  if (connections === undefined || entry === undefined) return source
  if (connections.items.length > 1) connections.delete(connections.items.indexOf(entry))
  else document.deleteIn([CONNECTORS, ref.connector])
  return textOf(document)
}

/**
 * Writes config.yaml and keeps the previous file as `config.yaml.backup`.
 *
 * @param before the text it was read as; `undefined`: the file did not exist
 * @throws AppError `conflict` when the file was changed since; the change is kept
 */
export function replaceConfigFile(file: string, before: string | undefined, after: string): void {
  if (readIfPresent(file) !== before) {
    throw new AppError('conflict', `${basename(file)} was changed in the meantime, so nothing was saved. Try again.`)
  }
  // Write to the target of a symbolic link, so that a config.yaml kept elsewhere stays there.
  const place = existsSync(file) ? realpathSync(file) : file
  if (before !== undefined) writePrivateFile(`${file}.backup`, before)
  writePrivateFile(place, after)
}

const CONNECTORS = 'connectors'

function readIfPresent(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

function readDocument(source: string, file: string): Document {
  const document: Document = parseDocument(carryReferences(source))
  const [error] = document.errors
  if (error !== undefined) throw new AppError('invalid', `${basename(file)}: ${error.message.split('\n', 1)[0]}`)
  if (isEmpty(document.contents)) document.contents = document.createNode({})
  if (!isMap(document.contents)) throw new AppError('invalid', `${basename(file)}: write settings as "name: value"`)
  if (isEmpty(document.get(CONNECTORS, true))) document.set(CONNECTORS, document.createNode({}))
  if (!isMap(document.get(CONNECTORS, true))) {
    throw new AppError('invalid', `${basename(file)}: connectors must be a mapping from connector to its settings`)
  }
  return document
}

function textOf(document: Document): string {
  return String(withReferences(document.toString({ lineWidth: 0, flowCollectionPadding: false })))
}

function withReferences(value: unknown): unknown {
  return typeof value === 'string' ? replaceCarried(value, (name) => `\${${name}}`) : value
}

function connectionsOf(document: Document, file: string, connector: string): YAMLSeq | undefined {
  const found = document.getIn([CONNECTORS, connector], true)
  if (isEmpty(found)) return undefined
  if (isSeq(found)) return found
  throw new AppError('invalid', `${basename(file)}: connectors: ${connector} must be a list, as in [{name: me}]`)
}

function entryIn(connections: YAMLSeq | undefined, name: string): YAMLMap | undefined {
  return connections?.items.filter(isMap).find((entry) => String(entry.get('name')) === name)
}

function isEmpty(node: unknown): boolean {
  return node === undefined || node === null || (isScalar(node) && node.value === null)
}
