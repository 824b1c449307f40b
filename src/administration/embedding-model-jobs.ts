import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { readIfPresent } from '../config/config-document.ts'
import type { HomeFiles } from '../config/home-folder.ts'
import { readEmbeddingModel } from '../config/model-entry.ts'
import { AppError, locatedMessage } from '../domain/errors.ts'
import type { LocalModelOverview, LocalModelProgress } from '../http/app/schemas/settings.ts'
import { writePrivateFile } from '../lib/files.ts'
import type { Log } from '../lib/log.ts'
import type { SpareResources } from '../lib/machine.ts'
import type { PluggedIn } from '../models/configured/plugged-in.ts'
import type { LocalModelName } from '../models/local/local-models.ts'
import type { Embedder } from '../models/model.ts'
import { EMBEDDING_SETTINGS } from '../models/model-settings.ts'
import { pipelineVersion } from '../pipeline/pipeline-version.ts'
import type { Service } from '../service/service.ts'
import type { Store } from '../store/store.ts'
import { type LocalModels, localModelName, NPM_REGISTRY, openLocalModels } from './local-models.ts'
import { reindexOf } from './reindex.ts'
import type { ReindexService } from './reindex-contract.ts'

/** Adding, exchanging and removing embedding models from the app, while the service runs. One change at a time. */
export interface EmbeddingModelJobs {
  list(): LocalModelOverview[]
  /**
   * Begins to download a model, fill its vectors, compare golden questions and switch; `list` tells how far it is.
   *
   * @throws AppError `not_found` for an unknown model, `conflict` while another is added or removed
   */
  add(name: string): void
  /** Stops offering a model. @throws AppError `not_found` for an unknown model */
  decline(name: string): void
  /** Switches back to the built-in model and deletes the files. @throws AppError as `add` */
  remove(name: string): Promise<void>
  /**
   * Begins to fill the vectors of another model, compare golden questions and switch.
   *
   * @param save has config.yaml name it; throws before anything begins
   * @throws AppError `conflict` while another is added or removed
   */
  fill(name: string, save: () => void): void
  /**
   * Switches back to the built-in model; ends the filling of another one.
   *
   * @param unset removes the model from config.yaml
   * @throws AppError as `add`
   */
  empty(name: string, unset: () => void): Promise<void>
  /** Whether a model is being added, exchanged or removed. */
  readonly isBusy: boolean
  /** Why the model that was to be filled is not used. */
  problemOf(name: string): string | undefined
  /** Goes on with a model whose vectors were being filled when the service ended. */
  resume(): void
  /** Ends what is under way; `resume` goes on with it. */
  close(): Promise<void>
}

interface HomeParts {
  readonly files: HomeFiles
  readonly plugged: PluggedIn<Embedder>
  readonly store: Store
  readonly service: Service
  /** The built-in one. */
  readonly embedder: Embedder
  readonly version: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly spareResources?: (() => SpareResources) | undefined
  readonly look: () => Promise<void>
  readonly log: Log
}

/** Those of the home that this service runs on. */
export function homeModelJobs(parts: HomeParts): EmbeddingModelJobs {
  const { files, plugged, store, service, embedder: builtIn, version, env, spareResources, look, log } = parts
  const by = { version, pipelineVersion: pipelineVersion(builtIn.space.id) }
  return embeddingModelJobs({
    ...{ look, log, registry: env.npm_config_registry },
    models: openLocalModels(files, spareResources),
    pending: pendingSwitch(join(files.home, 'embedding-switch.json')),
    reindex() {
      const model = plugged.current
      const entry = model === undefined ? undefined : readEmbeddingModel(files.config)
      const settings = entry === undefined ? undefined : EMBEDDING_SETTINGS.parse(entry)
      return reindexOf({ store, service, log, builtIn, model, settings, by })
    },
  })
}

/** The change of the embedding model that a service was asked for, and that outlasts it. */
interface PendingSwitch {
  read(): { readonly name: string; readonly space_id: string } | undefined
  write(pending: { readonly name: string; readonly space_id: string }): void
  clear(): void
}

const PENDING = z.object({ name: z.string(), space_id: z.string() })

export function pendingSwitch(file: string): PendingSwitch {
  return {
    read() {
      try {
        return PENDING.safeParse(JSON.parse(readIfPresent(file) ?? 'null')).data
      } catch (error) {
        // A file that a power cut left empty must not keep the service from starting.
        if (error instanceof SyntaxError) return undefined
        throw error
      }
    },
    write: (pending) => writePrivateFile(file, JSON.stringify(pending)),
    clear: () => rmSync(file, { force: true }),
  }
}

interface EmbeddingModelJobsParts {
  readonly models: LocalModels
  readonly pending: PendingSwitch
  /** The space of the model that is plugged in now. */
  readonly reindex: () => ReindexService
  /** Has the service use what config.yaml names now. */
  readonly look: () => Promise<void>
  readonly registry?: string | undefined
  readonly log: Log
}

/** Pause before a provider that is away after a restart is asked again. */
const RETRY_MS = 30_000

const WORSE =
  'Your golden questions are answered worse with it, so the built-in model is still used. To use it all the same, run "recalld reindex --force".'

export function embeddingModelJobs(parts: EmbeddingModelJobsParts): EmbeddingModelJobs {
  return new Jobs(parts)
}

class Jobs implements EmbeddingModelJobs {
  readonly #parts: EmbeddingModelJobsParts
  readonly #stop = new AbortController()
  /** Ends only what is under way. */
  #cancel = new AbortController()
  #running: { readonly name: string; readonly ended: Promise<void> } | undefined
  #progress: LocalModelProgress | undefined
  #problem: { readonly name: string; readonly message: string } | undefined

