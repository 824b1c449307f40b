import { isDeepStrictEqual } from 'node:util'
import { withReferences } from '../config/config-document.ts'
import { homeFiles } from '../config/home-folder.ts'
import { readEmbeddingModel } from '../config/model-entry.ts'
import type { Config } from '../config.ts'
import { AppError } from '../domain/errors.ts'
import type { Log } from '../lib/log.ts'
import { modelsSettings } from '../models/configured/open-models.ts'
import type { PluggedIn } from '../models/configured/plugged-in.ts'
import type { Embedder } from '../models/model.ts'
import { EMBEDDING_SETTINGS, type EmbeddingSettings } from '../models/model-settings.ts'
import { backgroundCosine } from '../retrieval/recall/background-cosine.ts'
import { goldenChanges, goldenSummary } from '../service/golden-report.ts'
import type { Service } from '../service/service.ts'
import type { GoldenRank } from '../store/golden/golden.ts'
import type { NewSpace, SpaceRow } from '../store/spaces/spaces.ts'
import type { Store } from '../store/store.ts'
import { createVectorFiller } from '../worker/vector-filler.ts'
import type { EmbeddingOverview, GoldenOverview } from './administration.ts'
import type { GoldenScores } from './reindex-contract.ts'

export async function embeddingOverview(config: Config, store: Store): Promise<EmbeddingOverview> {
  const rows = await store.spaces.list()
  const active = rows.find(({ state }) => state === 'active')
  const building = rows.find(({ state }) => state === 'building')
  const counted = async ({ spaceId }: SpaceRow) => {
    const { chunks: all, filled: embedded } = await store.spaces.progress(spaceId)
    return { all, embedded }
  }
  const mismatch = await mismatchOf(config, store)
  const waiting = rows.flatMap(({ problem }) =>
    problem === undefined ? [] : [{ message: problem.message, retry_at: problem.retryAt.toISOString() }],
  )
  return {
    model: active === undefined ? BUILT_IN_NAME : embeddingName(active.model),
    ...(active && { texts: await counted(active) }),
    ...(building && { building: { model: embeddingName(building.model), ...(await counted(building)) } }),
    problems: [
      ...(mismatch === undefined ? [] : [{ message: mismatch, advice: { action: 'reindex' } as const }]),
      ...waiting,
    ],
  }
}

