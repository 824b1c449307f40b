import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { httpCall } from '../lib/http-call.ts'
import { type RunningService, startService } from '../lib/start-service.ts'

/*
 * Two accounts hold the same item ids with different secrets, and one account holds one id in two sources. Whatever is
 * asked, nobody sees a word of what is not theirs, nor learns whether it exists.
 */

const RECALLED = z.object({ chunks: z.array(z.object({ text: z.string(), handle: z.string() })) })

let running: RunningService
let ada: string
let bob: string
/** Bob's key for github only. */
let bobGithub: string
let bobNothing: string
let bobAccount: string

beforeAll(async () => {
  running = await startService()
  const account = await running.service.accounts.create({ name: 'Bob', userName: 'Bob' })
  ada = running.key
  bob = account.key
  bobAccount = account.accountId
  bobGithub = await running.keyFor(['github'], bobAccount)
  bobNothing = await running.keyFor([], bobAccount)
  await running.upload('I keep the amethyst password in the lighthouse drawer.', { key: ada, itemId: 'secret' })
  await running.upload('I keep the bismuth password in the windmill drawer.', { key: bob, itemId: 'secret' })
  await running.upload('I keep the cobalt password in the github vault drawer.', {
    key: bob,
    itemId: 'secret',
    source: 'github',
  })
  await running.upload('I told Slack about the dysprosium password in the cellar drawer.', {
    key: bob,
    itemId: 'only-slack',
    source: 'slack',
  })
})
afterAll(() => running.stop())

const call = (method: string, path: string, key: string, form?: [string, string | File][]) =>
  httpCall(`${running.baseUrl}${path}`, { method, key, ...(form && { form }) })

test('a handle opens nothing of another account, nor of a source that the key does not see', async () => {
  const recalled = await call('POST', '/v1/memories/recall', bob, [['text', 'bismuth windmill']])
  const { chunks } = RECALLED.parse(JSON.parse(recalled.text))
  const handle = chunks.find(({ text }) => text.includes('bismuth'))?.handle ?? ''
  const open = (name: string, key: string) =>
    call('GET', `/v1/memories/passages?handle=${encodeURIComponent(name)}`, key)
  expect((await open(handle, bob)).text).toContain('bismuth')
  for (const [name, key] of [
    [handle, ada],
    [handle, bobGithub],
    [handle, bobNothing],
    ['slack/only-slack', bobGithub],
    ['slack/only-slack', ada],
  ] as const) {
    const absent = await open('r99999999.0', key)
    const refused = await open(name, key)
    expect(refused.status).toBe(404)
    expect(refused.text.replace(name, 'r99999999.0')).toBe(absent.text)
  }
})

/** Everything a key can read, as one text. */
async function everything(key: string): Promise<string> {
  const texts: string[] = []
  for (const text of [
    'password',
    'amethyst lighthouse',
    'bismuth windmill',
    'cobalt github vault',
    'dysprosium cellar',
    'secret',
  ]) {
    texts.push(
      (
        await call('POST', '/v1/memories/recall', key, [
          ['text', text],
          ['limit', '100'],
        ])
      ).text,
    )
    texts.push((await call('POST', '/v1/memories/ask', key, [['text', `Where is the ${text} drawer?`]])).text)
    for (const source of ['text', 'github', 'slack']) {
      texts.push(
        (
          await call('POST', '/v1/memories/recall', key, [
            ['text', text],
            ['source', source],
          ])
        ).text,
      )
    }
  }
  for (const source of ['text', 'github', 'slack', 'email']) {
    texts.push((await call('GET', `/v1/files/list?source_type=${source}`, key)).text)
    for (const item of ['secret', 'only-slack']) {
      texts.push((await call('GET', `/v1/files/download?item_id=${item}&source_type=${source}`, key)).text)
      texts.push((await call('GET', `/v1/files/download?item_id=${item}`, key)).text)
    }
  }
  return texts.join('\n')
}

