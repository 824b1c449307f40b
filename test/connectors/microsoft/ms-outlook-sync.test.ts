import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { msOutlook } from '../../../connectors/microsoft/ms-outlook.ts'
import { conversationItemId } from '../../fakes/microsoft/graph-ids.ts'
import { GraphMail } from '../../fakes/microsoft/graph-mail.ts'
import { GraphServer, graphError } from '../../fakes/microsoft/graph-server.ts'
import { GraphSync } from '../../fakes/microsoft/graph-sync.ts'
import { type RunningService, startService } from '../../lib/start-service.ts'

let service: RunningService
beforeAll(async () => {
  service = await startService({ work: false, clock: () => new Date('2026-11-20T12:00:00Z') })
})
afterAll(() => service[Symbol.asyncDispose]())

const DELTA = /messages\/delta/
const INBOX_DELTA = /F-inbox=\/messages\/delta/
const resync = graphError(410, 'resyncRequired', 'Resync required.')

async function opened() {
  const server = await GraphServer.start()
  const mail = new GraphMail(server)
  const sync = new GraphSync(service, server, msOutlook)
  const id = (message: string, segment = 0) => conversationItemId(server, mail.conversationOf(message), segment)
  const texts = async () => [...(await sync.held()).values()].join('\n')
  return { server, mail, sync, id, texts, [Symbol.asyncDispose]: () => sync[Symbol.asyncDispose]() }
}

describe('a first sync of Outlook', () => {
  const HOUR_MS = 3_600_000

  /** 1,000 mails: conversations of one to three, whose answers are in Sent Items; every tenth mail has an attachment. */
  function fill(mail: GraphMail): number {
    let conversations = 0
    for (let number = 0; number < 1_000; conversations++) {
      const first = mail.receive(written(number++))
      const answers = Math.min(conversations % 3, 1_000 - number)
      for (let answer = 0; answer < answers; answer++) {
        const folder = answer === 0 ? 'F-sentitems=' : 'F-inbox='
        mail.receive({ ...written(number++), conversation: mail.conversationOf(first), folder })
      }
    }
    return conversations
  }

  function written(number: number) {
    const at = new Date(Date.parse('2026-11-20T10:00:00Z') - number * HOUR_MS)
    return { at, text: `Mail number ${number}.`, ...(number % 10 === 0 && { attachments: [`plan-${number}.pdf`] }) }
  }

  test('reads the text of 100 mails with one request, and the same text as one conversation at a time', async () => {
    await using fake = await opened()
    const { mail, sync, server } = fake
    const conversations = fill(mail)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: conversations, failed: 0 })
    expect(server.count(/attachments$/)).toBe(0)
    expect(server.requests.length).toBeLessThan(35)
    const held = await sync.held()
    await using other = await opened()
    fill(other.mail)
    other.server.fail({ on: /receivedDateTime ge/, ...graphError(400, 'InefficientFilter') })
    expect(await other.sync.run()).toMatchObject({ outcome: 'ok', memorized: conversations, failed: 0 })
    expect(other.server.count(/conversationId eq/)).toBe(conversations)
    const texts = (of: Map<string, string>) => [...of.values()].map((text) => text.replace(/^.*msmail.*$/gm, '')).sort()
    expect(texts(await other.sync.held())).toEqual(texts(held))
  })

  test('reads one conversation at a time again where few are unknown', async () => {
    await using fake = await opened()
    const { mail, sync, server } = fake
    fill(mail)
    await sync.run()
    mail.expire()
    mail.receive({ text: 'In the gap' })
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 1, removed: 0 })
    expect(server.count(/receivedDateTime ge/)).toBe(0)
  })

  test('reads a mail that was moved since it was listed, and those that share a second', async () => {
    await using fake = await opened()
    const { mail, sync, server, texts } = fake
    const at = new Date('2026-11-20T10:00:00Z')
    const ids = Array.from({ length: 250 }, (_, number) => mail.receive({ at, text: `Mail number ${number}.` }))
    mail.onListing = () => {
      mail.onListing = undefined
      mail.move(ids[100] ?? '', 'F-archive=')
    }
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 250, failed: 0 })
    expect(server.count(/receivedDateTime ge/)).toBeGreaterThan(0)
    expect(new Set((await texts()).match(/Mail number \d+/g)).size).toBe(250)
  })
})