/** An error in the model settings hides nothing else; it is reported with the language model. */
async function mismatchOf(config: Config, store: Store): Promise<string | undefined> {
  try {
    return await embeddingMismatch(config, store)
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

export async function goldenOverview(service: Service): Promise<GoldenOverview[]> {
  const overviews: GoldenOverview[] = []
  for (const { accountId } of await service.accounts.list()) {
    const { questions, runs } = await service.golden.list(accountId)
    const [last, before] = runs
    if (questions.length === 0 || last === undefined) continue
    const changes = goldenChanges(before?.ranks, last.ranks)
    overviews.push({
      account_id: accountId,
      ...goldenScores(last.ranks),
      worse: changes.filter(({ change }) => change === 'worse').length,
      ran_at: last.ranAt.toISOString(),
    })
  }
  return overviews
}

export const BUILT_IN_NAME = 'the built-in model'

/** The part of the model settings stored with a space: its display name, and what determines its vectors. */
export function embeddingDescription(settings: EmbeddingSettings): NewSpace['model'] {
  const { provider, model, dimensions, dtype, pooling, max_characters: characters } = settings
  const { query_prefix: query, passage_prefix: passage } = settings
  return {
    provider,
    model,
    ...(dimensions !== undefined && { dimensions }),
    max_characters: characters,
    ...(dtype !== undefined && { dtype }),
    ...(pooling !== undefined && { pooling }),
    ...(query !== undefined && { query_prefix: query }),
    ...(passage !== undefined && { passage_prefix: passage }),
  }
}

/** As a space stores them. */
interface Named {
  readonly provider?: string | number
  readonly model?: string | number
}

/** As in the error messages of models. */
export function embeddingName({ provider, model }: Named): string {
  return `${provider}:${model}`
}

/** The summary of a run, as commands print it. */
export function goldenScores(ranks: ReadonlyMap<number, GoldenRank>): GoldenScores {
  const { asked, foundIn5, foundIn10, meanReciprocalRank, withoutItem } = goldenSummary(ranks)
  return {
    asked,
    found_in_5: foundIn5,
    found_in_10: foundIn10,
    mean_reciprocal_rank: meanReciprocalRank,
    without_item: withoutItem,
  }
}

/** Fills the space of the embedding model, also when that is exchanged. @param stack ends it */
export async function fillVectors(
  { config, store, plugged, log }: { config: Config; store: Store; plugged: PluggedIn<Embedder>; log: Log },
  stack: AsyncDisposableStack,
): Promise<void> {
  const open = async () => {
    const embedder = plugged.current
    if (embedder !== undefined) await adoptInEmptyMemory(config, store, embedder)
    const filler = createVectorFiller({ spaces: store.spaces, embedder, log })
    filler.start()
    return filler
  }
  const mismatch = await embeddingMismatch(config, store, plugged.current)
  let filler = await open()
  let isStopped = false
  plugged.onChange(async () => {
    await filler.stop()
    if (!isStopped) filler = await open()
  })
  stack.defer(() => {
    isStopped = true
    return filler.stop()
  })
  if (mismatch !== undefined) log.warn(mismatch)
}

/** The embedding model in config.yaml, which may have changed since that was read; one of onnx changes with a restart. */
function embeddingSettings({ home, models }: Config): EmbeddingSettings | undefined {
  const atStart = modelsSettings(models).embedding
  if (atStart?.provider === 'onnx') return atStart
  const entry = readEmbeddingModel(homeFiles(home).config)
  if (entry === undefined) return undefined
  const now = EMBEDDING_SETTINGS.safeParse(entry).data
  // References to variables are resolved at the start.
  if (now === undefined || now.provider === 'onnx') return atStart
  const described = JSON.stringify(embeddingDescription(now))
  return withReferences(described) === described ? now : atStart
}

/** Without texts there is nothing to build or compare, so the model is used immediately. */
async function adoptInEmptyMemory(config: Config, { spaces }: Store, embedder: Embedder): Promise<void> {
  const settings = embeddingSettings(config)
  const { id: spaceId, dimensions } = embedder.space
  if (settings === undefined || (await spaces.list()).length > 0) return
  if ((await spaces.progress(spaceId)).chunks > 0) return
  try {
    const background = await backgroundCosine(embedder)
    await spaces.begin({ spaceId, dimensions, background, model: embeddingDescription(settings) })
    await spaces.activate(spaceId)
  } catch (error) {
    // An unavailable model is used after `recalld reindex`; another process may have been first.
    if (!(error instanceof AppError)) throw error
  }
}

/**
 * A warning when questions use another space than that of the configured model.
 * @param embedder that model, when it is open; otherwise its settings identify it
 */
async function embeddingMismatch(config: Config, store: Store, embedder?: Embedder): Promise<string | undefined> {
  const settings = embeddingSettings(config)
  const active = (await store.spaces.list()).find(({ state }) => state === 'active')
  if (settings === undefined) {
    if (active === undefined) return undefined
    return `The memory is indexed with ${embeddingName(active.model)}, which is no longer in config.yaml. Configure it again, or reindex.`
  }
  const wanted = embeddingDescription(settings)
  const isSame = (space: SpaceRow) =>
    embedder === undefined ? isDeepStrictEqual(space.model, wanted) : space.spaceId === embedder.space.id
  if (active !== undefined && isSame(active)) return undefined
  const is = active === undefined ? 'the built-in model' : embeddingName(active.model)
  return `The embedding model in config.yaml is ${embeddingName(wanted)}, but recall uses ${is} until you reindex.`
}
