import fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { limitEventLoopDelay } from '../../../../src/http/rest/request-hooks.ts'

/** An application that is kept from its event loop so many times for longer than the time between two measurements. */
async function lateApplication(maxDelayMs: number, times: number) {
  const app = fastify()
  onTestFinished(() => app.close())
  limitEventLoopDelay(app, maxDelayMs)
  app.get('/', async () => 'here')
  await app.ready()
  for (let n = 0; n < times; n++) {
    const until = performance.now() + 1_100
    while (performance.now() < until);
    await new Promise((resolve) => setTimeout(resolve))
  }
  return app
}

test('requests are refused while the event loop is later than the limit again and again', async () => {
  const app = await lateApplication(100, 2)
  expect((await app.inject('/')).json()).toMatchObject({ message: 'The server is overloaded. Try again in 5 seconds' })
})

test('requests are answered after a single pause', async () => {
  const app = await lateApplication(100, 1)
  expect((await app.inject('/')).body).toBe('here')
})

test('requests are answered while the event loop is late, but within the limit', async () => {
  const app = await lateApplication(3_600_000, 2)
  expect((await app.inject('/')).body).toBe('here')
})
