import { chmod, lstat, mkdir, rm } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { dirname } from 'node:path'
import { type ByteLine, byteLines } from '../connector/byte-lines.ts'
import { SourceError } from '../connector/source-error.ts'
import {
  createSpoolWriter,
  LONGEST_LINE,
  readStreamLine,
  type SpoolRecord,
  type SpoolWriter,
  streamItemId,
  timeOrderedId,
} from '../connector/stream-spool.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'

export interface StreamListenerOptions {
  /** Path of a Unix socket, or a port of 127.0.0.1. */
  readonly socket: string | number
  /** The connection's spool (`streamSpoolFolder`). Only one listener at a time may write to it. */
  readonly spoolFolder: string
  readonly clock: Clock
  readonly log: Log
  /** A connection that sends nothing for this long is closed, in milliseconds. Default: 10 minutes. */
  readonly idleMs?: number
}

export interface StreamListener {
  /** The port, when it listens on one. */
  readonly port: number | undefined
  /** Resolves when acknowledged entries are on disk and the socket is removed. */
  close(): Promise<void>
}

/** One line of each may be buffered: at most 640 MB. */
const MOST_CONNECTIONS = 64
const IDLE_MS = 10 * 60_000
/** Owner only. */
const SOCKET_MODE = 0o600
const FOLDER_MODE = 0o700
/** The start of a browser's request: web pages can send requests to this machine. */
const HTTP = /^[A-Z]{3,10} \S+ HTTP\/\d/

/**
 * Stores received lines of JSON. Each line is answered in order: `{"ok":true,"id":...}` when it is on disk,
 * `{"ok":false,"error":...}` when it is invalid.
 * @throws SourceError `reconfigure` when the socket cannot be opened
 */
export async function createStreamListener(options: StreamListenerOptions): Promise<StreamListener> {
  const { socket, spoolFolder, clock, log } = options
  const writer = createSpoolWriter(spoolFolder, 'socket', clock)
  const open = new Map<Socket, Promise<void>>()
  // Half open: clients that close their side still get a response.
  const server = createServer({ allowHalfOpen: true }, (connection) => {
    connection.setTimeout(options.idleMs ?? IDLE_MS, () => connection.destroy())
    // Errors also end the loop over its chunks, which handles them.
    connection.on('error', (error) => log.debug({ error: error.message }, 'a stream connection ended'))
    const served = serve(connection, writer, clock, log).finally(() => {
      connection.destroySoon()
      open.delete(connection)
    })
    open.set(connection, served)
  })
  server.maxConnections = MOST_CONNECTIONS
  await listen(server, socket)
  server.on('error', (error) => log.warn({ error: error.message }, "the stream can't accept a connection"))
  const address = server.address()
  return {
    port: address !== null && typeof address === 'object' ? address.port : undefined,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const connection of open.keys()) connection.destroy()
      await Promise.all([closed, ...open.values()])
      await writer.close()
    },
  }
}

async function serve(connection: Socket, writer: SpoolWriter, clock: Clock, log: Log): Promise<void> {
  try {
    for await (const lines of byteLines(connection.iterator({ destroyOnReturn: false }), LONGEST_LINE)) {
      const answers = await storeLines(lines, writer, clock)
      if (answers === undefined) return
      if (!connection.write(answers)) await drained(connection)
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    log.debug({ error: message }, 'a stream connection ended')
  }
}

/** @returns the responses, or `undefined` when the client is a browser */
async function storeLines(lines: readonly ByteLine[], writer: SpoolWriter, clock: Clock): Promise<string | undefined> {
  const answers: object[] = []
  const records: SpoolRecord[] = []
  for (const { bytes } of lines) {
    const begin = Buffer.from(bytes?.subarray(0, 200) ?? []).toString('latin1')
    if (bytes !== undefined && begin.trim() === '' && bytes.length < 200) continue
    if (HTTP.test(begin)) return undefined
    const entry = readStreamLine(bytes)
    if (typeof entry === 'string') {
      answers.push({ ok: false, error: `This line can't be imported: ${entry}.` })
      continue
    }
    const itemId = streamItemId(entry, timeOrderedId(clock()))
    records.push({ itemId, at: clock().toISOString(), entry })
    answers.push({ ok: true, id: itemId })
  }
  try {
    if (records.length > 0) await writer.append(records)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    const refused = { ok: false, error: `This line couldn't be stored (${code}). Send it again later.` }
    return answers.map((answer) => `${JSON.stringify('id' in answer ? refused : answer)}\n`).join('')
  }
  return answers.map((answer) => `${JSON.stringify(answer)}\n`).join('')
}

/** Waits until the client has read its responses; a client that never reads is not read further. */
function drained(connection: Socket): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      connection.off('drain', go)
      connection.off('close', go)
      resolve()
    }
    connection.on('drain', go)
    connection.on('close', go)
  })
}

async function listen(server: Server, socket: string | number): Promise<void> {
  if (typeof socket === 'number') return listening(server, { host: '127.0.0.1', port: socket }, `port ${socket}`)
  await mkdir(dirname(socket), { recursive: true, mode: FOLDER_MODE })
  await removeStale(socket)
  await listening(server, { path: socket }, socket)
  await chmod(socket, SOCKET_MODE)
}

function listening(
  server: Server,
  where: { host?: string; port?: number; path?: string },
  name: string,
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const code = cause.code ?? cause.message
      reject(
        new SourceError('reconfigure', `recalld can't listen on ${name} (${code}). Set another socket.`, { cause }),
      )
    })
    server.listen(where, resolve)
  })
}

/** Removes a socket left by a killed process. Anything else at its path stays. */
async function removeStale(path: string): Promise<void> {
  const found = await lstat(path).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  })
  if (found?.isSocket() && !(await answers(path))) await rm(path, { force: true })
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(path)
    const end = (found: boolean) => () => {
      probe.destroy()
      resolve(found)
    }
    probe.on('connect', end(true))
    probe.on('error', end(false))
  })
}
