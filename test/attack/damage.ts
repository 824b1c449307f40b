import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRestMemory } from '../../src/client/rest-memory.ts'
import { AppError } from '../../src/domain/errors.ts'
import { recalld, type ServiceProcess, startRecalld } from '../lib/recalld-process.ts'
import { oneOf } from '../lib/seeded-random.ts'
import { until } from '../lib/until.ts'
import { type Attacker, between, type Generator, type Random } from './attack.ts'
import { startAttacked } from './attacked-service.ts'

export const damage: Generator = { name: 'damage', start }

/** What was acknowledged: bytes by item id, of every size that is stored differently. */
type Acknowledged = ReadonlyMap<string, Buffer>

interface UsedHome {
  readonly folder: string
  readonly key: string
  readonly items: Acknowledged
}

async function start(): Promise<Attacker> {
  const folder = mkdtempSync(join(tmpdir(), 'recalld-damage-'))
  // One that was stopped, and one whose last writes are in the write-ahead log.
  const homes = [await usedHome(join(folder, 'stopped'), 'SIGTERM'), await usedHome(join(folder, 'killed'), 'SIGKILL')]
  let number = 0
  return {
    async attempt(random) {
      const home = oneOf(random, homes)
      const copy = join(folder, `attempt-${++number}`)
      cpSync(home.folder, copy, { recursive: true })
      const kind = damageFile(random, copy)
      try {
        return { kind: kind.name, problems: await examine(copy, home, kind) }
      } finally {
        rmSync(copy, { recursive: true, force: true })
      }
    },
    async [Symbol.asyncDispose]() {
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function usedHome(folder: string, end: NodeJS.Signals): Promise<UsedHome> {
  await using service = await startAttacked()
  const items = new Map<string, Buffer>()
  for (const [n, length] of [200, 5_000, 60_000, 700_000].entries()) {
    const text = `Item ${n} is about lighthouses. `
    const body = Buffer.from(text.repeat(Math.ceil(length / text.length)))
    const itemId = `item-${n}`
    await service.memory.memorize({ body, fileName: `${n}.md`, userName: 'Ada', itemId, sourceType: 'text' })
    items.set(itemId, body)
  }
  await until(async () =>
    (await service.memory.list({ sourceType: 'text' })).files.every(({ status }) => status === 'ready'),
  )
  await service.stop(end)
  cpSync(service.home, folder, { recursive: true })
  for (const name of readdirSync(folder)) if (name.endsWith('.lock')) rmSync(join(folder, name), { recursive: true })
  return { folder, key: service.key, items }
}

interface Damage {
  readonly name: string
  readonly file: string
}

const FILES = ['recalld.db', 'recalld.db', 'recalld.db-wal', 'secret.key', 'credentials.json', 'config.yaml'] as const

function damageFile(random: Random, home: string): Damage {
  if (random() < 0.15) {
    for (const name of readdirSync(home)) if (name.startsWith('recalld.db')) rmSync(join(home, name))
    return { name: 'recalld.db: deleted', file: 'recalld.db' }
  }
  const file = oneOf(
    random,
    FILES.filter((name) => existsSync(join(home, name)) && statSync(join(home, name)).size > 0),
  )
  const path = join(home, file)
  const bytes = readFileSync(path)
  const at = between(random, 0, bytes.length - 1)
  const kind = oneOf(random, ['flipped bytes', 'cut off', 'zeros', 'a page of another place'] as const)
  if (kind === 'flipped bytes') {
    for (let n = between(random, 1, 20); n > 0; n--) {
      const flipped = between(random, 0, bytes.length - 1)
      bytes[flipped] = (bytes[flipped] ?? 0) ^ (1 << between(random, 0, 7))
    }
  } else if (kind === 'zeros') bytes.fill(0, at, Math.min(bytes.length, at + between(random, 1, 8_192)))
  else if (kind === 'a page of another place') bytes.copyWithin(at - (at % 4_096), 4_096, 8_192)
  writeFileSync(path, kind === 'cut off' ? bytes.subarray(0, at) : bytes)
  return { name: `${file}: ${kind}`, file }
}

async function examine(home: string, { key, items }: UsedHome, kind: Damage): Promise<string[]> {
  const env = { RECALLD_HOME: home, RECALLD_LOG_LEVEL: 'warn', RECALLD_API_KEY: key }
  const started = await startRecalld(env, undefined, { isAttacked: true }).catch((error: Error) => error)
  const problems =
    started instanceof Error ? refusalProblems(started.message) : await asked(started, { key, items, env })
  // The address in it is another after each start here.
  if (kind.file !== 'credentials.json' && !readFileSync(join(home, 'credentials.json'), 'utf8').includes(key))
    problems.push('the key in credentials.json is another: a new account took the place of the one that was there')
  return problems
}

/** A start that is refused says why, to a person. */
function refusalProblems(message: string): string[] {
  const said = message.replace(/^recalld up ended before it ran: /, '').trim()
  if (!/recalld: \p{Lu}?.{20,}/u.test(said)) return [`the start is refused without a sentence: ${said.slice(0, 300)}`]
  return /\n {4}at /.test(said) ? [`the start is refused with a stack: ${said.slice(0, 300)}`] : []
}

interface Question {
  readonly key: string
  readonly items: Acknowledged
  readonly env: Readonly<Record<string, string>>
}

/** Every item has its bytes, or its loss is stated: by the answer, or by `recalld doctor`. */
async function asked(service: ServiceProcess, { key, items, env }: Question): Promise<string[]> {
  const problems: string[] = []
  const lost: string[] = []
  const memory = createRestMemory({ baseUrl: service.address, apiKey: key })
  try {
    for (const [itemId, body] of items) {
      const got = await memory.download({ itemId, sourceType: 'text' }).catch((error: unknown) => error)
      if (got instanceof AppError) {
        if (got.message === '') problems.push(`${itemId}: refused without a reason`)
        if (got.code === 'not_found' || got.code === 'unauthenticated') lost.push(`${itemId}: ${got.message}`)
      } else if (got instanceof Error) problems.push(`${itemId}: ${got.message}`)
      else if (!body.equals((got as { body: Uint8Array }).body)) problems.push(`${itemId}: wrong bytes are answered`)
    }
    if (lost.length > 0 && !(await isReported(env)))
      problems.push(`what was acknowledged is gone, and recalld doctor is content: ${lost.join('; ')}`)
  } finally {
    await memory.close()
    await service.stop()
  }
  return problems
}

async function isReported(env: Readonly<Record<string, string>>): Promise<boolean> {
  const { stdout } = await recalld(['doctor', '--json'], env)
  const findings = JSON.parse(stdout) as readonly { check: string; result: string }[]
  return findings.some(({ check, result }) => result === 'problem' && /database|credentials|key|bodies/.test(check))
}
