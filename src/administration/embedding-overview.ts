import type { Config } from '../config.ts'
import { AppError } from '../domain/errors.ts'
import { goldenChanges } from '../service/golden-report.ts'
import type { Service } from '../service/service.ts'
import type { SpaceRow } from '../store/spaces/spaces.ts'
import type { Store } from '../store/store.ts'
import type { EmbeddingOverview, GoldenOverview } from './administration.ts'
import { BUILT_IN_NAME, embeddingName } from './embedding-name.ts'
import { embeddingMismatch } from './fill-vectors.ts'
import { goldenScores } from './golden-scores.ts'

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
    problems: [...(mismatch === undefined ? [] : [{ message: mismatch }]), ...waiting],
  }
}

/** A mistake in the settings of models hides nothing else, and is told with the language model. */
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
