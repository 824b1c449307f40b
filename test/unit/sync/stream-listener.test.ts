import { existsSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { stream } from '../../../connectors/local/stream.ts'
import type { Connector, SourceItem } from '../../../src/connector/connector.ts'
import { streamSpoolFolder } from '../../../src/connector/stream-spool.ts'
import { createStreamListener, type StreamListenerOptions } from '../../../src/sync/stream-listener.ts'
import { connectorContext } from '../../lib/connector-context.ts'
import { recordingLog } from '../../lib/recording-log.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

const NOW = new Date('2026-11-20T10:00:00Z')

test('a line is on the disk when it is acknowledged, with the id under which it is memorized', async () => {
  const { spool, socket } = await opened()
  const client = await talk(socket)
  expect(await client.say('{"id":"1","title":"Standup","text":"We ship on Friday."}')).toEqual({
    ok: true,
    id: 'stream:default:1',
  })
  const { id } = await client.say('{"text":"without an id"}')
  expect(id).toMatch(/^stream:default:[0-9a-z]{29}$/)
  const items = await memorized(spool)
  expect(items.map(({ itemId, body }) => [itemId, body])).toEqual([
    ['stream:default:1', 'We ship on Friday.'],
    [id, 'without an id'],
  ])
  expect(items[0]).toMatchObject({ createdAt: NOW, updatedAt: NOW })
})

test('a wrong line is answered with what is wrong, and the lines around it count', async () => {
  const { spool, socket } = await opened()
  const client = await talk(socket)
  client.send('{"text":"a"}\nnonsense\n\n{"text":1}\n{"text":"b"}\n')
  expect((await client.answers(4)).map(({ ok, error }) => error ?? ok)).toEqual([
    true,
    "This line can't be imported: it is not a JSON object in UTF-8.",
    "This line can't be imported: text: Invalid input: expected string, received number.",
    true,
  ])
  expect((await memorized(spool)).map(({ body }) => body)).toEqual(['a', 'b'])
})

test('a line that is too long is refused, and the connection goes on', async () => {
  const { spool, socket } = await opened()
  const client = await talk(socket)
  client.send(`{"text":"${'a'.repeat(10 * 1024 * 1024)}"}\n{"text":"b"}\n`)
  expect((await client.answers(2)).map(({ ok, error }) => error ?? ok)).toEqual([
    "This line can't be imported: it is longer than 10 MB.",
    true,
  ])
  expect((await memorized(spool)).map(({ body }) => body)).toEqual(['b'])
})

test('who sends everything and closes is answered, also for a last line without an end', async () => {
  const { socket } = await opened()
  const client = await talk(socket)
  client.send('{"id":"1","text":"a"}\n{"id":"2","text":"b"}')
  client.end()
  expect((await client.answers(2)).map(({ id }) => id)).toEqual(['stream:default:1', 'stream:default:2'])
  await client.closed
})

test('many connections at once lose nothing', async () => {
  const { spool, socket } = await opened()
  const clients = await Promise.all(Array.from({ length: 30 }, () => talk(socket)))
  const acknowledged = await Promise.all(
    clients.map(async (client, i) => {
      client.send(Array.from({ length: 20 }, (_, n) => `{"id":"${i}-${n}","text":"x"}\n`).join(''))
      return client.answers(20)
    }),
  )
  const ids = acknowledged.flat().map(({ id }) => id)
  expect(new Set(ids).size).toBe(600)
  expect(new Set((await memorized(spool)).map(({ itemId }) => itemId))).toEqual(new Set(ids))
})

test('a 65th connection is turned away', async () => {
  const { socket } = await opened()
  await Promise.all(Array.from({ length: 64 }, async () => (await talk(socket)).say('{"text":"a"}')))
  const last = await talk(socket)
  await last.closed
})

test('a connection that sends nothing is closed', async () => {
  const { socket } = await opened({ idleMs: 10 })
  await (await talk(socket)).closed
})

test('what cannot be stored is not acknowledged', async () => {
  const { spool, socket } = await opened()
  writeFileSync(streamSpoolFolder(spool, 'me'), 'in the way')
  const client = await talk(socket)
  expect(await client.say('{"text":"a"}')).toEqual({
    ok: false,
    error: expect.stringMatching(/^This line couldn't be stored \(\w+\)\. Send it again later\.$/),
  })
  rmSync(streamSpoolFolder(spool, 'me'))
  expect(await client.say('{"text":"a"}')).toMatchObject({ ok: true })
})

test('the socket is for its owner only, and gone with the listener', async () => {
  const { socket, listener, spool } = await opened()
  expect(statSync(socket).mode & 0o777).toBe(0o600)
  const client = await talk(socket)
  await client.say('{"text":"a"}')
  await listener.close()
  await client.closed
  expect(existsSync(socket)).toBe(false)
  expect(await memorized(spool)).toHaveLength(1)
})

test('a socket that a killed process left is taken over; one in use and other files are not', async () => {
  const folder = temporaryFolder()
  const socket = join(folder, 'stream.sock')
  await leaveSocket(socket)
  await opened({ socket })
  await expect(opened({ socket })).rejects.toThrow(
    `recalld can't listen on ${socket} (EADDRINUSE). Set another socket.`,
  )
  const file = join(folder, 'notes.txt')
  writeFileSync(file, 'mine')
  await expect(opened({ socket: file })).rejects.toMatchObject({ remedy: 'reconfigure' })
  expect(readdirSync(folder).sort()).toEqual(['notes.txt', 'stream.sock'])
})

test('a port of this machine works too, but a page in a browser cannot write to it', async () => {
  const { spool, port } = await opened({ socket: 0 })
  expect(await (await talk(port)).say('{"id":"1","text":"a"}')).toMatchObject({ ok: true })
  const page = await talk(port)
  page.send('POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\n\r\n{"text":"from a page"}\n')
  await page.closed
  expect((await memorized(spool)).map(({ body }) => body)).toEqual(['a'])
})

async function opened(options: Partial<StreamListenerOptions> = {}) {
  const spool = temporaryFolder()
  const socket = join(temporaryFolder(), 'stream.sock')
  const spoolFolder = streamSpoolFolder(spool, 'me')
  const listener = await createStreamListener({
    socket,
    spoolFolder,
    clock: () => NOW,
    log: recordingLog().log,
    ...options,
  })
  onTestFinished(() => listener.close())
  return { spool, socket, listener, port: listener.port ?? 0 }
}

interface Answer {
  readonly ok: boolean
  readonly id?: string
  readonly error?: string
}

async function talk(to: string | number) {
  const socket: Socket = typeof to === 'string' ? connect(to) : connect(to, '127.0.0.1')
  onTestFinished(() => {
    socket.destroy()
  })
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => resolve())
    // A connection that is turned away may be reset.
    socket.on('error', () => resolve())
  })
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  const lines = createInterface(socket)[Symbol.asyncIterator]()
  const answer = async (): Promise<Answer> => JSON.parse(String((await lines.next()).value))
  return {
    closed,
    send: (text: string) => socket.write(text),
    end: () => socket.end(),
    async say(line: string) {
      socket.write(`${line}\n`)
      return answer()
    },
    async answers(count: number) {
      const all: Answer[] = []
      while (all.length < count) all.push(await answer())
      return all
    },
  }
}

/** A socket file that nobody listens on. */
async function leaveSocket(path: string): Promise<void> {
  const other = `${path}.other`
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(other, resolve))
  renameSync(other, path)
  await new Promise((resolve) => server.close(resolve))
}

async function memorized(spoolFolder: string): Promise<SourceItem[]> {
  const connector: Connector = stream
  const context = await connectorContext(connector, { name: 'me' }, { machine: { spoolFolder } })
  const items: SourceItem[] = []
  for await (const change of connector.changes({ id: 'spool', title: 'me' }, undefined, context))
    if (change.type === 'item') items.push(change.item)
  return items
}
