import { randomUUID } from 'node:crypto'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { imap as imapConnector } from '../../../connectors/imap/imap.ts'
import { createSourceListeners } from '../../../src/connections/source-listeners.ts'
import type { Connector, SourceItem } from '../../../src/connector/connector.ts'
import { bindMemory } from '../../../src/service/bind-memory.ts'
import { syncConnection, syncUnlessElsewhere } from '../../../src/sync/sync-connection.ts'
import { hasDovecot, type MailServer, startDovecot } from '../../fakes/dovecot.ts'
import { connectorContext } from '../../lib/connector-context.ts'
import { freePort } from '../../lib/free-port.ts'
import { type RunningService, startService } from '../../lib/start-service.ts'
import { syncEnvironment } from '../../lib/sync-environment.ts'
import { until } from '../../lib/until.ts'
import { imapSettings, mailText } from './mail-texts.ts'

const imap: Connector = imapConnector

let service: RunningService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

/** A mail server and a connection to it that is run again and again, into the memory of the file. */
async function mailbox(settings: Record<string, unknown> = {}) {
  const server = await startDovecot()
  onTestFinished(() => server[Symbol.asyncDispose]())
  const memory = bindMemory(service.service, () => service.service.authenticate(service.key))
  const environment = syncEnvironment({ ledger: service.store.ledger(randomUUID()), memory })
  const config = imap.manifest.config.parse({ ...imapSettings(server), ...settings })
  return {
    server,
    run: (full = false) =>
      syncConnection({ connector: imap, config }, environment, {
        signal: new AbortController().signal,
        settle: false,
        full,
      }),
    async listen() {
      const listeners = createSourceListeners({
        environment,
        read: (connection, pushed, signal) =>
          syncUnlessElsewhere(connection, environment, { signal, settle: true, pushed }),
      })
      onTestFinished(() => listeners[Symbol.asyncDispose]())
      await listeners.listenFor([{ connector: imap, config }])
    },
    async held() {
      const { files } = await memory.list({ sourceType: 'email' })
      return files.length
    },
    async recalled(text: string) {
      const found = await memory.recall({ text })
      return (
        found.memories.map(({ content }) => content.body ?? '').join('\n') +
        found.chunks.map((one) => one.text).join('\n')
      )
    },
    async removeAll() {
      for (const { item_id: itemId } of (await memory.list({ sourceType: 'email' })).files) {
        await memory.forget({ sourceType: 'email', itemId })
      }
    },
  }
}

async function itemsOf(server: MailServer, settings: Record<string, unknown> = {}) {
  const context = await connectorContext(imap, { ...imapSettings(server), ...settings })
  const items: SourceItem[] = []
  for await (const partition of imap.partitions(context)) {
    for await (const change of imap.changes(partition, undefined, context)) {
      if (change.type === 'item') items.push(change.item)
    }
  }
  return { items, context }
}

function folderNames(items: readonly SourceItem[]): string[] {
  return items.flatMap(({ where }) => where ?? [])
}

async function textOf({ body }: { body: unknown }): Promise<string> {
  if (typeof body !== 'function') throw new Error('The body is read only when it is needed')
  return Buffer.from((await body()) as Uint8Array).toString()
}

