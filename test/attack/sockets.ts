import { request as httpRequest } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { oneOf } from '../lib/seeded-random.ts'
import { type Attacker, between, type Generator, type Random } from './attack.ts'
import { type AttackedService, startAttacked } from './attacked-service.ts'

/** As a shell gives it on some systems: so few that attacks can use them up. */
const FEW_FILES = 256
/** More than the process may have open, but bounded for the machine that tests. */
const MOST_SOCKETS = 400
/** How long somebody who behaves tries again, as a browser or an agent would. */
const PATIENCE_MS = 60_000
const UNANSWERED_MS = 15_000
/** Of the attack; the client that behaves comes from another. */
const ATTACKERS = Array.from({ length: 20 }, (_, n) => `127.0.7.${n + 1}`)
const CLIENT = '127.0.8.1'

export const sockets: Generator = { name: 'sockets', start }

interface Kind {
  readonly name: string
  /** What each connection says at first, and what it adds now and then. */
  begin(random: Random, service: AttackedService): string
  readonly trickle?: string
}

const KINDS: readonly Kind[] = [
  { name: 'silent connections', begin: () => '' },
  { name: 'half heads', begin: () => 'GET /v1/health HTTP/1.1\r\nhost: localhost\r\nx-half: ' },
  { name: 'heads letter by letter', begin: () => 'GET /v1/he', trickle: 'a' },
  {
    name: 'kept alive and idle',
    begin: () => 'GET /v1/live HTTP/1.1\r\nhost: localhost\r\nconnection: keep-alive\r\n\r\n',
  },
  { name: 'bodies letter by letter, without a key', begin: (random) => upload(random, 'rk_none'), trickle: 'a' },
  { name: 'bodies letter by letter, with a key', begin: (random, { key }) => upload(random, key), trickle: 'a' },
  {
    name: 'answers that nobody reads',
    begin: () => 'GET /openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(10),
  },
  {
    name: 'half a sign-in',
    begin: () => 'POST /app/api/sign-in/password HTTP/1.1\r\nhost: localhost\r\ncontent-length: 99\r\n\r\n{',
  },
]

function upload(random: Random, key: string): string {
  const length = between(random, 1_000, 9_000_000)
  const head = `POST /v1/memorize HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${key}\r\ncontent-length: ${length}`
  const part = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
  return `${head}\r\ncontent-type: multipart/form-data; boundary=b\r\n\r\n${part}`
}

async function start(): Promise<Attacker> {
  await using parts = new AsyncDisposableStack()
  const wide = parts.use(await startAttacked())
  let few = await startAttacked({ openFiles: FEW_FILES })
  const started = parts.move()
  return {
    async attempt(random) {
      const kind = oneOf(random, KINDS)
      const isFew = random() < 0.6
      const service = isFew ? few : wide
      const name = `${kind.name}${isFew ? `, with ${FEW_FILES} files` : ''}`
      const problems = await flood(random, service, kind)
      if (service.lives()) return { kind: name, problems }
      const stderr = await service.stop()
      // What follows attacks a process that lives.
      if (isFew) {
        await few[Symbol.asyncDispose]()
        few = await startAttacked({ openFiles: FEW_FILES })
      }
      return { kind: name, problems: [...problems, `the process ended: ${lastLines(stderr)}`] }
    },
    async [Symbol.asyncDispose]() {
      await few[Symbol.asyncDispose]()
      await started.disposeAsync()
    },
  }
}

async function flood(random: Random, service: AttackedService, kind: Kind): Promise<string[]> {
  const from = Array.from({ length: between(random, 1, ATTACKERS.length) }, () => oneOf(random, ATTACKERS))
  const open: Socket[] = []
  const count = between(random, 50, MOST_SOCKETS)
  const trickling = setInterval(() => {
    for (const socket of open) if (kind.trickle !== undefined && socket.writable) socket.write(kind.trickle)
  }, 250)
  try {
    for (let n = 0; n < count; n++) {
      open.push(attackingSocket(service.port, oneOf(random, from), kind.begin(random, service)))
      if (n % 25 === 0) await wait(5)
    }
    return await servedMeanwhile(service)
  } finally {
    clearInterval(trickling)
    for (const socket of open) socket.destroy()
  }
}

function attackingSocket(port: number, localAddress: string, begin: string): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  // That the server ends it is what should happen.
  socket.on('error', () => socket.destroy())
  // Nothing is read: answers pile up.
  socket.pause()
  if (begin !== '') socket.write(begin)
  return socket
}

/** Health, an upload and a question, of a client that comes again when it is refused. */
async function servedMeanwhile({ port, key, lives }: AttackedService): Promise<string[]> {
  const form = '--b\r\ncontent-disposition: form-data; name="text"\r\n\r\nlighthouse\r\n--b--\r\n'
  const note = [
    '--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nThe lighthouse.\r\n',
    '--b\r\ncontent-disposition: form-data; name="user_name"\r\n\r\nAda\r\n',
    '--b\r\ncontent-disposition: form-data; name="source_type"\r\n\r\ntext\r\n--b--\r\n',
  ].join('')
  const calls = [
    ['GET', '/v1/health', undefined],
    ['POST', '/v1/memorize', note],
    ['POST', '/v1/memories/recall', form],
  ] as const
  const problems: string[] = []
  for (const [method, path, body] of calls) {
    const end = performance.now() + PATIENCE_MS
    let last = 'no answer'
    while (performance.now() < end && last !== '200' && lives()) {
      last = await politeCall({ port, key, method, path, body })
      if (last !== '200') await wait(250)
    }
    if (last !== '200') problems.push(`${method} ${path} was not answered within ${PATIENCE_MS / 1_000} s: ${last}`)
  }
  return problems
}

interface PoliteCall {
  readonly port: number
  readonly key: string
  readonly method: string
  readonly path: string
  readonly body: string | undefined
}

/** @returns the status, or why there is none */
function politeCall({ port, key, method, path, body }: PoliteCall): Promise<string> {
  const headers = {
    'x-api-key': key,
    ...(body !== undefined && {
      'content-type': 'multipart/form-data; boundary=b',
      'content-length': Buffer.byteLength(body),
    }),
  }
  const where = { port, host: '127.0.0.1', localAddress: CLIENT, agent: false, timeout: UNANSWERED_MS }
  return new Promise((resolve) => {
    const call = httpRequest({ ...where, method, path, headers }, (answer) => {
      answer.resume()
      answer.once('close', () => resolve(String(answer.statusCode)))
    })
    call.once('timeout', () => call.destroy(new Error(`no answer in ${UNANSWERED_MS / 1_000} s`)))
    call.once('error', ({ message }) => resolve(message))
    call.end(body)
  })
}

function lastLines(stderr: string): string {
  return stderr.trim().split('\n').slice(-3).join(' / ').slice(0, 600)
}
