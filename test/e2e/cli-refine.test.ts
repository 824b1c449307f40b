import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startOpenAiServer } from '../fakes/openai-server.ts'
import { runCommand, startUp } from '../lib/command-line.ts'
import { diligentAnswer } from '../lib/refinable.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'
import { until } from '../lib/until.ts'

const SETTINGS = 'price: {input: 1, output: 2}, max_concurrent: 1'

test('a language model is plugged in, makes memories of what comes, and of what was there before on request', async () => {
  const home = join(temporaryFolder(), 'home')
  mkdirSync(home)
  const usage = { input: 4_000, output: 100 }
  const server = await startOpenAiServer((request) => ({ text: JSON.stringify(diligentAnswer(request)), usage }))
  onTestFinished(() => server[Symbol.asyncDispose]())
  const run = (...args: string[]) => runCommand(args, { RECALLD_HOME: home })
  const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout)
  const configure = (settings: string) =>
    writeFileSync(
      join(home, 'config.yaml'),
      `models: {language: {provider: openai-compatible, model: test, url: "${server.url}", ${settings}}}\n`,
    )
  const note = async (name: string, text: string) => {
    const file = join(home, `${name}.md`)
    writeFileSync(file, text)
    await run('memorize', file, '--item-id', name, '--source-type', 'technical_docs')
    await until(async () => (await json('list', '--source-type', 'technical_docs')).files[0]?.status === 'ready')
  }

  const before = await startUp({ RECALLD_HOME: home })
  await note(
    'caching',
    'We decided to cache prices in Valkey, because the catalogue is read a thousand times a second.',
  )
  expect((await run('refine', '--dry-run')).stderr).toContain('No language model is configured')
  expect((await run('status')).stdout).not.toContain('language model')
  await before.stop()

  configure(SETTINGS)
  const withModel = await startUp({ RECALLD_HOME: home })
  await note('backups', 'Backups are taken every night at three and kept for thirty days in Frankfurt.')
  const recalled = async (query: string) => (await json('recall', query)).memories[0]?.content.narrative
  await until(async () => /^The model remembers/.test(await recalled('when are backups taken')))
  expect(await recalled('where are prices cached')).not.toMatch(/^The model/)

  const estimate = await json('refine', '--source', 'technical_docs', '--dry-run')
  expect(estimate).toMatchObject({ model: 'openai-compatible:test', items: 1, queued: 0, calls: 1, kept_answers: 0 })
  expect(estimate.dollars).toBeCloseTo((estimate.input_tokens + 2 * estimate.output_tokens) / 1e6, 9)
  expect((await run('refine', '--dry-run')).stdout).toMatch(/^Refining 1 item takes 1 call to .*, about \$0\.00\d\.\n$/)
  expect((await json('refine', '--source', 'slack')).items).toBe(0)
  expect(server.chats).toHaveLength(1)
  expect((await run('refine')).stdout).toContain('Queued 1 item: 1 call to openai-compatible:test')
  await until(async () => /^The model remembers/.test(await recalled('where are prices cached')))
  expect((await run('refine')).stdout).toContain('has processed all items')
  const { language_model: state } = await json('status')
  expect(state).toMatchObject({ waiting: [], refined: 2, given_up: 0 })
  expect(state.spent_today).toEqual({ tokens: 8_200, dollars: 0.0084 })
  await withModel.stop()

  configure(`${SETTINGS}, budget: {tokens_per_day: 500}`)
  const tooSmall = 'budget: tokens_per_day must be 10000 or more'
  expect((await run('up', '--port', '0')).stderr).toContain(`config.yaml line 1: models: language: ${tooSmall}`)
  expect((await run('doctor')).stdout).toContain(`PROBLEM  language    openai-compatible:test: ${tooSmall}`)
  configure('colour: red')
  expect((await run('status')).stdout.split('colour')).toHaveLength(2)
})
