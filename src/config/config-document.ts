import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { basename } from 'node:path'
import { type Document, isMap, isScalar, parseDocument } from 'yaml'
import { AppError } from '../domain/errors.ts'
import { writePrivateFile } from '../lib/files.ts'
import { carryReferences, replaceCarried } from './file-section.ts'

/** The text of config.yaml; `undefined` when there is none. */
export function readIfPresent(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

/**
 * Parses config.yaml to change it; comments and references are kept.
 *
 * @param file its name, for messages
 * @throws AppError `invalid` when the text is not a valid config.yaml
 */
export function parseConfig(source: string, file: string): Document {
  const document: Document = parseDocument(carryReferences(source))
  const [error] = document.errors
  if (error !== undefined) throw new AppError('invalid', `${basename(file)}: ${error.message.split('\n', 1)[0]}`)
  if (isEmpty(document.contents)) document.contents = document.createNode({})
  if (!isMap(document.contents)) throw new AppError('invalid', `${basename(file)}: write settings as "name: value"`)
  // `{}` would keep what is added on its line.
  if (document.contents.items.length === 0) document.contents.flow = false
  return document
}

export function isEmpty(node: unknown): boolean {
  return node === undefined || node === null || (isScalar(node) && node.value === null)
}

/** The text of a document that `parseConfig` made. */
export function configText(document: Document): string {
  const text = document.toString({ lineWidth: 0, flowCollectionPadding: false })
  const isBare = isMap(document.contents) && document.contents.items.length === 0
  // Without settings only the comments are left.
  return String(withReferences(isBare ? text.replace(/\n*^\{\}$/m, '') : text))
}

export function withReferences(value: unknown): unknown {
  return typeof value === 'string' ? replaceCarried(value, (name) => `\${${name}}`) : value
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
