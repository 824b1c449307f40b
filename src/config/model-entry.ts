import { basename } from 'node:path'
import { type Document, isMap, type YAMLMap } from 'yaml'
import { configText, isEmpty, parseConfig, readIfPresent, replaceConfigFile } from './config-document.ts'

const MODELS = 'models'
type Kind = 'embedding' | 'language' | 'reranker'
type Entry = Readonly<Record<string, unknown>>

/** The embedding model in config.yaml, references unresolved; `undefined` when it names none. */
export function readEmbeddingModel(file: string): Entry | undefined {
  return readModel(file, 'embedding')
}

/** As `readEmbeddingModel`. */
export function readLanguageModel(file: string): Entry | undefined {
  return readModel(file, 'language')
}

/** As `readEmbeddingModel`. */
export function readReranker(file: string): Entry | undefined {
  return readModel(file, 'reranker')
}

/**
 * Sets the embedding model in config.yaml, replacing another one. Comments and everything else are kept; the previous
 * file is kept as `config.yaml.backup`.
 * @throws AppError `invalid` when the file is not a valid config.yaml; `conflict` when it was changed meanwhile
 */
export function writeEmbeddingModel(file: string, model: Readonly<Record<string, string>>): void {
  const before = readIfPresent(file)
  const document = parseConfig(before ?? '', basename(file))
  if (isModel(entryOf(document, 'embedding'), model)) return
  setEntry(document, 'embedding', model)
  replaceConfigFile(file, before, configText(document))
}

/** Whether a model has the address that an entry of config.yaml has; otherwise its key is not sent there. */
export function isSameAddress({ url = '' }: Entry, address = ''): boolean {
  return url === address
}

/** The text of a config.yaml with another language model; `undefined`: with none. */
export function withLanguageModel(before: string, model: Entry | undefined): string {
  return withModel(before, 'language', model)
}

/** As `withLanguageModel`. */
export function withEmbeddingModel(before: string, model: Entry | undefined): string {
  return withModel(before, 'embedding', model)
}

/** As `withLanguageModel`. */
export function withReranker(before: string, model: Entry | undefined): string {
  return withModel(before, 'reranker', model)
}

/** Removes a model from config.yaml wherever that names it. @returns whether it was the embedding model */
export function removeModel(file: string, model: Readonly<Record<string, string>>): boolean {
  const before = readIfPresent(file)
  const document = parseConfig(before ?? '', basename(file))
  const found = (['embedding', 'reranker'] as const).filter((kind) => isModel(entryOf(document, kind), model))
  for (const kind of found) deleteEntry(document, kind)
  if (found.length > 0) replaceConfigFile(file, before, configText(document))
  return found.includes('embedding')
}

function withModel(before: string, kind: Kind, model: Entry | undefined): string {
  const document = parseConfig(before, 'config.yaml')
  if (model === undefined) deleteEntry(document, kind)
  else setEntry(document, kind, model)
  return configText(document)
}

function readModel(file: string, kind: Kind): Entry | undefined {
  return entryOf(parseConfig(readIfPresent(file) ?? '', basename(file)), kind)?.toJSON()
}

function setEntry(document: Document, kind: Kind, model: Entry): void {
  if (isEmpty(document.get(MODELS, true))) document.set(MODELS, document.createNode({}))
  document.setIn([MODELS, kind], document.createNode(model))
}

function deleteEntry(document: Document, kind: Kind): void {
  const models: unknown = document.get(MODELS, true)
  if (!isMap(models) || !models.has(kind)) return
  if (models.items.length === 1) document.delete(MODELS)
  else document.deleteIn([MODELS, kind])
}

function entryOf(document: Document, kind: Kind): YAMLMap | undefined {
  const entry: unknown = document.getIn([MODELS, kind], true)
  return isMap(entry) ? entry : undefined
}

function isModel(entry: YAMLMap | undefined, model: Readonly<Record<string, string>>): boolean {
  return entry !== undefined && Object.entries(model).every(([key, value]) => entry.get(key) === value)
}
