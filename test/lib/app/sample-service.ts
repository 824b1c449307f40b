import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSamples, SAMPLE_USER } from '../../../src/cli/serve/samples.ts'
import { packagePath } from '../../../src/lib/files.ts'
import { recalld } from '../recalld-process.ts'
import { until } from '../until.ts'
import { type AppService, startAppService } from './app-service.ts'

/**
 * The service of a person who uploaded the samples, and connected the folders ~/handbook, the documents about
 * MCP, and ~/notes. In a run of tests the samples are read once; each service has a copy of that memory.
 */
export async function startSampleService(): Promise<AppService> {
  await using parts = new AsyncDisposableStack()
  const own = mkdtempSync(join(tmpdir(), 'recalld-person-'))
  parts.defer(() => rmSync(own, { recursive: true, force: true }))
  const person = process.env.RECALLD_TEST_SAMPLES ?? own
  const home = join(own, '.recalld')
  cpSync(await memoryOf(person), home, { recursive: true })
  const service = parts.use(await startAppService({ env: environment(person, home) }))
  const started = parts.move()
  return { ...service, [Symbol.asyncDispose]: () => started.disposeAsync() }
}

/** The home with the samples in it, which only the first to ask makes. @param person the folder of the person */
async function memoryOf(person: string): Promise<string> {
  const [home, made] = [join(person, 'home'), join(person, 'made')]
  await until(async () => {
    if (existsSync(made)) return true
    if (mkdirSync(home, { recursive: true }) === undefined) return false
    await makeMemory(person, home).catch((error) => {
      rmSync(home, { recursive: true, force: true })
      throw error
    })
    writeFileSync(made, '')
    return true
  })
  return home
}

async function makeMemory(person: string, home: string): Promise<void> {
  cpSync(packagePath('docs/mcp'), join(person, 'handbook'), { recursive: true })
  cpSync(packagePath('samples/text'), join(person, 'notes'), { recursive: true })
  const connection =
    'connectors:\n  technical_docs: [{name: handbook, paths: [~/handbook]}]\n  text: [{name: notes, paths: [~/notes]}]\n'
  writeFileSync(join(home, 'config.yaml'), connection, { mode: 0o600 })
  const env = environment(person, home)
  await using service = await startAppService({ env })
  const samples = await readSamples()
  for (const sample of samples) await service.memory.memorize({ ...sample, userName: SAMPLE_USER.name })
  // Its first run by the schedule may be a minute away, or under way: then this one fails and the wait goes on.
  await recalld(['sync'], env)
  for (const sourceType of [...samples.map((sample) => sample.sourceType), 'technical_docs'] as const) {
    await until(async () => {
      const { total, files } = await service.memory.list({ sourceType, limit: 100 })
      return total > 0 && files.every(({ status }) => status === 'ready')
    })
  }
}

function environment(person: string, home: string): Readonly<Record<string, string>> {
  return { RECALLD_HOME: home, RECALLD_TIME_ZONE: SAMPLE_USER.timeZone, HOME: person }
}
