import { expect, test } from 'vitest'
import { AppError } from '../../../../src/domain/errors.ts'
import { createMetrics } from '../../../../src/http/rest/metrics.ts'
import { createProbeServer } from '../../../../src/http/rest/probe-server.ts'
import { createReadiness, hasDiskSpace } from '../../../../src/service/health.ts'
import { recordingLog } from '../../../lib/recording-log.ts'
import { until } from '../../../lib/until.ts'

function served(health: () => Promise<void>, freeBytes = async () => 1e12) {
  const { log } = recordingLog()
  const service = { health, hasDiskSpace: () => hasDiskSpace(freeBytes) }
  const parts = { readiness: createReadiness({}), metrics: createMetrics(), allowedHosts: [], log }
  const server = createProbeServer({ ...parts, service, visibleTo: 'off' })
  const ask = (path: string) => server.inject({ path, headers: { host: 'localhost' } })
  return { ask }
}

test.each([
  ['is well', () => Promise.resolve(), 200],
  ['is away', () => Promise.reject(new AppError('unavailable', "The database can't be used")), 503],
])(
  'many who ask for health at once, and those right after them, cost one look at a store that %s',
  async (_, look, status) => {
    let looks = 0
    const gate = Promise.withResolvers<void>()
    const { ask } = served(async () => {
      looks += 1
      await gate.promise
      await look()
    })
    const many = Array.from({ length: 50 }, () => ask('/v1/health'))
    // It looks at nothing, so it is answered meanwhile, when the others have asked.
    expect((await ask('/v1/live')).statusCode).toBe(200)
    gate.resolve()
    for (const answer of await Promise.all(many)) expect(answer.statusCode).toBe(status)
    expect((await ask('/v1/health')).statusCode).toBe(status)
    expect(looks).toBe(1)
  },
)

test('a disk that is almost full is not healthy, and is again when it has room', async () => {
  let free = 1_000_000
  const full = served(
    async () => undefined,
    async () => free,
  )
  const refused = await full.ask('/v1/health')
  expect(refused.statusCode).toBe(503)
  expect(refused.json()).toEqual({ detail: expect.stringContaining('disk is almost full') })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  free = 1e12
  await until(async () => (await full.ask('/v1/health')).statusCode === 200)
})