describe('what is remembered of Outlook', () => {
  test('is each conversation once, from all folders, without drafts, junk and what is deleted', async () => {
    await using fake = await opened()
    const { mail, sync, id } = fake
    const first = mail.receive({ subject: 'Offer', text: 'How much?' })
    mail.receive({
      subject: 'RE: Offer',
      conversation: mail.conversationOf(first),
      folder: 'F-sentitems=',
      from: 'Ada Lovelace',
      to: ['Bob Berg'],
      text: 'Ten.',
    })
    mail.receive({
      subject: 'RE: Offer',
      conversation: mail.conversationOf(first),
      isDraft: true,
      folder: 'F-drafts=',
      text: 'Not sent yet',
    })
    mail.receive({ subject: 'Win', folder: 'F-junkemail=' })
    mail.addFolder('Below the deleted', { parent: 'F-deleteditems=' })
    mail.receive({ folder: 'F-Below the deleted' })
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 1, failed: 0 })
    const held = await sync.held()
    expect([...held.keys()]).toEqual([id(first)])
    const text = held.get(id(first)) ?? ''
    expect(text).toContain('title: Offer\n')
    expect(text).toContain('- Bob Berg <bob@acme.test>')
    expect(text.match(/^(##|To:) .*|^(How|Ten|Not).*/gm)).toEqual([
      '## Message by Bob Berg at 2026-11-20T10:01:00.000Z',
      'To: Ada Lovelace',
      'How much?',
      '## Message by Ada Lovelace at 2026-11-20T10:02:00.000Z',
      'To: Bob Berg',
      'Ten.',
    ])
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 0, removed: 0 })
  })

  test('stays as it is when mails are read, flagged and moved between folders', async () => {
    await using fake = await opened()
    const { mail, sync } = fake
    const [read, moved] = [mail.receive(), mail.receive()]
    await sync.run()
    mail.edit(read, { isRead: true })
    mail.move(moved, 'F-archive=')
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 0, removed: 0 })
    expect((await sync.held()).size).toBe(2)
  })

  test('grows with a reply, and shrinks when mails are deleted, by whole documents too', async () => {
    await using fake = await opened()
    const { mail, sync, id, texts } = fake
    const first = mail.receive({ subject: 'Long' })
    const conversation = mail.conversationOf(first)
    const replies = Array.from({ length: 44 }, () => mail.receive({ conversation, folder: 'F-sentitems=' }))
    await sync.run()
    expect([...(await sync.held()).keys()].sort()).toEqual([id(first), id(first, 1), id(first, 2)].sort())
    mail.receive({ conversation, text: 'The last word' })
    expect(await sync.run()).toMatchObject({ memorized: 1, removed: 0 })
    expect(await texts()).toContain('The last word')
    for (const reply of replies.slice(10)) mail.delete(reply)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', removed: 2 })
    expect([...(await sync.held()).keys()]).toEqual([id(first)])
  })

  test('goes when the last mail is deleted, also for good, and with nothing but the heads of mails being read', async () => {
    await using fake = await opened()
    const { mail, sync, id, server } = fake
    const kept = Array.from({ length: 30 }, () => mail.receive())
    const [deleted, purged] = [mail.receive(), mail.receive()]
    await sync.run()
    mail.delete(deleted)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 0, removed: 1 })
    mail.purge(purged)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 0, removed: 1 })
    expect(server.count(/conversationId eq/)).toBe(0)
    expect([...(await sync.held()).keys()].sort()).toEqual(kept.map((one) => id(one)).sort())
  })

  test('goes with a folder that is deleted, moved below the deleted ones, or excluded', async () => {
    await using fake = await opened()
    const { mail, sync, id } = fake
    const folders = ['A', 'B', 'C'].map((name) => mail.addFolder(name))
    const [inA, inB, inC] = folders.map((folder) => mail.receive({ folder }))
    await sync.run()
    mail.folders.edit('F-A', { parentFolderId: 'F-deleteditems=' })
    expect(await sync.run()).toMatchObject({ outcome: 'ok', removed: 1 })
    expect([...(await sync.held()).keys()].sort()).toEqual([id(inB!), id(inC!)].sort())
    const idC = id(inC!)
    mail.purgeFolder('F-B')
    expect(await sync.run()).toMatchObject({ outcome: 'ok', removed: 1 })
    expect([...(await sync.held()).keys()]).toEqual([idC])
    expect(await sync.run({ exclude: ['c'] })).toMatchObject({ outcome: 'ok', removed: 1 })
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 1 })
    expect(inA).toBeDefined()
  })

  test.each([
    ['410 resyncRequired with a Location', resync],
    ['404 SyncStateNotFound', graphError(404, 'SyncStateNotFound')],
  ])('misses no change and no deletion when the delta of one folder is lost: %s', async (_, refusal) => {
    await using fake = await opened()
    const { mail, sync, server, texts, id } = fake
    const [kept, deleted] = [mail.receive(), mail.receive(), mail.receive({ folder: 'F-sentitems=' })]
    await sync.run()
    mail.expire('F-inbox=', {
      ...refusal,
      headers: { location: server.link('/me/mailFolders/F-inbox%3D/messages/delta') },
    })
    const idOfDeleted = id(deleted!)
    mail.purge(deleted!)
    mail.receive({ text: 'In the gap' })
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 1, removed: 1 })
    expect([...(await sync.held()).keys()]).toContain(id(kept!))
    expect([...(await sync.held()).keys()]).not.toContain(idOfDeleted)
    expect(await texts()).toContain('In the gap')
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 0, removed: 0 })
  })

  test('is complete when a link dies half way, once; and is left alone when links die again and again', async () => {
    await using fake = await opened()
    const { mail, sync, server } = fake
    mail.cutPages(2)
    for (let number = 0; number < 12; number++) mail.receive()
    server.fail({ on: /F-inbox=\/messages\/delta\?\$skiptoken/, ...resync, after: 1, times: 1 })
    expect(await sync.run()).toMatchObject({ outcome: 'ok' })
    const held = await sync.held()
    expect(held.size).toBe(12)
    server.heal()
    mail.expire()
    server.fail({ on: /F-inbox=\/messages\/delta\?\$skiptoken/, ...resync })
    expect(await sync.run()).toMatchObject({ outcome: 'partial', removed: 0 })
    expect(server.count(INBOX_DELTA)).toBeLessThan(9)
    expect(await sync.held()).toEqual(held)
    server.heal()
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 0, removed: 0 })
  })

  test.each([true, false])(
    'stays when a listing breaks off without saying where it goes on (all listed anew: %s)',
    async (full) => {
      await using fake = await opened()
      const { mail, sync, server } = fake
      for (let number = 0; number < 3; number++) mail.receive()
      await sync.run()
      const held = await sync.held()
      server.fail({ on: INBOX_DELTA, status: 200, body: { value: [] } })
      expect(await sync.run({}, { full })).toMatchObject({ outcome: 'partial', removed: 0 })
      expect(await sync.held()).toEqual(held)
      server.heal()
      expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 0, removed: 0 })
    },
  )

  test('stays when the list of folders breaks off', async () => {
    await using fake = await opened()
    const { mail, sync, server } = fake
    mail.receive()
    await sync.run()
    server.fail({ on: /mailFolders\/delta/, status: 200, body: { value: [] } })
    expect(await sync.run()).not.toMatchObject({ outcome: 'ok' })
    expect((await sync.held()).size).toBe(1)
  })

  test('stays when a field of it has an unexpected form', async () => {
    await using fake = await opened()
    const { mail, sync, server } = fake
    const message = mail.receive()
    await sync.run()
    const link = server.link('/me/mailFolders/F-inbox=/messages/delta?$deltatoken=1')
    const row = { id: message, conversationId: mail.conversationOf(message), toRecipients: 'nobody' }
    server.fail({ on: INBOX_DELTA, status: 200, body: { value: [row], '@odata.deltaLink': link } })
    expect(await sync.run({}, { full: true })).toMatchObject({ removed: 0 })
    expect((await sync.held()).size).toBe(1)
  })

  test('comes through limits, failures and answers that break off, without loss', async () => {
    await using fake = await opened()
    const { mail, sync, server } = fake
    for (let number = 0; number < 12; number++) mail.receive()
    server.fail({ on: DELTA, ...graphError(429, 'TooManyRequests'), headers: { 'retry-after': '7200' }, times: 1 })
    expect(await sync.run()).toMatchObject({ outcome: 'waiting', next_attempt_at: '2026-11-20T14:00:00.000Z' })
    sync.pass(2)
    server.fail({ on: /conversationId eq/, cutOff: true, after: 3, times: 1 })
    server.fail({ on: DELTA, ...graphError(503, 'ServiceUnavailable'), times: 2 })
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 12 })
    server.tokens.clear()
    expect(await sync.run()).toMatchObject({ outcome: 'attention' })
    expect((await sync.held()).size).toBe(12)
  })

  test('comes back when a mail is taken out of the deleted ones', async () => {
    await using fake = await opened()
    const { mail, sync } = fake
    const id = mail.receive()
    await sync.run()
    mail.delete(id)
    expect(await sync.run()).toMatchObject({ removed: 1 })
    mail.move(id, 'F-inbox=')
    expect(await sync.run()).toMatchObject({ memorized: 1 })
  })

  test('goes with what was deleted for good in a folder that was deleted soon after', async () => {
    await using fake = await opened()
    const { mail, sync, texts } = fake
    const folder = mail.addFolder('Short-lived')
    const purged = mail.receive({ folder, text: 'A secret' })
    mail.receive({ conversation: mail.conversationOf(purged), text: 'An answer' })
    await sync.run()
    mail.purge(purged)
    mail.folders.edit(folder, { parentFolderId: 'F-deleteditems=' })
    expect(await sync.run()).toMatchObject({ outcome: 'ok' })
    expect(await texts()).not.toContain('A secret')
    expect(await texts()).toContain('An answer')
  })

  test('is all but the conversation that Graph refuses to give', async () => {
    await using fake = await opened()
    const { mail, sync, server, texts } = fake
    const refused = mail.receive()
    await sync.run()
    mail.receive({ conversation: mail.conversationOf(refused) })
    mail.receive({ text: 'Another one' })
    server.fail({ on: /conversationId eq 'AAQkConv-1=/, ...graphError(403, 'ErrorAccessDenied') })
    expect(await sync.run()).toMatchObject({ memorized: 1, failed: 1 })
    expect(await texts()).toContain('Another one')
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 0, failed: 0 })
  })

  test('in a large mailbox waits with another complete walk, but not for ever', async () => {
    await using fake = await opened()
    const { mail, sync, server } = fake
    const purged = mail.receive()
    mail.cutPages(2)
    for (let number = 0; number < 50; number++) mail.receive({ conversation: 'c1', folder: 'F-archive=' })
    await sync.run({ since: '2026-11-20' })
    mail.purge(purged)
    expect(await sync.run({ since: '2026-11-20' })).toMatchObject({ outcome: 'ok', removed: 0 })
    expect(server.count(DELTA)).toBeLessThan(6)
    sync.pass(1)
    expect(await sync.run({ since: '2026-11-20' })).toMatchObject({ outcome: 'ok', removed: 1 })
  })

  test('is what was told since a day: conversations with a mail from then on, whole', async () => {
    await using fake = await opened()
    const { mail, sync, texts } = fake
    const old = mail.receive({ text: 'The question', at: new Date('2026-01-01T10:00:00Z') })
    mail.receive({ text: 'Too old', at: new Date('2026-01-02T10:00:00Z') })
    await sync.run({ since: '2026-06-01' })
    expect(await texts()).toBe('')
    mail.receive({ conversation: mail.conversationOf(old), text: 'The answer' })
    await sync.run({ since: '2026-06-01' })
    expect(await texts()).toMatch(/The question.*The answer/s)
    expect(await texts()).not.toContain('Too old')
  })
})
