import { readIfPresent } from '../config/config-document.ts'
import { modelsSection } from '../config.ts'
import type { Log } from '../lib/log.ts'
import { modelsSettings } from '../models/configured/open-models.ts'
import {
  isRemoved,
  namedReranker,
  type OpenedRerankers,
  openReranker,
  rerankerVersion,
} from '../models/configured/open-rerankers.ts'
import type { PluggedIn } from '../models/configured/plugged-in.ts'
import type { Rerankers } from '../models/model.ts'
import { closing } from './follow-language-model.ts'

interface FollowedRerankers {
  readonly files: { readonly models: string; readonly config: string }
  readonly env: Readonly<Record<string, string | undefined>>
  readonly pluggedIn: PluggedIn<Rerankers>
  /** What the start opened. */
  readonly opened: OpenedRerankers | undefined
  /** Counts their calls. */
  readonly measure: (rerankers: Rerankers) => Rerankers
  readonly log: Log
}

/**
 * Has the running service use the reranker that config.yaml names, or the one that comes with its embedding model. One
 * that cannot be opened changes nothing. Those of the provider onnx, which may have to be downloaded, change with a restart.
 *
 * @param stack closes the reranker
 */
export function followReranker(followed: FollowedRerankers, stack: AsyncDisposableStack): () => Promise<void> {
  const { files, env, pluggedIn, measure, log } = followed
  let { opened } = followed
  stack.defer(async () => {
    await pluggedIn.settled()
    await opened?.close()
  })
  return async () => {
    const settings = modelsSettings(modelsSection(readIfPresent(files.config) ?? '', env))
    const found = namedReranker(settings, files.models)
    const named = found !== undefined && isRemoved(found, files.models) ? undefined : found
    if (named?.settings.provider === 'onnx') return
    if (rerankerVersion(named, files.models) === (opened?.version ?? '')) return
    const next = named && (await openReranker(named, { cacheFolder: files.models }))
    const previous = opened
    opened = next
    await pluggedIn.replace(
      next && measure(next.rerankers),
      closing(async () => previous?.close(), log),
    )
    log.info({ model: named?.settings.model ?? 'none' }, 'the reranker was changed')
  }
}
