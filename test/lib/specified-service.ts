import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, httpCall } from './http-call.ts'
import { type RunningService, startService } from './start-service.ts'

type Form = [string, string | File][]

/**
 * The real service over HTTP for one file of the specification's tests: started before them, stopped after. It holds an
 * item `billing` of the source text, and `checkout-test` of github.
 */
export function specifiedService() {
  let running: RunningService | undefined
  let githubKey = ''
  let emptyKey = ''
  const service = (): RunningService => {
    if (running === undefined) throw new Error('the service starts before the first test')
    return running
  }

  beforeAll(async () => {
    running = await startService()
    githubKey = await running.keyFor(['github'])
    emptyKey = await running.keyFor([])
    await running.upload('Grace and I agreed to start the billing migration on 1 April 2026 in Lisbon.', {
      itemId: 'billing',
    })
    await running.upload('I fixed the flaky checkout test by waiting for the payment webhook.', {
      itemId: 'checkout-test',
      source: 'github',
    })
  })
  afterAll(() => running?.stop())

  const url = (path: string) => `${service().baseUrl}${path}`
  const post = (path: string) => (form: Form, key?: string) =>
    httpCall(url(path), { method: 'POST', key: key ?? service().key, form })
  return {
    running: service,
    /** A key of the source github only. */
    github: () => githubKey,
    /** A key of no source. */
    nothing: () => emptyKey,
    url,
    get: (path: string, key?: string) => httpCall(url(path), { key: key ?? service().key }),
    remove: (path: string, key?: string) => httpCall(url(path), { method: 'DELETE', key: key ?? service().key }),
    recall: post('/v1/memories/recall'),
    ask: post('/v1/memories/ask'),
    /** A field whose value is `ABSENT` is left out; a body of `null` leaves out the file. */
    memorize(
      given: {
        fields?: Record<string, string>
        body?: string | Uint8Array<ArrayBuffer> | null
        name?: string
        key?: string
      } = {},
    ) {
      const { fields = {}, body = 'I met Alan at the station.', name = 'note.txt', key } = given
      const all = { user_name: 'Ada Lovelace', ...fields }
      const form: Form = Object.entries(all).filter(([, value]) => value !== 'ABSENT')
      if (body !== null) form.unshift(['file', new File([body], name, { type: 'text/plain' })])
      return post('/v1/memorize')(form, key)
    },
  }
}

/** Every error is a JSON object with a string `detail` (specification 7). */
export function expectDetail(answer: Answer, status: number, words = /\S/): void {
  expect({ status: answer.status, detail: answer.body.detail }).toEqual({
    status,
    detail: expect.stringMatching(words),
  })
}

/** Number of the section, the rule in its own words, and its test. */
export type Rule = readonly [section: string, rule: string, check: () => Promise<unknown>]

export function rules(table: readonly Rule[]): void {
  test.each(table)('%s %s', async (_section, _rule, check) => {
    await check()
  })
}
