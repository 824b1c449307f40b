import { basename } from 'node:path'
import { type Document, isMap, type YAMLMap } from 'yaml'
import { configText, isEmpty, parseConfig, readIfPresent, replaceConfigFile } from './config-document.ts'

const MODELS = 'models'
const EMBEDDING = 'embedding'

/** The embedding model in config.yaml, references unresolved; `undefined` when it names none. */
export function readEmbeddingModel(file: string): Readonly<Record<string, unknown>> | undefined {
  return entryOf(parseConfig(readIfPresent(file) ?? '', basename(file)))?.toJSON()
}

/**
 * Sets the embedding model in config.yaml, replacing another one. Comments and everything else are kept; the previous
 * file is kept as `config.yaml.backup`.
 * @throws AppError `invalid` when the file is not a valid config.yaml; `conflict` when it was changed meanwhile
 */
export function writeEmbeddingModel(file: string, model: Readonly<Record<string, string>>): void {
  const before = readIfPresent(file)
  const document = parseConfig(before ?? '', basename(file))
  if (isModel(entryOf(document), model)) return
  if (isEmpty(document.get(MODELS, true))) document.set(MODELS, document.createNode({}))
  document.setIn([MODELS, EMBEDDING], document.createNode(model))
  replaceConfigFile(file, before, configText(document))
}

/** Removes the embedding model from config.yaml, if it is this one. @returns whether it was */
export function removeEmbeddingModel(file: string, model: Readonly<Record<string, string>>): boolean {
  const before = readIfPresent(file)
  const document = parseConfig(before ?? '', basename(file))
  if (!isModel(entryOf(document), model)) return false
  const models: unknown = document.get(MODELS, true)
  if (isMap(models) && models.items.length === 1) document.delete(MODELS)
  else document.deleteIn([MODELS, EMBEDDING])
  replaceConfigFile(file, before, configText(document))
  return true
}

function entryOf(document: Document): YAMLMap | undefined {
  const entry: unknown = document.getIn([MODELS, EMBEDDING], true)
  return isMap(entry) ? entry : undefined
}

function isModel(entry: YAMLMap | undefined, model: Readonly<Record<string, string>>): boolean {
  return entry !== undefined && Object.entries(model).every(([key, value]) => entry.get(key) === value)
}
