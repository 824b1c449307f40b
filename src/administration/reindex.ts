import { setTimeout as delay } from 'node:timers/promises'
import { homeFiles } from '../config/home-folder.ts'
import type { Config } from '../config.ts'
import { AppError } from '../domain/errors.ts'
import type { Log } from '../lib/log.ts'
import { modelsSettings, type OpenModels, openModels } from '../models/configured/open-models.ts'
import type { Embedder } from '../models/model.ts'
import { createPipeline } from '../pipeline/pipeline.ts'
import { backgroundCosine, sampleTexts } from '../retrieval/background-cosine.ts'
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
 * Opens a home to change its embedding model, beside a service that may be running on it.
 *
 * @param openHome opens the store and the service over it with these models; `stack` closes them
 * @throws AppError what `openHome` and `openModels` throw
 */
export async function openReindex(
  config: Config,
  { log, version }: { log: Log; version: string },
  openHome: (models: OpenModels, stack: AsyncDisposableStack) => Promise<ReindexHome>,
): Promise<ReindexService> {
  await using stack = new AsyncDisposableStack()
  const { embedding: settings, reranker } = modelsSettings(config.models)
  // Golden questions are asked as users ask them, so the reranker orders what they find.
  const chosen = { ...(settings && { embedding: settings }), ...(reranker && { reranker }) }
  const models = await openModels(chosen, { cacheFolder: homeFiles(config.home).models })
  stack.defer(() => models.close())
  const { embedding: model } = models
  const { store, service, embedder: builtIn } = await openHome(models, stack)
  const opened = stack.move()
  const configured: ModelView = {
    space_id: (model ?? builtIn).space.id,
    name: settings === undefined ? BUILT_IN_NAME : embeddingName(embeddingDescription(settings)),
    is_built_in: settings === undefined,
  }
  const by = { version, pipelineVersion: createPipeline({ embedder: builtIn }).pipelineVersion }
  const { spaces } = store
  const rowIn = async (state: SpaceRow['state']) => (await spaces.list()).find((row) => row.state === state)
  const requireModel = (): Embedder => {
    if (model !== undefined) return model
    throw new AppError('invalid', 'No embedding model is configured: name one under models: embedding in config.yaml.')
  }
  return {
    async state() {
      const [active, building, retired] = [await rowIn('active'), await rowIn('building'), await rowIn('retired')]
      const builtInView = { space_id: builtIn.space.id, name: BUILT_IN_NAME, is_built_in: true }
      const before = retired === undefined ? active && builtInView : view(retired)
      return {
        configured,
        active: active === undefined ? builtInView : view(active),
        ...(building !== undefined && { building: view(building) }),
        ...(before !== undefined && { previous: before }),
      }
    },
    estimate: () => estimate(spaces, requireModel()),
    async build(report, signal) {
      const embedder = requireModel()
      // The first that is asked of the model: nothing has changed when it refuses.
      const background = await backgroundCosine(embedder)
      const { id: spaceId, dimensions } = embedder.space
      await spaces.begin({
        spaceId,
        dimensions,
        background,
        model: settings === undefined ? {} : embeddingDescription(settings),
      })
      await filled({ spaces, embedder, log, report, signal })
    },
    missing: async () => (await spaces.estimate(requireModel().space.id)).texts,
    compare: () => compare(store, service, { after: configured.space_id, by }),
    askGolden: (account) => askGolden(service, account, by),
    async switchOver() {
      await spaces.activate(model?.space.id)
      await keepRuns(store, service, by)
    },
    async rollBack() {
      const retired = await rowIn('retired')
      if (retired === undefined && (await spaces.active()) === undefined) {
        throw new AppError('conflict', 'There is no embedding space to go back to.')
      }
      await spaces.activate(retired?.spaceId)
      await keepRuns(store, service, by)
    },
    async drop() {
      const dropped = (await spaces.list()).filter(({ state }) => state !== 'active')
      for (const { spaceId } of dropped) await spaces.drop(spaceId)
      while (await spaces.sweep());
      return dropped.map(view)
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

function view({ spaceId, model }: SpaceRow): ModelView {
  return { space_id: spaceId, name: embeddingName(model), is_built_in: false }
}

/** Texts of the usual length, to see how long a batch takes. */
async function estimate(spaces: Spaces, embedder: Embedder): Promise<ReindexEstimate> {
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

/** A filler of this process takes part: one holds the lease, here or in a service that has the same model. */
async function filled({ spaces, embedder, log, report, signal }: Filling): Promise<void> {
  const filler = createVectorFiller({ spaces, embedder, log })
  filler.start()
  const spaceId = embedder.space.id
  try {
    for (;;) {
      const row = (await spaces.list()).find((space) => space.spaceId === spaceId)
      if (row === undefined || row.state === 'dropping') {
        throw new AppError('conflict', 'The space that was being built was dropped by another command.')
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
    // The model of before may be out of reach by now: then what it answered the last time counts, if that is known.
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

/** What the next run is compared with. */
async function keepRuns(store: Store, service: Service, by: Comparing['by']): Promise<void> {
  for (const { accountId: account } of await store.admin.listAccounts()) {
    const { questions } = await service.golden.list(account)
    if (questions.length > 0) await service.golden.run({ account, by })
  }
}
