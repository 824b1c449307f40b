import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSamples, SAMPLE_USER } from '../../../src/cli/serve/samples.ts'
import { packagePath } from '../../../src/lib/files.ts'
import { recalld } from '../recalld-process.ts'
import { until } from '../until.ts'
import { type AppService, startAppService } from './app-service.ts'

/**
 * The service of a person who uploaded the samples, and connected the folders ~/handbook, the documents about
 * MCP, and ~/notes.
 */
export async function startSampleService(): Promise<AppService> {
  await using parts = new AsyncDisposableStack()
  const person = mkdtempSync(join(tmpdir(), 'recalld-person-'))
  parts.defer(() => rmSync(person, { recursive: true, force: true }))
  const home = join(person, '.recalld')
  mkdirSync(home)
  cpSync(packagePath('docs/mcp'), join(person, 'handbook'), { recursive: true })
  cpSync(packagePath('samples/text'), join(person, 'notes'), { recursive: true })
  const connection =
    'connectors:\n  technical_docs: [{name: handbook, paths: [~/handbook]}]\n  text: [{name: notes, paths: [~/notes]}]\n'
  writeFileSync(join(home, 'config.yaml'), connection, { mode: 0o600 })
  const env = { RECALLD_HOME: home, RECALLD_TIME_ZONE: SAMPLE_USER.timeZone, HOME: person }
  const service = parts.use(await startAppService({ env }))
  for (const sample of await readSamples()) await service.memorize({ ...sample, userName: SAMPLE_USER.name })
  // Its first run by the schedule may be a minute away, or under way: then this one fails and the wait goes on.
  await recalld(['sync'], env)
  await until(async () => {
    const { total, files } = await service.memory.list({ sourceType: 'technical_docs', limit: 100 })
    return total > 0 && files.every(({ status }) => status === 'ready')
  })
  const started = parts.move()
  return { ...service, [Symbol.asyncDispose]: () => started.disposeAsync() }
}
