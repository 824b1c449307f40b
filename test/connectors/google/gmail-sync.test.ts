import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { email } from '../../../connectors/google/gmail.ts'
import { accountPart } from '../../../src/connector/source-item-id.ts'
import { GoogleMail } from '../../fakes/google/google-mail.ts'
import { GoogleSync } from '../../fakes/google/google-sync.ts'
import { type RunningService, startService } from '../../lib/start-service.ts'

let service: RunningService
beforeAll(async () => {
  service = await startService({ work: false, clock: () => new Date('2026-03-02T09:00:00Z') })
})
afterAll(() => service[Symbol.asyncDispose]())

const open = async () => new GoogleSync(service, email, await GoogleMail.start())
const OWNER = accountPart('ada@acme.test')
const idOf = (threadId: string, segment?: string) => `gmail:${OWNER}:t:${threadId}${segment ? `:s=${segment}` : ''}`
const THREADS = /^GET \/gmail\/v1\/users\/me\/threads$/
const THREAD = /^GET \/gmail\/v1\/users\/me\/threads\/\w+$/
const MESSAGES = /\/me\/messages$/
const DAY_MS = 86_400_000

/** A conversation of many messages, a minute apart. */
function deliverLong(mail: GoogleMail, messages: number): string {
  const first = mail.deliver({ subject: 'Long', text: 'Message 1', at: '2026-01-01T09:00:00Z' })
  for (let at = 2; at <= messages; at += 1) {
    const minute = new Date(Date.UTC(2026, 0, 1, 9, at)).toISOString()
    mail.deliver({ threadId: first, subject: 'Re: Long', text: `Message ${at}`, at: minute })
  }
  return first
}

describe('what is remembered of Gmail', () => {
  test('takes the pages of the list and one request for each thread, and nothing again while nothing changes', async () => {
    await using sync = await open()
    sync.fake.mostOnPage = 26
    for (let at = 0; at < 60; at += 1) sync.fake.deliver({ text: `Mail ${at}` })
    // Two for the profile: to check the access, and before the list.
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 60, requests: 65 })
    expect([sync.asked(THREADS), sync.asked(THREAD), sync.asked(MESSAGES)]).toEqual([3, 60, 0])
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 0, unchanged: 0, requests: 2 })
    expect(await sync.run({}, { full: true })).toMatchObject({ outcome: 'ok', memorized: 0, removed: 0 })
    expect(sync.asked(THREAD)).toBe(0)
  })

  test('is what the mailbox holds: new mails, replies, deleted and trashed ones', async () => {
    await using sync = await open()
    const { fake: mail } = sync
    const [kept, deleted, trashed, spam] = ['kept', 'deleted', 'trashed', 'spam'].map((text) => mail.deliver({ text }))
    await sync.run()
    const fresh = mail.deliver({ text: 'fresh' })
    mail.deliver({ threadId: kept!, text: 'A reply' })
    mail.delete(deleted!)
    mail.trash(trashed!)
    mail.label(spam!, { add: ['SPAM'], remove: ['INBOX'] })
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 2, removed: 3, failed: 0 })
    expect(sync.asked(THREAD)).toBe(5)
    const held = await sync.held()
    expect([...held.keys()].sort()).toEqual([idOf(kept!), idOf(fresh)].sort())
    expect(held.get(idOf(kept!))).toMatch(/## Message by Bob[\s\S]*kept[\s\S]*## Message by Bob[\s\S]*A reply/)
    mail.untrash(trashed!)
    expect(await sync.run()).toMatchObject({ memorized: 1, removed: 0 })
    expect([...(await sync.held()).keys()]).toContain(idOf(trashed!))
  })

  test('loses a message of a thread without losing the thread', async () => {
    await using sync = await open()
    const { fake: mail } = sync
    const thread = mail.deliver({ text: 'The question' })
    const reply = mail.deliver({ threadId: thread, text: 'A wrong answer' })
    await sync.run()
    mail.trash(reply)
    expect(await sync.run()).toMatchObject({ memorized: 1, removed: 0 })
    expect((await sync.held()).get(idOf(thread))).not.toContain('A wrong answer')
  })

  test('is not read again when mails are read, starred, archived or labelled', async () => {
    await using sync = await open()
    const { fake: mail } = sync
    const ids = [1, 2, 3].map((at) => mail.deliver({ text: `Mail ${at}` }))
    await sync.run()
    for (const id of ids) mail.label(id, { add: ['STARRED', mail.addLabel('Later')], remove: ['UNREAD', 'INBOX'] })
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 0, requests: 2 })
    expect(await sync.run({}, { full: true })).toMatchObject({ memorized: 0, unchanged: 3, removed: 0 })
  })

  test('leaves drafts alone, however often they are saved, until they are sent', async () => {
    await using sync = await open()
    const { fake: mail } = sync
    const thread = mail.deliver({ text: 'The question' })
    let draft = mail.saveDraft({ threadId: thread, text: 'Perh' })
    const alone = mail.saveDraft({ text: 'Never sent' })
    expect(await sync.run()).toMatchObject({ memorized: 1 })
    for (const text of ['Perhaps', 'Perhaps not']) draft = mail.saveDraft({ threadId: thread, text }, draft)
    expect(await sync.run()).toMatchObject({ memorized: 0, requests: 2 })
    mail.label(draft, { add: ['SENT'], remove: ['DRAFT'] })
    expect(await sync.run()).toMatchObject({ memorized: 1 })
    expect((await sync.held()).get(idOf(thread))).toContain('Perhaps not')
    expect((await sync.held()).has(idOf(alone))).toBe(false)
  })
})

