import { basename } from 'node:path'
import { type Document, isMap, isSeq, type YAMLMap, type YAMLSeq } from 'yaml'
import { AppError } from '../domain/errors.ts'
import {
  configText,
  isEmpty,
  parseConfig,
  readIfPresent,
  replaceConfigFile,
  withReferences,
} from './config-document.ts'

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
  return configText(document)
}

/** The text of config.yaml without a connection; unchanged when there is none of this name. */
export function withoutConnectionEntry(source: string, ref: ConnectionRef, file: string): string {
  const document = readDocument(source, file)
  const connections = connectionsOf(document, file, ref.connector)
  const entry = entryIn(connections, ref.name)
  if (connections === undefined || entry === undefined) return source
  if (connections.items.length > 1) connections.delete(connections.items.indexOf(entry))
  else document.deleteIn([CONNECTORS, ref.connector])
  return configText(document)
}

const CONNECTORS = 'connectors'

function readDocument(source: string, file: string): Document {
  const document = parseConfig(source, file)
  if (isEmpty(document.get(CONNECTORS, true))) document.set(CONNECTORS, document.createNode({}))
  if (!isMap(document.get(CONNECTORS, true))) {
    throw new AppError('invalid', `${basename(file)}: connectors must be a mapping from connector to its settings`)
  }
  return document
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
