import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { inspectDatabase } from '../../src/store/sqlite/database-file.ts'
import type { OAuthServer } from '../fakes/oauth-server.ts'
import { giveAccess, never, oauthHome, openAccess } from '../lib/oauth-engine.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { CRASH_ENGINES, crashDatabase } from './crash-database.ts'
import { openCrashDatabase } from './open-crash-database.ts'
import { databaseFindings } from './store-inspection.ts'

const KILLS = Number(process.env.RECALLD_TEST_KILLS ?? 3)
const MINUTE = 60_000

test.each(CRASH_ENGINES)(
  'a process on %s killed at any moment of a renewal leaves a grant that goes on, where the provider forgives one lost answer',
  async (engine) => {
    const { address, settled } = await crashDatabase(engine)
    const home = await oauthHome({ server: { graceMs: Number.POSITIVE_INFINITY } })
    const open = async () => {
      const { log } = recordingLog()
      const store = await openCrashDatabase(address, log, { clock: home.clock })
      onTestFinished(() => store.close())
      return home.open({ store })
    }
    const granting = await open()
    await giveAccess(home, granting)
    await granting.store.close()
    for (let kill = 0; kill < KILLS; kill++) {
      // The lease of the one before is over.
      home.clock.advance(5 * MINUTE)
      const child = fork(
        fileURLToPath(new URL('./grant-process.ts', import.meta.url)),
        [address, home.secretKeyFile, String(home.clock().getTime())],
        { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] },
      )
      const exited = once(child, 'exit')
      const asked = requests(home.server, 1 + Math.floor(Math.random() * 3))
      await Promise.race([asked, exited])
      // From before the answer until after the commit.
      await delay(Math.random() * 8)
      expect(child.exitCode).toBeNull()
      child.kill('SIGKILL')
      await exited
      await settled()
    }
    home.clock.advance(5 * MINUTE)
    const access = await openAccess(await open())
    const token = await access.accessToken(never)
    expect(home.server.accepts(await access.replaceToken(token, never))).toBe(true)
    const isFile = engine === 'sqlite'
    expect(isFile ? inspectDatabase(address).problems : await databaseFindings(address)).toEqual([])
  },
  300_000 + KILLS * 10_000,
)

/** Resolves while the last of so many requests for tokens is answered. */
function requests(server: OAuthServer, count: number): Promise<void> {
  let left = count
  return new Promise((resolve) => {
    server.onToken = () => {
      left -= 1
      if (left === 0) resolve()
    }
  })
}