describe.skipIf(!hasDovecot)('a mailbox by IMAP', () => {
  test('is read from its newest mail on, with who wrote it, to whom and when', async () => {
    const { server } = await mailbox()
    await server.append('INBOX', mailText({ id: '1', subject: '=?utf-8?Q?K=C3=A4se?=' }))
    await server.append('INBOX', mailText({ id: '2' }))
    const { items, context } = await itemsOf(server)
    expect(items.map(({ title }) => title)).toEqual(['Mail 2', 'Käse'])
    expect(items[1]).toMatchObject({
      sourceType: 'email',
      author: 'Priya Natarajan <priya@acme.test>',
      people: ['Priya Natarajan <priya@acme.test>', 'Ada Lovelace <ada@acme.test>'],
      where: 'INBOX',
      createdAt: new Date('2026-03-04T10:00:00Z'),
      contentType: 'message/rfc822',
    })
    expect(await textOf(items[1]!)).toContain('The text of mail 1.')
    expect(await imap.check(context)).toEqual({ account: 'ada@acme.test@127.0.0.1', title: 'ada@acme.test' })
  })

  test('is never read in trash, and only in the folders that the settings name', async () => {
    const { server } = await mailbox()
    await server.createFolder('Work/Launch')
    for (const [id, folder] of ['Trash', 'Work/Launch', 'Archive', 'INBOX'].entries()) {
      await server.append(folder, mailText({ id: String(id) }))
    }
    expect(folderNames((await itemsOf(server)).items)).toEqual(['INBOX', 'Archive', 'Work/Launch'])
    expect(folderNames((await itemsOf(server, { folders: ['Archive'] })).items)).toEqual(['Archive'])
    expect(folderNames((await itemsOf(server, { exclude_folders: ['Work'] })).items)).toEqual(['INBOX', 'Archive'])
    await expect(itemsOf(server, { folders: ['Nowhere'] })).rejects.toMatchObject({
      remedy: 'reconfigure',
      message: "The folder Nowhere doesn't exist. Check folders.",
    })
  })

  test('is read in trash when the settings name it, and a folder that cannot be read is refused', async () => {
    const { server } = await mailbox()
    await server.append('Trash', mailText({ id: '1' }))
    await server.append('INBOX', mailText({ id: '2' }))
    expect(folderNames((await itemsOf(server, { folders: ['Trash'] })).items)).toEqual(['Trash'])
    await expect(itemsOf(server, { folders: ['Trash'], exclude_folders: ['Trash'] })).rejects.toMatchObject({
      message: 'The folder Trash is in folders and in exclude_folders. Remove one.',
    })
  })

  test('is read in its other folders where the server denies one, whose mail stays', async () => {
    const { server, run, held, removeAll } = await mailbox()
    await removeAll()
    await server.createFolder('Work')
    await server.append('Archive', mailText({ id: '1' }))
    await server.append('Work', mailText({ id: '2' }))
    expect(await run()).toMatchObject({ outcome: 'ok', memorized: 2 })
    await server.refuse('Archive')
    const uid = await server.append('Work', mailText({ id: '3' }))
    const refused = await run(true)
    expect(refused).toMatchObject({ outcome: 'ok', memorized: 1, removed: 0 })
    expect(refused.failures).toEqual([
      {
        partition: 'ada@acme.test',
        error:
          "Couldn't read the folder Archive: 127.0.0.1 denies ada@acme.test access to it. Deleted mail is not detected until it can be read, or until you add it to exclude_folders.",
      },
    ])
    expect(await held()).toBe(3)
    await server.allow('Archive')
    await server.expunge('Work', uid)
    expect(await run(true)).toMatchObject({ outcome: 'ok', memorized: 0, removed: 1, failed: 0 })
    expect(await held()).toBe(2)
  })

  test('is read in the other folders of the settings where one is gone', async () => {
    const { server, run, held, removeAll } = await mailbox({ folders: ['INBOX', 'Work'] })
    await removeAll()
    await server.createFolder('Work')
    await server.append('Work', mailText({ id: '1' }))
    await run()
    await server.deleteFolder('Work')
    await server.append('INBOX', mailText({ id: '2' }))
    expect(await run(true)).toMatchObject({
      outcome: 'attention',
      memorized: 1,
      removed: 0,
      problem: expect.stringContaining("The folder Work doesn't exist. Check folders."),
    })
    expect(await held()).toBe(2)
  })

  test('is not connected with a mistyped folder or a server that is not there', async () => {
    const { server } = await mailbox()
    const { context } = await itemsOf(server)
    const probe = (settings: object) =>
      imap.probe?.({ ...context, config: { ...context.config, ...settings }, requests: { ...context.requests } })
    await expect(probe({})).resolves.toBeUndefined()
    await expect(probe({ folders: ['Nowhere'] })).rejects.toMatchObject({ remedy: 'reconfigure' })
    await expect(probe({ port: await freePort() })).rejects.toMatchObject({
      remedy: 'reconfigure',
      message: 'No server answers at 127.0.0.1. Check host and port.',
    })
  })

  test('gives of a large mail the texts and the names of its files, not the files', async () => {
    const { server } = await mailbox()
    const file = Buffer.alloc(400_000, 7).toString('base64').replace(/.{76}/g, '$&\n')
    const mail = mailText({ id: '1', text: '' }).trimEnd()
    await server.append(
      'INBOX',
      `${mail}
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=B

--B
Content-Type: multipart/alternative; boundary=A

--A
Content-Type: text/plain; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

Der Vertrag liegt bei, Gr=FC=DFe.

--A
Content-Type: text/html

<p>Der Vertrag</p>

--A--
--B
Content-Type: application/pdf; name="Vertrag.pdf"
Content-Disposition: attachment; filename="Vertrag.pdf"
Content-Transfer-Encoding: base64

${file}
--B--
`,
    )
    const { items } = await itemsOf(server)
    const text = await textOf(items[0]!)
    expect(text.length).toBeLessThan(5_000)
    expect(text).toContain(Buffer.from('Der Vertrag liegt bei, Grüße.').toString('base64').slice(0, 20))
    expect(text).toContain('Vertrag.pdf')
    expect(text).toContain('Message-ID: <1@acme.test>')
  })

  test('is asked for the texts of many mails together, and has none of a mail that was deleted meanwhile', async () => {
    const { server } = await mailbox()
    const ids = ['1', '2', '3', '4']
    const uids: number[] = []
    for (const id of ids) uids.push(await server.append('INBOX', mailText({ id })))
    const { items, context } = await itemsOf(server)
    const before = context.requests.sent.get('imap') ?? 0
    await server.expunge('INBOX', uids[1] ?? 0)
    const bodies = await Promise.all(items.map(({ body }) => (typeof body === 'function' ? body() : body)))
    const texts = bodies.map((body) => /The text of mail \d/.exec(String(body && Buffer.from(body)))?.[0])
    expect(texts).toEqual(['The text of mail 4', 'The text of mail 3', undefined, 'The text of mail 1'])
    expect((context.requests.sent.get('imap') ?? 0) - before).toBe(2)
    expect(await textOf(items[0]!)).toContain('The text of mail 4')
  })

  test('is asked for about a megabyte of texts at once', async () => {
    const { server } = await mailbox()
    const line = `${'word '.repeat(14)}\n`
    const mails = Array.from({ length: 7 }, (_, id) => mailText({ id: String(id), text: line.repeat(3_500) }))
    await server.appendAll('INBOX', mails)
    const { items, context } = await itemsOf(server)
    const before = context.requests.sent.get('imap') ?? 0
    for (const item of items) expect((await textOf(item)).length).toBeGreaterThan(240_000)
    expect((context.requests.sent.get('imap') ?? 0) - before).toBe(2)
  })

  test('is remembered once, follows moves and deletions, and reads again when the server numbers its mails anew', async () => {
    const { server, run, held, recalled, removeAll } = await mailbox()
    await removeAll()
    const uid = await server.append('INBOX', mailText({ id: '1', text: 'Priya moves the launch to 24 March.' }))
    const gone = await server.append('INBOX', mailText({ id: '2', text: 'The cafeteria closes at three.' }))
    expect(await run()).toMatchObject({ outcome: 'ok', memorized: 2 })
    await until(async () => (await recalled('when is the launch?')).includes('24 March'))
    expect(await run()).toMatchObject({ outcome: 'ok', memorized: 0 })
    await server.move('INBOX', uid, 'Archive')
    await server.expunge('INBOX', gone)
    expect(await run(true)).toMatchObject({ outcome: 'ok', removed: 1 })
    expect(await held()).toBe(1)
    await server.deleteFolder('Archive')
    await server.createFolder('Archive')
    await server.append('Archive', mailText({ id: '1', text: 'Priya moves the launch to 24 March.' }))
    await run()
    expect(await run()).toMatchObject({ outcome: 'ok', memorized: 0 })
    expect(await held()).toBe(1)
  })

  test('has mail memorized as it arrives, which the next run finds unchanged', async () => {
    const { server, run, listen, recalled, held } = await mailbox({ since: '2026-01-01' })
    await server.append('INBOX', mailText({ id: 'known' }))
    await run()
    await listen()
    // Mail that arrives before the server was asked to announce it is left to the next run.
    const before = await held()
    let sent = 0
    await until(async () => {
      await server.append('INBOX', mailText({ id: `early-${sent++}`, text: 'The launch moves to 24 March.' }))
      return (await held()) > before
    })
    await until(async () => (await recalled('when is the launch?')).includes('24 March'))
    await server.append('INBOX', mailText({ id: 'late', text: 'The cafeteria closes at three.' }))
    await until(async () => (await recalled('when does the cafeteria close?')).includes('at three'))
    expect(await run(true)).toMatchObject({ outcome: 'ok', removed: 0, failed: 0 })
    expect(await run()).toMatchObject({ outcome: 'ok', memorized: 0 })
  })

  test('is not listened to where push is off', async () => {
    const { manifest } = imap
    const settings = { name: 'home', host: 'imap.acme.test', user: 'ada', token: 'secret' }
    const isOn = (more: object) => manifest.listening?.isOn(manifest.config.parse({ ...settings, ...more }))
    expect([isOn({}), isOn({ push: false })]).toEqual([true, false])
  })

  test('says what to do when the password is wrong', async () => {
    const { server } = await mailbox()
    await expect(connectorContext(imap, { ...imapSettings(server), token: 'wrong' })).rejects.toMatchObject({
      remedy: 'reauthorize',
      message: '127.0.0.1 refused the user name ada@acme.test or its password. Many providers need an app password.',
    })
  })
})

describe('a mail server', () => {
  const settings = { name: 'home', user: 'ada', token: 'secret' }

  test('that cannot be reached is tried again at the next run', async () => {
    const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await until(() => Promise.resolve(server.listening))
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    const unreachable = { ...settings, host: '127.0.0.1', port: address.port, security: 'none' }
    await expect(connectorContext(imap, unreachable)).rejects.toMatchObject({
      remedy: 'retry',
      message: expect.stringMatching(/^Couldn't reach 127\.0\.0\.1/),
    })
  })

  test('that does not use TLS on its port is asked for with other settings', async () => {
    const server = createServer((socket) => socket.on('error', () => undefined).end('* OK ready\r\n'))
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    await expect(connectorContext(imap, { ...settings, host: '127.0.0.1', port })).rejects.toMatchObject({
      remedy: 'reconfigure',
      message: "127.0.0.1 doesn't use TLS on this port. Check port and security.",
    })
  })

  test('elsewhere is never asked without encryption', async () => {
    await expect(
      connectorContext(imap, { ...settings, host: 'mail.acme.test', security: 'none' }),
    ).rejects.toMatchObject({ remedy: 'reconfigure' })
  })
})
