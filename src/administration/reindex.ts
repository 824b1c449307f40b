import { setTimeout as delay } from 'node:timers/promises'
import { homeFiles } from '../config/home-folder.ts'
import type { Config } from '../config.ts'
import { AppError } from '../domain/errors.ts'
import type { Log } from '../lib/log.ts'
import { modelsSettings, type OpenModels, openModels } from '../models/configured/open-models.ts'
import type { Embedder } from '../models/model.ts'
import type { EmbeddingSettings } from '../models/model-settings.ts'
import { pipelineVersion } from '../pipeline/pipeline-version.ts'
import { backgroundCosine, sampleTexts } from '../retrieval/recall/background-cosine.ts'
import { type GoldenChange, goldenChanges, isClearlyWorse } from '../service/golden-report.ts'
import type { Service } from '../service/service.ts'
import type { GoldenQuestion } from '../store/golden/golden.ts'
import type { SpaceRow, Spaces } from '../store/spaces/spaces.ts'
import type { Store } from '../store/store.ts'
import { createVectorFiller } from '../worker/vector-filler.ts'
import { BUILT_IN_NAME, embeddingDescription, embeddingName, goldenScores } from './embedding-overview.ts'
import type {
  BuildProgress,
  GoldenAnswers,
  ModelView,
  ReindexEstimate,
  ReindexService,
  ReindexState,
  SpaceComparison,
} from './reindex-contract.ts'

export interface ReindexHome {
  readonly store: Store
  readonly service: Service
  /** The built-in one. */
  readonly embedder: Embedder
}

const LOOK_MS = 500
const SAMPLED_TEXTS = 32

/**
 * Opens a home to change its embedding model, while a service may be running on it.
 * @param openHome opens the store and the service over it with these models; `stack` closes them
 * @throws AppError the errors of `openHome` and `openModels`
 */
export async function openReindex(
  config: Config,
  { log, version }: { log: Log; version: string },
  openHome: (models: OpenModels, stack: AsyncDisposableStack) => Promise<ReindexHome>,
): Promise<ReindexService> {
  await using stack = new AsyncDisposableStack()
  const { embedding: settings, reranker } = modelsSettings(config.models)
  // Golden questions are asked as users ask them, including the reranker.
  const chosen = { ...(settings && { embedding: settings }), ...(reranker && { reranker }) }
  const models = await openModels(chosen, { cacheFolder: homeFiles(config.home).models })
  stack.defer(() => models.close())
  const { embedding: model } = models
  const { store, service, embedder: builtIn } = await openHome(models, stack)
  const by = { version, pipelineVersion: pipelineVersion(builtIn.space.id) }
  return new HomeReindex({ store, service, log, builtIn, model, settings, by, opened: stack.move() })
}

/** The same over the parts of a running service, whose models stay open. */
export function reindexOf(parts: Omit<ReindexParts, 'opened'>): ReindexService {
  return new HomeReindex({ ...parts, opened: new AsyncDisposableStack() })
}

interface ReindexParts {
  readonly store: Store
  readonly service: Service
  readonly log: Log
  readonly builtIn: Embedder
  /** The configured one, with its settings. */
  readonly model: Embedder | undefined
  readonly settings: EmbeddingSettings | undefined
  readonly by: Comparing['by']
  readonly opened: AsyncDisposableStack
}

class HomeReindex implements ReindexService {
  readonly #parts: ReindexParts
  readonly #spaces: Spaces
  readonly #configured: ModelView