describe('two accounts with the same item ids', () => {
  test('the owner finds what is hers', async () => {
    expect(await everything(ada)).toMatch(/amethyst/)
    const bobs = await everything(bob)
    for (const word of ['bismuth', 'cobalt', 'dysprosium']) expect(bobs).toContain(word)
  })

  test('neither sees a word of the other by any endpoint', async () => {
    // Only what was not in a question itself: an answer may repeat that.
    expect(await everything(bob)).not.toMatch(/"[^"]*I keep the amethyst/)
    expect(await everything(ada)).not.toMatch(/I keep the (bismuth|cobalt)|I told Slack/)
    expect(await everything(ada)).not.toContain('only-slack_memory')
  })

  test('a deletion reaches the own item only', async () => {
    await running.upload('I own this twice.', { key: ada, itemId: 'both' })
    await running.upload('I own this twice.', { key: bob, itemId: 'both' })
    expect((await call('DELETE', '/v1/files/text/both', bob)).status).toBe(200)
    expect((await call('GET', '/v1/files/download?item_id=both', ada)).status).toBe(200)
    expect((await call('DELETE', '/v1/files/text/both', bob)).status).toBe(404)
  })

  test('an upload conflicts with the own items only', async () => {
    const send = (key: string) =>
      call('POST', '/v1/memorize', key, [
        ['file', new File(['x'], 'x.txt')],
        ['user_name', 'U'],
        ['item_id', 'only-slack'],
        ['source_type', 'slack'],
      ])
    expect((await send(ada)).status).toBe(200)
    expect((await send(bob)).status).toBe(409)
  })

  test('counts and usage are of the own account', async () => {
    const hers = await call('GET', '/v1/files/list?source_type=github', ada)
    expect(hers.body).toMatchObject({ total: 0, files: [] })
  })
})

describe('a key of one source', () => {
  test('sees nothing of another source by any endpoint', async () => {
    const seen = await everything(bobGithub)
    expect(seen).toContain('I keep the cobalt')
    expect(seen).not.toMatch(/I keep the (amethyst|bismuth)|I told Slack/)
    expect(seen).not.toMatch(/only-slack_memory|"source":"(text|slack)"/)
  })

  test('an empty selection sees nothing at all', async () => {
    expect(await everything(bobNothing)).not.toMatch(/I keep the|I told Slack|_memory_\d/)
  })

  test.each([
    ['GET', '/v1/files/download?source_type=slack&item_id='],
    ['DELETE', '/v1/files/slack/'],
  ])('%s %s… does not tell an item that exists from one that does not', async (method, path) => {
    const [existing, absent] = [
      await call(method, `${path}only-slack`, bobGithub),
      await call(method, `${path}never-was`, bobGithub),
    ]
    expect(existing.status).toBe(403)
    expect([absent.status, absent.text]).toEqual([existing.status, existing.text])
  })

  test('nor does a download without source_type', async () => {
    const existing = await call('GET', '/v1/files/download?item_id=only-slack', bobGithub)
    const absent = await call('GET', '/v1/files/download?item_id=never-was', bobGithub)
    expect(existing.status).toBe(404)
    expect(absent.status).toBe(404)
    expect(absent.text.replaceAll('never-was', 'only-slack')).toBe(existing.text)
  })

  test('nor does an upload, or an input that is wrong in other ways', async () => {
    for (const item of ['only-slack', 'never-was', 'not valid/']) {
      const answer = await call('POST', '/v1/memorize', bobGithub, [
        ['file', new File([], 'x')],
        ['item_id', item],
        ['source_type', 'slack'],
      ])
      expect(answer.status).toBe(403)
    }
    expect((await call('GET', '/v1/files/list?source_type=slack&limit=wrong', bobGithub)).status).toBe(403)
    expect((await call('POST', '/v1/memories/recall', bobGithub, [['source', 'slack']])).status).toBe(403)
    expect((await call('DELETE', '/v1/files/slack/not%20valid', bobGithub)).status).toBe(403)
  })

  test('where an id exists in two sources, a download without source_type gives the one of the key', async () => {
    expect((await call('GET', '/v1/files/download?item_id=secret', bobGithub)).text).toContain('cobalt')
  })

  test('the item of another source is still there afterwards', async () => {
    expect((await call('GET', '/v1/files/download?item_id=only-slack&source_type=slack', bob)).text).toContain(
      'dysprosium',
    )
  })
})

describe('a key that was taken away', () => {
  test('stops working with the answer to its deletion', async () => {
    const { id, key } = await running.service.keys.create({ account: bobAccount, name: 'short-lived', sources: 'all' })
    expect((await call('GET', '/v1/files/list?source_type=text', key)).status).toBe(200)
    await running.service.keys.delete({ account: bobAccount, key: id })
    expect((await call('GET', '/v1/files/list?source_type=text', key)).status).toBe(401)
  })
})

describe('the log', () => {
  test('carries ids, but no contents, names, questions or keys', () => {
    const written = JSON.stringify(running.logLines)
    expect(written).toContain(running.accountId)
    for (const secret of ['amethyst', 'bismuth', 'lighthouse', 'Ada Lovelace', ada, bob, bobGithub, 'rk_']) {
      expect(written).not.toContain(secret)
    }
  })
})
