import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { openConnection } from './connection.ts'
import { type CommandOutcome, GroupCommit, type WriteCommand } from './group-commit.ts'
import { migrate } from './migrate.ts'
import {
  serializeError,
  type WriterAnswer,
  type WriterMessage,
  type WriterRequest,
  type WriterStart,
} from './writer-messages.ts'

// A group is as large as what waits, within these bounds: its first command waits for its last.
const MOST_COMMANDS = 200

const MOST_BYTES = 8 * 1024 * 1024

function start(port: NonNullable<typeof parentPort>, { file }: WriterStart): void {
  const waiting: WriteCommand[] = []
  let closing = false
  let running = false
  const send = (message: WriterMessage, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer)

  try {
    const connection = openConnection(file, 'writer')
    migrate(connection.raw)
    const groups = new GroupCommit(connection)

    const drain = async () => {
      running = true
      for (let group = nextGroup(port, waiting, accept); group.length > 0; group = nextGroup(port, waiting, accept)) {
        const answers = (await groups.run(group)).map(toAnswer)
        send({ type: 'answers', answers }, transferable(answers))
      }
      running = false
      if (!closing) return
      // Keeps the statistics of the query planner fresh; cheap when little has changed.
      connection.raw.exec('PRAGMA optimize')
      connection.close()
      send({ type: 'closed' })
      port.close()
    }
    const accept = (request: WriterRequest) => {
      if ('close' in request) closing = true
      else waiting.push(request)
    }
    port.on('message', (request: WriterRequest) => {
      accept(request)
      if (!running) void drain()
    })
    send({ type: 'ready' })
  } catch (error) {
    send({ type: 'refused', error: serializeError(error) })
    port.close()
  }
}

/** Everything that has arrived by now, in order, within the bounds of one group. */
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

/** Rough size of what an command writes: the file bodies decide. */
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

/** File bodies of claims move to the receiver instead of being copied. */
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

if (parentPort !== null) start(parentPort, workerData as WriterStart)
