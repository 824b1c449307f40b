import { expect, test } from 'vitest'
import { LAUNCHER, ON_OLDER_NODE, startMcp } from '../lib/mcp-process.ts'

// It ends the same without a service.
const env = { RECALLD_URL: 'http://127.0.0.1:9', RECALLD_API_KEY: 'rk_some', RECALLD_HOME: '/nonexistent/recalld' }

test('started again and again, it leaves no process', async () => {
  const restarts = Number(process.env.RECALLD_TEST_RESTARTS ?? 8)
  let done = 0
  const restart = async () => {
    while (done < restarts) {
      done += 1
      const mcp = startMcp(env, done % 4 === 0 ? ON_OLDER_NODE : [LAUNCHER])
      await mcp.initialize()
      mcp.hangUp()
      // Once its output is closed, also the process behind the launcher is gone.
      expect((await mcp.ended).code).toBe(0)
    }
  }
  await Promise.all([restart(), restart(), restart()])
  expect(done).toBe(restarts)
})