  constructor(parts: ReindexParts) {
    const { store, model, builtIn, settings } = parts
    this.#parts = parts
    this.#spaces = store.spaces
    this.#configured = {
      space_id: (model ?? builtIn).space.id,
      name: settings === undefined ? BUILT_IN_NAME : embeddingName(embeddingDescription(settings)),
      is_built_in: settings === undefined,
    }
  }

  async state(): Promise<ReindexState> {
    const active = await this.#rowIn('active')
    const building = await this.#rowIn('building')
    const retired = await this.#rowIn('retired')
    const builtInView = { space_id: this.#parts.builtIn.space.id, name: BUILT_IN_NAME, is_built_in: true }
    const before = retired === undefined ? active && builtInView : view(retired)
    return {
      configured: this.#configured,
      active: active === undefined ? builtInView : view(active),
      ...(building !== undefined && { building: view(building) }),
      ...(before !== undefined && { previous: before }),
    }
  }

  async estimate(): Promise<ReindexEstimate> {
    return estimateReindex(this.#spaces, this.#requireModel())
  }

  async build(report: (progress: BuildProgress) => void, signal: AbortSignal): Promise<void> {
    const { settings, log } = this.#parts
    const embedder = this.#requireModel()
    // The model is tested before anything changes.
    const background = await backgroundCosine(embedder)
    const { id: spaceId, dimensions } = embedder.space
    const model = settings === undefined ? {} : embeddingDescription(settings)
    await this.#spaces.begin({ spaceId, dimensions, background, model })
    await filled({ spaces: this.#spaces, embedder, log, report, signal })
  }

  async missing(): Promise<number> {
    return (await this.#spaces.estimate(this.#requireModel().space.id)).texts
  }

  compare(): Promise<SpaceComparison[]> {
    const { store, service, by } = this.#parts
    return compare(store, service, { after: this.#configured.space_id, by })
  }

  askGolden(account: string | undefined): Promise<GoldenAnswers> {
    return askGolden(this.#parts.service, account, this.#parts.by)
  }

  switchOver(): Promise<void> {
    return this.#activate(this.#parts.model?.space.id)
  }

  async rollBack(): Promise<void> {
    const retired = await this.#rowIn('retired')
    if (retired === undefined && (await this.#spaces.active()) === undefined) {
      throw new AppError('conflict', 'There is no previous embedding space to switch back to.')
    }
    await this.#activate(retired?.spaceId)
  }

  async drop(): Promise<readonly ModelView[]> {
    const dropped = (await this.#spaces.list()).filter(({ state }) => state !== 'active')
    for (const { spaceId } of dropped) await this.#spaces.drop(spaceId)
    while (await this.#spaces.sweep());
    return dropped.map(view)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#parts.opened.disposeAsync()
  }

  async #activate(spaceId: string | undefined): Promise<void> {
    const { store, service, by } = this.#parts
    await this.#spaces.activate(spaceId)
    await keepRuns(store, service, by)
  }

  async #rowIn(state: SpaceRow['state']): Promise<SpaceRow | undefined> {
    return (await this.#spaces.list()).find((row) => row.state === state)
  }

  #requireModel(): Embedder {
    const { model } = this.#parts
    if (model !== undefined) return model
    throw new AppError('invalid', 'No embedding model is configured. Set models.embedding in config.yaml.')
  }
}

function view({ spaceId, model }: SpaceRow): ModelView {
  return { space_id: spaceId, name: embeddingName(model), is_built_in: false }
}

/** What filling a space takes; measures a batch of texts of average length, not from the memory. */
export async function estimateReindex(spaces: Spaces, embedder: Embedder): Promise<ReindexEstimate> {
  const { texts, characters } = await spaces.estimate(embedder.space.id)
  const tokens = Math.ceil(characters / 4)
  const { price } = embedder
  const dollars = price === undefined ? {} : { dollars: (tokens / 1e6) * price.input }
  if (texts === 0) return { texts, characters, tokens, ...dollars, seconds: 0 }
  const length = Math.min(embedder.maxCharacters, Math.ceil(characters / texts))
  const sample = sampleTexts(Math.min(embedder.maxBatch, SAMPLED_TEXTS, texts), length)
  // The first call may have to load the model.
  await embedder.embed(sample.slice(0, 1), { purpose: 'passage' })
  const startedAt = performance.now()
  await embedder.embed(sample, { purpose: 'passage' })
  const seconds = ((performance.now() - startedAt) / 1_000) * (texts / sample.length)
  return { texts, characters, tokens, ...dollars, seconds }
}

interface Filling {
  readonly spaces: Spaces
  readonly embedder: Embedder
  readonly log: Log
  readonly report: (progress: BuildProgress) => void
  readonly signal: AbortSignal
}

/** Fills the space, here or in a service with the same model: whichever has the lease. */
async function filled({ spaces, embedder, log, report, signal }: Filling): Promise<void> {
  const filler = createVectorFiller({ spaces, embedder, log })
  filler.start()
  const spaceId = embedder.space.id
  try {
    for (;;) {
      const row = (await spaces.list()).find((space) => space.spaceId === spaceId)
      if (row === undefined || row.state === 'dropping') {
        throw new AppError('conflict', 'Another command dropped the space while it was being built.')
      }
      const progress = await spaces.progress(spaceId)
      report({ ...progress, ...(row.problem && { problem: row.problem.message }) })
      const { texts, isLast } = await spaces.missing(spaceId, 1)
      if (texts.length === 0 && isLast) return
      const woken = delay(LOOK_MS, undefined, { signal })
      await woken.catch((error: unknown) => {
        signal.throwIfAborted()
        throw error
      })
    }
  } finally {
    await filler.stop()
  }
}

interface Comparing {
  readonly after: string
  readonly by: { readonly version: string; readonly pipelineVersion: string }
}

async function compare(store: Store, service: Service, { after: spaceId, by }: Comparing): Promise<SpaceComparison[]> {
  const comparisons: SpaceComparison[] = []
  const active = (await store.spaces.active())?.spaceId
  for (const { accountId: account } of await store.admin.listAccounts()) {
    const { questions, runs } = await service.golden.list(account)
    if (questions.length === 0) continue
    const now = await service.golden.run({ account, by, keep: false })
    // If the previous model is unreachable, its last stored results count.
    const kept = now.notice === undefined ? undefined : runs.find((run) => run.spaceId === active)
    const before = (kept ?? now.run).ranks
    const after = (await service.golden.run({ account, by, spaceId, keep: false })).run.ranks
    comparisons.push({
      account_id: account,
      before: goldenScores(before),
      after: goldenScores(after),
      questions: withQuestions(goldenChanges(before, after), questions),
      clearly_worse: isClearlyWorse(before, after),
    })
  }
  return comparisons
}

async function askGolden(service: Service, account: string | undefined, by: Comparing['by']): Promise<GoldenAnswers> {
  const { questions, runs } = await service.golden.list(account)
  const { run, notice } = await service.golden.run({ ...(account !== undefined && { account }), by })
  return {
    scores: goldenScores(run.ranks),
    questions: withQuestions(goldenChanges(runs[0]?.ranks, run.ranks), questions),
    ...(notice !== undefined && { notice }),
  }
}

function withQuestions(changes: readonly GoldenChange[], questions: readonly GoldenQuestion[]) {
  const textOf = new Map(questions.map(({ number, question }) => [number, question]))
  return changes.map((change) => ({ ...change, question: textOf.get(change.number) ?? '' }))
}

/** Stored for the next comparison. */
async function keepRuns(store: Store, service: Service, by: Comparing['by']): Promise<void> {
  for (const { accountId: account } of await store.admin.listAccounts()) {
    const { questions } = await service.golden.list(account)
    if (questions.length > 0) await service.golden.run({ account, by })
  }
}
