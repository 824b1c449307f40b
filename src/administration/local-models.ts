import { existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readEmbeddingModel, removeModel, writeEmbeddingModel } from '../config/model-entry.ts'
import { AppError } from '../domain/errors.ts'
import { closestName } from '../lib/closest-name.ts'
import type { SpareResources } from '../lib/machine.ts'
import { installLocalModel, missingPackages } from '../models/local/install-local-model.ts'
import { openLocalEmbedder } from '../models/local/local-embedder.ts'
import {
  engineFolder,
  folderSize,
  hasEngine,
  hasReranker,
  isInstalled,
  isLocalModelName,
  LOCAL_MODEL_NAMES,
  LOCAL_MODELS,
  type LocalModelName,
  localModelFiles,
} from '../models/local/local-models.ts'
import { archiveAddress, archiveName, type PackageSource } from '../models/local/npm-package.ts'
import { EMBEDDING_SETTINGS } from '../models/model-settings.ts'

/** Where packages of models come from, unless a mirror is named. */
export const NPM_REGISTRY = 'https://registry.npmjs.org'

/** A model that can be installed on this machine, as commands and the app show it. */
export interface LocalModelView {
  readonly name: LocalModelName
  readonly title: string
  readonly license: string
  readonly is_installed: boolean
  /** Its reranker can be used. */
  readonly has_reranker: boolean
  /** config.yaml names it. */
  readonly is_configured: boolean
  /**
   * Worth suggesting: it runs on this machine, which has the cores and memory to spare; config.yaml names no embedding model, and
   * nobody declined or removed it.
   */
  readonly is_offered: boolean
  /** Size on disk, including the engine; 0 before it is installed. */
  readonly bytes: number
  /** Remaining size of the download. */
  readonly download_bytes: number
}

/** A file for an installation without network. */
export interface NeededFile {
  readonly name: string
  readonly address: string
}

export interface AddOptions {
  readonly source: PackageSource
  /** Bytes read and total bytes. */
  readonly report: (read: number, all: number) => void
  readonly signal: AbortSignal
}

/** The models of one home that run on this machine. */
export interface LocalModels {
  list(): LocalModelView[]
  /** What is still to be downloaded for a model. */
  neededFiles(name: LocalModelName, registry: string): NeededFile[]
  /**
   * Installs a model, tries it and names it in config.yaml.
   *
   * @throws AppError `conflict` when config.yaml names another embedding model; what `installLocalModel` throws
   */
  add(name: LocalModelName, options: AddOptions): Promise<void>
  /** Stops offering a model. */
  decline(name: LocalModelName): void
  /** Removes a model from config.yaml. @returns whether it was the embedding model */
  unset(name: LocalModelName): boolean
  /** Deletes the files of a model, and the engine if no other model needs it, and stops offering it. */
  delete(name: LocalModelName): void
}

/** @throws AppError `not_found`, listing the available models */
export function localModelName(name: string): LocalModelName {
  if (isLocalModelName(name)) return name
  const meant = closestName(name, LOCAL_MODEL_NAMES)
  const hint = meant === undefined ? `Available: ${LOCAL_MODEL_NAMES.join(', ')}.` : `Did you mean ${meant}?`
  throw new AppError('not_found', `There is no local model ${name}. ${hint}`)
}

/** What a machine must have to spare for a model to be offered: decision 95. */
const OFFERED_FROM: SpareResources = { cores: 2, memoryBytes: 1_000_000_000 }

/** @param spare absent: no model is offered */
export function openLocalModels(
  { models: folder, config }: { readonly models: string; readonly config: string },
  spare?: () => SpareResources,
): LocalModels {
  const entry = (name: LocalModelName) => ({ provider: 'local', model: name })
  const declined = (name: LocalModelName) => join(folder, `${name}.declined`)
  const decline = (name: LocalModelName) => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(declined(name), '')
  }
  return {
    list() {
      const configured = readEmbeddingModel(config)
      return LOCAL_MODEL_NAMES.map((name) => {
        const { title, license } = LOCAL_MODELS[name]
        const installed = isInstalled(name, folder)
        const isNew = !installed && configured === undefined && !existsSync(declined(name))
        return {
          name,
          title,
          license,
          is_installed: installed,
          has_reranker: hasReranker(name, folder),
          is_configured: configured?.provider === 'local' && configured.model === name,
          is_offered: isNew && hasEngine() && spare !== undefined && isEnough(spare()),
          bytes: installed ? folderSize(localModelFiles(name, folder).folder) + folderSize(engineFolder(folder)) : 0,
          download_bytes: missingPackages(name, folder).reduce((sum, { size }) => sum + size, 0),
        }
      })
    },
    neededFiles: (name, registry) =>
      missingPackages(name, folder).map((one) => ({ name: archiveName(one), address: archiveAddress(one, registry) })),
    async add(name, { source, report, signal }) {
      const configured = readEmbeddingModel(config)
      if (configured !== undefined && (configured.provider !== 'local' || configured.model !== name)) {
        throw new AppError('conflict', 'config.yaml already names an embedding model. Remove models.embedding first.')
      }
      const isNew = !existsSync(localModelFiles(name, folder).folder)
      await installLocalModel(name, { folder, source, report, signal })
      try {
        await tryModel(name, folder)
      } catch (error) {
        if (isNew) deleteFiles(name, folder)
        throw error
      }
      writeEmbeddingModel(config, entry(name))
      // A running service looks again, also when only the reranker is new.
      const now = new Date()
      utimesSync(config, now, now)
    },
    unset: (name) => removeModel(config, entry(name)),
    decline,
    delete(name) {
      deleteFiles(name, folder)
      decline(name)
    },
  }
}

function isEnough({ cores, memoryBytes }: SpareResources): boolean {
  return cores >= OFFERED_FROM.cores && memoryBytes >= OFFERED_FROM.memoryBytes
}

/** A service fails to start with a model that cannot be loaded, so it is loaded before it is added to config.yaml. */
async function tryModel(name: LocalModelName, folder: string): Promise<void> {
  const settings = EMBEDDING_SETTINGS.parse({ provider: 'local', model: name })
  const embedder = await openLocalEmbedder({ ...settings, model: name }, folder)
  try {
    await embedder.embed(['memory'])
  } finally {
    await embedder.close()
  }
}

function deleteFiles(name: LocalModelName, folder: string): void {
  try {
    rmSync(localModelFiles(name, folder).folder, { recursive: true, force: true })
    const isNeeded = LOCAL_MODEL_NAMES.some((other) => existsSync(localModelFiles(other, folder).folder))
    if (!isNeeded) rmSync(engineFolder(folder), { recursive: true, force: true })
  } catch (error) {
    // Windows cannot delete a file that a running service has open.
    const isOpen = error instanceof Error && 'code' in error && (error.code === 'EPERM' || error.code === 'EBUSY')
    if (!isOpen) throw error
    throw new AppError('conflict', `The files of ${name} are in use. Stop recalld, then run this command again.`)
  }
}