describe('labels of Gmail', () => {
  test('that decide what is taken bring threads and take them away', async () => {
    await using sync = await open()
    const { fake: mail } = sync
    const [family, secret] = [mail.addLabel('Family'), mail.addLabel('Secret')]
    const config = { labels: ['Family'], exclude_labels: ['Secret'] }
    const long = deliverLong(mail, 21)
    mail.deliver({ text: 'Neither' })
    expect(await sync.run(config)).toMatchObject({ memorized: 0 })
    mail.label(long, { add: [family] })
    expect(await sync.run(config)).toMatchObject({ memorized: 2 })
    mail.label(mail.messagesOf(long)[20]!, { add: [secret] })
    expect(await sync.run(config)).toMatchObject({ removed: 2 })
    mail.label(mail.messagesOf(long)[20]!, { remove: [secret] })
    expect(await sync.run(config)).toMatchObject({ memorized: 2 })
    mail.label(long, { remove: [family] })
    expect(await sync.run(config)).toMatchObject({ removed: 2 })
    expect((await sync.held()).size).toBe(0)
  })
})

describe('a long history of Gmail', () => {
  test('is followed in pages, and goes on after a limit where it was', async () => {
    await using sync = await open()
    const { fake: mail } = sync
    await sync.run()
    mail.mostOnPage = 20
    const ids = Array.from({ length: 40 }, (_, at) => mail.deliver({ text: `Mail ${at}` }))
    for (const id of ids.slice(0, 5)) mail.deliver({ threadId: id, text: 'A reply' })
    mail.server.meanwhile = (path) => {
      if (!/threads\/\w+$/.test(path) || sync.asked(THREAD) !== 30) return
      mail.server.faults.push({ path: /./, status: 429, headers: { 'retry-after': '3600' } })
    }
    expect(await sync.run()).toMatchObject({ outcome: 'waiting' })
    mail.server.meanwhile = undefined
    sync.pass(3_600_000)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', removed: 0, failed: 0 })
    expect(sync.asked(THREAD)).toBe(15)
    const held = await sync.held()
    expect(held.size).toBe(40)
    expect([...held.values()].filter((text) => text.includes('A reply'))).toHaveLength(5)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 0, requests: 2 })
  })
})

