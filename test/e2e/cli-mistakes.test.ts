import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningCommand, runCommand, startUp } from '../lib/command-line.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'
import { until } from '../lib/until.ts'

/** What a person is told who used a command wrongly: what is wrong, and what to do instead. */
const removals: (() => void)[] = []
let folder: string
let home: string
let service: RunningCommand & { address: string }

const WRONG_KEY = `rk_${'x'.repeat(43)}`

beforeAll(async () => {
  folder = temporaryFolder((remove) => removals.push(remove))
  home = join(folder, 'home')
  service = await startUp({ RECALLD_HOME: home })
  writeFileSync(join(folder, 'pond.md'), '# Pond\n\nWanda wants a pond of three metres.\n')
  await run('memorize', join(folder, 'pond.md'), '--item-id', 'pond', '--source-type', 'technical_docs')
  await until(async () => (await run('list', '--source-type', 'technical_docs')).stdout.includes(' ready '))
})

afterAll(async () => {
  await service.stop()
  for (const remove of removals) remove()
})

const run = (...args: string[]) => runCommand(args, { RECALLD_HOME: home })

test('a wrong use of a command points to the help of that command, an unknown command to the list of all', async () => {
  expect((await run('recall')).stderr).toContain('(run "recalld recall --help" to see how to use it)')
  expect((await run('keys', 'create')).stderr).toContain('(run "recalld keys create --help" to see how to use it)')
  expect((await run('keys', 'revoke', 'work')).stderr).toContain('(run "recalld keys --help" to see how to use it)')
  expect((await run('recal')).stderr).toContain('(run "recalld --help" to see all commands)')
})

test('a key that the service rejects is named by where it was read, also by the doctor', async () => {
  const env = { RECALLD_HOME: home, RECALLD_API_KEY: WRONG_KEY }
  const sentence = `The API key in RECALLD_API_KEY isn't valid for ${service.address}.`
  const recalled = await runCommand(['recall', 'pond'], env)
  expect(recalled).toMatchObject({ code: 1, stderr: expect.stringContaining(`recalld: ${sentence} Create or`) })
  const doctor = await runCommand(['doctor'], env)
  expect(doctor).toMatchObject({ code: 1, stdout: expect.stringContaining(`PROBLEM  key         ${sentence}`) })
  expect((await run('doctor')).stdout).toContain('ok       key         the service accepts your API key.\n')
})

test('a key of other sources than text is accepted by the doctor', async () => {
  const key = (await run('keys', 'create', '--name', 'narrow', '--sources', 'slack')).stdout.trim()
  const { code, stdout } = await runCommand(['doctor'], { RECALLD_HOME: home, RECALLD_API_KEY: key })
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('the service accepts your API key.') })
})

test('an item of another source is not found without its source, and the answer says how to add it', async () => {
  for (const command of [
    ['forget', 'pond'],
    ['tag', 'pond', 'garden'],
  ]) {
    const sentence = "Item pond doesn't exist in the source text. If it is from another source, add --source-type.\n"
    expect(await run(...command)).toMatchObject({ code: 1, stderr: `recalld: ${sentence}` })
  }
  const named = await run('forget', 'pond', '--source-type', 'email')
  expect(named.stderr).toBe("recalld: Item pond doesn't exist in the source email.\n")
})

test('a list without a source says that it shows one of several', async () => {
  expect(await run('list')).toMatchObject({
    stderr: 'Items of the source text. For other sources, add --source-type.\n',
  })
  expect(await run('list', '--source-type', 'technical_docs')).toMatchObject({ stderr: '' })
})

test('a search that finds nothing names the filters, and speaks of waiting uploads only without any', async () => {
  const filtered = await run('recall', 'pond', '--tag', 'big jobs', '--connector', 'jira')
  expect(filtered.stdout).toBe("No memories found with --tag 'big jobs', --connector jira. Try fewer filters.\n")
  expect((await run('recall', 'zeppelin')).stdout).toContain('A new upload takes a moment')
})

test('a file that is there already is answered with the option that replaces it, in one sentence each', async () => {
  const again = await run('memorize', join(folder, 'pond.md'), '--item-id', 'pond', '--source-type', 'technical_docs')
  expect(again.stderr).toContain('already exists in the source technical_docs. Add --replace to replace it.\n')
})
