import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { inspectDatabase } from '../../src/store/sqlite/inspect-database.ts'
import { giveAccess, never, oauthHome, openAccess } from '../kit/oauth-engine.ts'
import type { OAuthServer } from '../kit/oauth-server.ts'

const KILLS = Number(process.env.RECALLD_TEST_KILLS ?? 4)
const MINUTE = 60_000

test(
  'a process killed at any moment of a renewal leaves a grant that goes on, where the provider forgives one lost answer',
  async () => {
    const home = await oauthHome({ server: { graceMs: Number.POSITIVE_INFINITY } })
    const granting = await home.open()
    await giveAccess(home, granting)
    await granting.store.close()
    for (let kill = 0; kill < KILLS; kill++) {
      // The lease of the one before is over.
      home.clock.advance(5 * MINUTE)
      const child = fork(
        fileURLToPath(new URL('./grant-process.ts', import.meta.url)),
        [home.database, home.secretKeyFile, String(home.clock().getTime())],
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
    }
    home.clock.advance(5 * MINUTE)
    const access = await openAccess(await home.open())
    const token = await access.accessToken(never)
    expect(home.server.accepts(await access.replaceToken(token, never))).toBe(true)
    expect(inspectDatabase(home.database).problems).toEqual([])
  },
  30_000 + KILLS * 3_000,
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