describe('a long thread of Gmail', () => {
  test('is cut at every 20 messages, and only its end is memorized again', async () => {
    await using sync = await open()
    const { fake: mail } = sync
    const thread = deliverLong(mail, 39)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 2 })
    expect([sync.asked(THREAD), sync.asked(MESSAGES)]).toEqual([1, 0])
    mail.deliver({ threadId: thread, text: 'Message 40', at: '2026-02-01T09:00:00Z' })
    expect(await sync.run()).toMatchObject({ memorized: 1, unchanged: 1 })
    mail.deliver({ threadId: thread, text: 'Message 41', at: '2026-02-02T09:00:00Z' })
    expect(await sync.run()).toMatchObject({ memorized: 1, unchanged: 2 })
    const held = await sync.held()
    expect([...held.keys()]).toEqual(expect.arrayContaining([idOf(thread), idOf(thread, '0002'), idOf(thread, '0003')]))
    expect(held.get(idOf(thread, '0002'))).toMatch(
      /^---\ntitle: Long \(messages from 21\)[\s\S]*Message 21\n[\s\S]*Message 40\n$/,
    )
    expect(held.get(idOf(thread, '0003'))).toContain('Message 41')
  })

  test('loses its last documents when its last messages are deleted', async () => {
    await using sync = await open()
    const { fake: mail } = sync
    const thread = deliverLong(mail, 61)
    await sync.run()
    expect((await sync.held()).size).toBe(4)
    for (const id of mail.messagesOf(thread).slice(15)) mail.trash(id)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 1, removed: 3 })
    for (const id of mail.messagesOf(thread)) mail.delete(id)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', removed: 1 })
    expect((await sync.held()).size).toBe(0)
  })

  test('stays whole when everything is compared, also when some of it cannot be read just then', async () => {
    await using sync = await open()
    const { fake: mail } = sync
    const thread = deliverLong(mail, 45)
    mail.deliver({ text: 'Another' })
    await sync.run()
    const before = await sync.held()
    mail.loseHistory()
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 0, removed: 0 })
    expect(sync.asked(MESSAGES)).toBe(1)
    expect(await sync.held()).toEqual(before)
    mail.label(mail.messagesOf(thread)[0]!, { add: ['STARRED'] })
    mail.loseHistory()
    mail.server.faults.push({ path: new RegExp(`threads/${thread}$`), status: 400, reason: 'failedPrecondition' })
    expect(await sync.run()).toMatchObject({ memorized: 0, removed: 0, failed: 1 })
    expect(await sync.held()).toEqual(before)
  })
})

describe('a long history that is cut short', () => {
  test('still says of a thread that was touched early and late what it lost early', async () => {
    await using sync = await open()
    const { fake: mail } = sync
    const long = deliverLong(mail, 41)
    expect(await sync.run()).toMatchObject({ memorized: 3 })
    for (const id of mail.messagesOf(long).slice(20)) mail.delete(id)
    for (let at = 0; at < 30; at += 1) mail.deliver({ text: `Mail ${at}` })
    mail.deliver({ threadId: long, text: 'A reply' })
    mail.server.faults.push({ path: /threads\/\w+$/, after: 28, status: 429, headers: { 'retry-after': '3600' } })
    expect(await sync.run()).toMatchObject({ outcome: 'waiting' })
    sync.pass(3_600_000)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', removed: 1 })
    const held = [...(await sync.held()).keys()].filter((id) => id.startsWith(idOf(long))).sort()
    expect(held).toEqual([idOf(long), idOf(long, '0002')])
  })
})

describe('when Gmail has lost the history', () => {
  test('everything is compared once: what was deleted meanwhile goes, nothing else is memorized again', async () => {
    await using sync = await open()
    const { fake: mail } = sync
    const ids = Array.from({ length: 30 }, (_, at) => mail.deliver({ text: `Mail ${at}` }))
    await sync.run()
    sync.pass(14 * DAY_MS)
    mail.delete(ids[3]!)
    mail.trash(ids[4]!)
    mail.deliver({ threadId: ids[5]!, text: 'A reply' })
    const fresh = mail.deliver({ text: 'fresh' })
    mail.loseHistory()
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 2, removed: 2, failed: 0 })
    expect([sync.asked(THREADS), sync.asked(THREAD)]).toEqual([1, 2])
    expect([...(await sync.held()).keys()].sort()).toEqual(
      [...ids.filter((_, at) => at !== 3 && at !== 4), fresh].map((id) => idOf(id)).sort(),
    )
    mail.deliver({ threadId: fresh, text: 'Again' })
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 1, requests: 3 })
  })

  test('each run walks once and ends, even if no history is ever known', async () => {
    await using sync = await open()
    const { fake: mail } = sync
    mail.deliver()
    await sync.run()
    for (let round = 0; round < 3; round += 1) {
      mail.server.faults.push({ path: /history$/, status: 404, reason: 'notFound', times: 9 })
      expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 0, removed: 0 })
      expect([sync.asked(/history$/), sync.asked(THREADS)]).toEqual([1, 1])
      mail.server.faults.length = 0
    }
  })
})

