import { homeFiles } from '../config/home-folder.ts'
import type { Config } from '../config.ts'
import { AppError } from '../domain/errors.ts'
import {
  type ConfiguredLanguageModel,
  EXTRACT_PROMPT,
  modelsSettings,
  openModels,
  readPrompt,
} from '../models/configured/open-models.ts'
import { microDollars } from '../models/model.ts'
import { MOST_CHUNKS_READ, planBatches, type RefineRules, refineRules } from '../pipeline/refine/plan-batches.ts'
import type { RefinementCandidate } from '../store/refinements/refinements.ts'
import type { ScopedStore, Store } from '../store/store.ts'
import type { RefinementEstimate, RefinementRequest } from './administration.ts'

/** Each page reads all items of the source, so pages are large. */
const PAGE = 10_000

/**
 * Estimates the language model's cost for items that it has not refined, and queues them unless only an estimate is
 * requested. Paid answers are reused and counted separately.
 * @throws AppError `invalid` when no language model is configured for it
 */
export async function refineItems(
  config: Config,
  store: Store,
  { source, dryRun, onTotal, onItem }: RefinementRequest,
): Promise<RefinementEstimate> {
  const { model } = await extractingModel(config)
  const rules = refineRules(model, readPrompt(EXTRACT_PROMPT))
  const found: { scoped: ScopedStore; candidate: RefinementCandidate }[] = []
  for (const { accountId } of await store.admin.listAccounts()) {
    const scoped = store.scoped({ accountId, sources: 'all' })
    for await (const candidate of candidates(scoped, rules, source)) found.push({ scoped, candidate })
  }
  onTotal(found.length)
  const sum = { items: found.length, queued: 0, calls: 0, kept_answers: 0, input_tokens: 0, output_tokens: 0 }
  for (const { scoped, candidate } of found) {
    const needed = await estimate(scoped, candidate, rules)
    sum.calls += needed.calls
    sum.kept_answers += needed.kept
    sum.input_tokens += needed.inputTokens
    sum.output_tokens += needed.outputTokens
    if (!dryRun) sum.queued += await scoped.refinements.queue([candidate.key])
    onItem()
  }
  const { input_tokens: inputTokens, output_tokens: outputTokens } = sum
  const millionths = model.price && microDollars({ inputTokens, outputTokens }, model.price)
  return { model: model.id, ...sum, dollars: millionths === undefined ? null : millionths / 1_000_000 }
}

async function extractingModel(config: Config): Promise<ConfiguredLanguageModel> {
  const { language: settings } = modelsSettings(config.models)
  const environment = { cacheFolder: homeFiles(config.home).models }
  const { language } = settings === undefined ? {} : await openModels({ language: settings }, environment)
  if (language?.uses.has('extract')) return language
  throw new AppError(
    'invalid',
    'No language model is configured to extract memories. Set models.language in config.yaml, with extract in its use.',
  )
}

async function* candidates(
  { refinements }: ScopedStore,
  { refinedBy }: RefineRules,
  sourceType: RefinementRequest['source'],
): AsyncGenerator<RefinementCandidate> {
  let after = 0
  for (;;) {
    const page = await refinements.candidates({ refinedBy, after, limit: PAGE, ...(sourceType && { sourceType }) })
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
    after = last.key
  }
}

async function estimate({ refinements }: ScopedStore, candidate: RefinementCandidate, rules: RefineRules) {
  const found = await refinements.read(candidate, MOST_CHUNKS_READ)
  const batches = found === undefined ? [] : [...planBatches(found.item, rules)]
  const asked = batches.filter(({ hash }) => found?.answers.has(hash) !== true)
  return {
    calls: asked.length,
    kept: batches.length - asked.length,
    inputTokens: asked.reduce((sum, batch) => sum + batch.inputTokens, 0),
    outputTokens: asked.reduce((sum, batch) => sum + batch.likelyOutputTokens, 0),
  }
}
