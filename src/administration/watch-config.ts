import { followFile } from '../lib/follow-file.ts'
import type { Log } from '../lib/log.ts'

interface WatchedConfig {
  readonly file: string
  /** Each uses what config.yaml names now. */
  readonly followers: readonly (() => Promise<void>)[]
  readonly log: Log
}

/**
 * Has the running service follow changes of config.yaml without a restart.
 *
 * @param stack ends it
 */
export function watchConfig(watched: WatchedConfig, stack: AsyncDisposableStack): { look(): Promise<void> } {
  const { file, followers, log } = watched
  /** Looks go one after another. */
  let looking = Promise.resolve()
  const follow = async () => {
    for (const one of followers) {
      await one().catch((error: unknown) => log.error({ err: error }, 'a model in config.yaml is not used'))
    }
  }
  const look = () => {
    looking = looking.then(follow)
    return looking
  }
  stack.defer(() => looking)
  stack.use(followFile(file, () => void look()))
  return { look }
}
