import { parentPort, receiveMessageOnPort } from 'node:worker_threads'
import { freeCopies } from '../../lib/worker-thread.ts'
import { type Connection, openConnection } from './connection.ts'
import { type CommandOutcome, GroupCommit, type WriteCommand } from './group-commit.ts'
import { migrate } from './migrate.ts'
import { serializeError, type WriterAnswer, type WriterMessage, type WriterRequest } from './writer-messages.ts'

// A group is all waiting commands within these bounds, because its first command waits for its last.
const MOST_COMMANDS = 200

const MOST_BYTES = 8 * 1024 * 1024

function start(port: NonNullable<typeof parentPort>): void {
  const waiting: WriteCommand[] = []
  let database: Database | undefined
  let closing = false
  let running = false
  const send = (message: WriterMessage, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer)

  const open = (file: string) => {
    try {
      database = openDatabase(file)
      send({ type: 'ready' })
    } catch (error) {
      send({ type: 'refused', error: serializeError(error) })
    }
  }
  const drain = async ({ connection, groups }: Database) => {
    running = true
    for (let group = nextGroup(port, waiting, accept); group.length > 0; group = nextGroup(port, waiting, accept)) {
      const answers = (await groups.run(group)).map(toAnswer)
      send({ type: 'answers', answers }, transferable(answers))
      await freeCopies(group.reduce((bytes, command) => bytes + commandBytes(command), 0))
    }
    running = false
    if (!closing) return
    // Keeps the statistics of the query planner fresh; cheap when little has changed.
    connection.raw.exec('PRAGMA optimize')
    connection.close()
    database = undefined
    closing = false
    send({ type: 'closed' })
  }
  const accept = (request: WriterRequest) => {
    if ('open' in request) open(request.open)
    else if ('close' in request) closing = true
    else waiting.push(request)
  }
  port.on('message', (request: WriterRequest) => {
    accept(request)
    if (!running && database !== undefined) void drain(database)
  })
}

interface Database {
  readonly connection: Connection
  readonly groups: GroupCommit
}

function openDatabase(file: string): Database {
  const connection = openConnection(file, 'writer')
  try {
    migrate(connection.raw)
    return { connection, groups: new GroupCommit(connection) }
  } catch (error) {
    connection.close()
    throw error
  }
}

/** All commands that have arrived, in order, within the bounds of one group. */
function nextGroup(
  port: NonNullable<typeof parentPort>,
  waiting: WriteCommand[],
  accept: (request: WriterRequest) => void,
): WriteCommand[] {
  for (let more = receiveMessageOnPort(port); more !== undefined; more = receiveMessageOnPort(port)) {
    accept(more.message as WriterRequest)
  }
  let bytes = 0
  let count = 0
  while (count < waiting.length && count < MOST_COMMANDS && bytes < MOST_BYTES) {
    bytes += commandBytes(waiting[count]!)
    count++
  }
  return waiting.splice(0, count)
}

/** Approximate bytes that a command writes, by its file bodies. */
function commandBytes(command: WriteCommand): number {
  let bytes = 1024
  for (const parameter of command.parameters) {
    if (typeof parameter !== 'object' || parameter === null) continue
    if ('body' in parameter && parameter.body instanceof Uint8Array) bytes += parameter.body.byteLength
    if ('chunks' in parameter && Array.isArray(parameter.chunks)) bytes += parameter.chunks.length * 2048
  }
  return bytes
}

function toAnswer(outcome: CommandOutcome): WriterAnswer {
  return outcome.ok ? outcome : { id: outcome.id, ok: false, error: serializeError(outcome.error) }
}

/** File bodies of claims are transferred instead of copied. */
function transferable(answers: readonly WriterAnswer[]): ArrayBuffer[] {
  const buffers: ArrayBuffer[] = []
  for (const answer of answers) {
    if (!answer.ok || !Array.isArray(answer.value)) continue
    for (const element of answer.value) {
      const body: unknown = element?.body
      if (body instanceof Uint8Array && body.buffer instanceof ArrayBuffer && body.byteLength > 0) {
        buffers.push(body.buffer)
      }
    }
  }
  return buffers
}

if (parentPort !== null) start(parentPort)
