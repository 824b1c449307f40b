import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { basename } from 'node:path'
import { type Document, isMap, isScalar, isSeq, parseDocument, type YAMLMap, type YAMLSeq } from 'yaml'
import { AppError } from '../domain/errors.ts'
import { writePrivateFile } from './private-file.ts'
import { carryReferences, replaceCarried } from './variable-references.ts'

export interface ConnectionRef {
  readonly connector: string
  readonly name: string
}

/** The settings of a connection as config.yaml has them, references unresolved; `undefined` when it has none. */
export function findConnectionEntry(file: string, ref: ConnectionRef): Readonly<Record<string, unknown>> | undefined {
  return entryIn(connectionsOf(readDocument(file), file, ref.connector), ref.name)?.toJSON()
}

export interface ConnectionChange {
  readonly ref: ConnectionRef
  readonly settings: Readonly<Record<string, unknown>>
}

/**
 * Adds connections to config.yaml, or settings to those of these names. Comments and what else stands there stay; the
 * file as it was is kept beside it, as `config.yaml.backup`.
 *
 * @throws AppError `invalid` when the file is not what recalld reads
 */
export function writeConnectionEntries(file: string, changes: readonly ConnectionChange[]): void {
  const document = readDocument(file)
  for (const { ref, settings } of changes) {
    const connections = connectionsOf(document, file, ref.connector)
    const entry = entryIn(connections, ref.name)
    if (entry !== undefined)
      for (const [key, value] of Object.entries(settings)) entry.set(key, document.createNode(value))
    else if (connections !== undefined) connections.add(document.createNode({ name: ref.name, ...settings }))
    else document.setIn([CONNECTORS, ref.connector], document.createNode([{ name: ref.name, ...settings }]))
  }
  // The place a link leads to is written, so that a config.yaml kept elsewhere stays there.
  const place = existsSync(file) ? realpathSync(file) : file
  if (existsSync(place)) writePrivateFile(`${file}.backup`, readFileSync(place, 'utf8'))
  const text = document.toString({ lineWidth: 0, flowCollectionPadding: false })
  writePrivateFile(
    place,
    replaceCarried(text, (name) => `\${${name}}`),
  )
}

const CONNECTORS = 'connectors'

function readDocument(file: string): Document {
  const source = existsSync(file) ? readFileSync(file, 'utf8') : ''
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