describe('a backfill of Gmail', () => {
  test('goes on after a limit where it was, with the history from before it began', async () => {
    await using sync = await open()
    const { fake: mail } = sync
    mail.mostOnPage = 30
    const ids = Array.from({ length: 50 }, (_, at) => mail.deliver({ text: `Mail ${at}` }))
    let reads = 0
    mail.server.meanwhile = (path) => {
      if (!/threads\/\w+$/.test(path) || ++reads !== 45) return
      mail.server.faults.push({
        path: /./,
        status: 403,
        reason: 'rateLimitExceeded',
        headers: { 'retry-after': '3600' },
      })
    }
    expect(await sync.run()).toMatchObject({ outcome: 'waiting' })
    mail.deliver({ threadId: ids[49]!, text: 'Told meanwhile' })
    mail.server.meanwhile = undefined
    sync.pass(3_600_000)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', removed: 0 })
    expect(sync.asked(THREAD)).toBeLessThan(25)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 1 })
    expect((await sync.held()).size).toBe(50)
    expect((await sync.held()).get(idOf(ids[49]!))).toContain('Told meanwhile')
  })

  test('begins its listing again, and only that, when Gmail does not take the page token any more', async () => {
    await using sync = await open()
    const { fake: mail } = sync
    mail.mostOnPage = 30
    for (let at = 0; at < 50; at += 1) mail.deliver({ text: `Mail ${at}` })
    mail.server.meanwhile = (path) => {
      if (/threads\/\w+$/.test(path) && sync.asked(THREAD) === 45) mail.server.tokens.clear()
    }
    expect(await sync.run()).toMatchObject({ outcome: 'attention' })
    mail.server.meanwhile = undefined
    mail.server.tokens.add(mail.server.token)
    mail.losePageTokens()
    expect(await sync.run()).toMatchObject({ outcome: 'ok', removed: 0 })
    expect(sync.asked(THREAD)).toBeLessThan(25)
    expect((await sync.held()).size).toBe(50)
  })
})

describe('one thread that cannot be read', () => {
  test('is recorded and tried again, and the others are read', async () => {
    await using sync = await open()
    const { fake: mail } = sync
    await sync.run()
    const bad = deliverLong(mail, 25)
    const good = mail.deliver({ text: 'fine' })
    const full = new RegExp(`threads/${bad}$`)
    let asked = 0
    mail.server.meanwhile = (path) => {
      // The outline is asked for after four attempts at the whole.
      if (full.test(path) && ++asked <= 4) mail.server.faults.push({ path: full, status: 500 })
    }
    const report = await sync.run()
    expect(report).toMatchObject({ memorized: 1, failed: 2 })
    expect([...(await sync.held()).keys()]).toEqual([idOf(good)])
    mail.server.meanwhile = undefined
    await sync.retry()
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 2 })
    expect((await sync.held()).size).toBe(3)
  })

  test('loses also then what its messages were told in', async () => {
    await using sync = await open()
    const { fake: mail } = sync
    const long = deliverLong(mail, 41)
    expect(await sync.run()).toMatchObject({ memorized: 3 })
    for (const id of mail.messagesOf(long).slice(20)) mail.delete(id)
    const full = new RegExp(`threads/${long}$`)
    // The outline is asked for after four attempts at the whole.
    mail.server.faults.push({ path: full, status: 500, times: 4 })
    expect(await sync.run()).toMatchObject({ failed: 3 })
    await sync.retry()
    await sync.run()
    expect([...(await sync.held()).keys()]).toEqual([idOf(long)])
  })
})