  constructor(parts: EmbeddingModelJobsParts) {
    this.#parts = parts
  }

  list(): LocalModelOverview[] {
    return this.#parts.models.list().map((model) => ({
      ...model,
      is_offered: model.is_offered && this.#running?.name !== model.name,
      progress: this.#running?.name === model.name ? (this.#progress ?? null) : null,
      problem: this.#problem?.name === model.name ? this.#problem.message : null,
    }))
  }

  add(given: string): void {
    const name = localModelName(given)
    this.#begin(name, { step: 'download', done: 0, all: 0 }, () => this.#add(name))
  }

  decline(given: string): void {
    this.#parts.models.decline(localModelName(given))
  }

  async remove(given: string): Promise<void> {
    const name = localModelName(given)
    await this.#begin(name, { step: 'remove', done: 0, all: 0 }, () => this.#remove(name))
    if (this.#problem !== undefined) throw new AppError('conflict', this.#problem.message)
  }

  fill(name: string, save: () => void): void {
    this.#requireIdle()
    save()
    this.#begin(name, { step: 'vectors', done: 0, all: 0 }, async () => {
      await this.#parts.look()
      await this.#fill(name)
    })
  }

  async empty(name: string, unset: () => void): Promise<void> {
    // A provider that is away would keep it going for as long.
    if (this.#progress?.step === 'vectors') {
      this.#cancel.abort(new AppError('conflict', 'The built-in model was chosen instead.'))
      await this.#running?.ended
    }
    await this.#begin(name, { step: 'remove', done: 0, all: 0 }, async () => {
      unset()
      await this.#goBack()
    })
    if (this.#problem !== undefined) throw new AppError('conflict', this.#problem.message)
  }

  get isBusy(): boolean {
    return this.#running !== undefined
  }

  problemOf(name: string): string | undefined {
    return this.#problem?.name === name ? this.#problem.message : undefined
  }

  resume(): void {
    const { pending } = this.#parts
    const found = pending.read()
    if (found === undefined) return
    const { name, space_id: spaceId } = found
    this.#begin(name, { step: 'vectors', done: 0, all: 0 }, async () => {
      if (await this.#isConfigured(spaceId)) await this.#fill(name, { isPatient: true })
      else pending.clear()
    })
  }

  async close(): Promise<void> {
    this.#stop.abort(new AppError('unavailable', 'The service is stopping.'))
    await this.#running?.ended
  }

  #requireIdle(): void {
    if (this.#running === undefined) return
    throw new AppError('conflict', `${this.#running.name} is being added or removed. Try again when that is done.`)
  }

  #begin(name: string, first: LocalModelProgress, work: () => Promise<void>) {
    this.#requireIdle()
    this.#cancel = new AbortController()
    this.#problem = undefined
    this.#progress = first
    const ended = work()
      .catch((error: unknown) => {
        this.#parts.log.warn({ err: error, model: name }, 'an embedding model could not be added or removed')
        const message = error instanceof AppError ? locatedMessage(error) : 'It failed; the log says why.'
        this.#problem = { name, message }
      })
      .finally(() => {
        this.#running = undefined
        this.#progress = undefined
      })
    this.#running = { name, ended }
    return ended
  }

  async #add(name: LocalModelName): Promise<void> {
    const { models, look, registry } = this.#parts
    const { signal } = this.#stop
    const report = (done: number, all: number) => {
      this.#progress = { step: 'download', done, all }
    }
    await models.add(name, { source: { registry: registry || NPM_REGISTRY }, report, signal })
    await look()
    await this.#fill(name)
  }

  async #isConfigured(spaceId: string): Promise<boolean> {
    await using reindex = this.#parts.reindex()
    return (await reindex.state()).configured.space_id === spaceId
  }

  /** @param isPatient waits for a provider that is away */
  async #fill(name: string, { isPatient = false } = {}): Promise<void> {
    const { pending } = this.#parts
    const signal = AbortSignal.any([this.#stop.signal, this.#cancel.signal])
    await using reindex = this.#parts.reindex()
    const { configured, active } = await reindex.state()
    if (configured.space_id === active.space_id) return pending.clear()
    pending.write({ name, space_id: configured.space_id })
    try {
      while (!(await this.#switched(reindex, signal, isPatient))) {
        await delay(RETRY_MS, undefined, { signal }).catch(() => signal.throwIfAborted())
      }
    } finally {
      if (!this.#stop.signal.aborted) pending.clear()
    }
  }

  /** @returns whether it did; not when the provider is away and may be waited for */
  async #switched(reindex: ReindexService, signal: AbortSignal, isPatient: boolean): Promise<boolean> {
    try {
      await reindex.build(({ filled: done, chunks: all }) => {
        this.#progress = { step: 'vectors', done, all }
      }, signal)
      const comparisons = await reindex.compare()
      if (comparisons.some((account) => account.clearly_worse)) throw new AppError('conflict', WORSE)
      await reindex.switchOver()
      return true
    } catch (error) {
      const isAway = error instanceof AppError && error.code === 'unavailable'
      if (!isPatient || !isAway || signal.aborted) throw error
      return false
    }
  }

  async #remove(name: LocalModelName): Promise<void> {
    const { models, look } = this.#parts
    if (models.unset(name)) await this.#goBack()
    else await look()
    models.delete(name)
  }

  /** config.yaml names no model any more. */
  async #goBack(): Promise<void> {
    await this.#parts.look()
    await using reindex = this.#parts.reindex()
    const { configured, active } = await reindex.state()
    if (configured.space_id !== active.space_id) await reindex.switchOver()
    await reindex.drop()
  }
}
