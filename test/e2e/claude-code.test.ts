import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { packagePath } from '../../src/lib/files.ts'
import { startAnthropicServer } from '../fakes/anthropic-server.ts'
import { runCommand, startUp } from '../lib/command-line.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'
import { until } from '../lib/until.ts'

/** The real Claude Code; the model that it asks is scripted and on this machine. */
const program = process.env.RECALLD_TEST_CLAUDE_CODE ?? ''
const isMissing = !existsSync(program) && !process.env.CI
if (isMissing) console.warn('Claude Code is not driven: RECALLD_TEST_CLAUDE_CODE names no program')

const PROMPT =
  'Hi, I want to go on with our billing migration in March. The payment provider was not ready. Which date did Priya ask the provider for?'
const PLAN = `Let us do the billing migration in March, because the payment provider is not ready. Priya asks the provider for a date.
I want to go on with it in spring.`

/** A passage in its fence. */
const SHOWN = /<recalled:([0-9a-f]{32})>(?:(?!<\/recalled).)*Priya asks the provider for a date/

describe.skipIf(isMissing)('Claude Code with what install-agent wrote', () => {
  test('shows the model what the prompt goes on with, has the tools, and its session is memorized when it ends', {
    timeout: 600_000,
  }, async () => {
    const userHome = temporaryFolder()
    const home = temporaryFolder()
    const work = temporaryFolder()
    const model = await startAnthropicServer('Understood: the aquarium.')
    onTestFinished(() => model.close())
    writeFileSync(join(home, 'config.yaml'), 'connectors:\n  claude_code: [{name: me}]\n')
    const service = await startUp({ RECALLD_HOME: home })
    onTestFinished(async () => void (await service.stop()))
    const machine = { userHome }
    const run = (...args: string[]) => runCommand(args, { RECALLD_HOME: home }, { machine })
    const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout)

    mkdirSync(join(work, 'notes'))
    writeFileSync(join(work, 'notes', 'plan.txt'), PLAN)
    await run('memorize', join(work, 'notes', 'plan.txt'), '--item-id', 'plan')
    await until(async () => (await json('list')).files[0]?.status === 'ready')
    expect(await run('install-agent', 'claude-code')).toMatchObject({ code: 0 })

    const env = {
      PATH: process.env.PATH,
      HOME: userHome,
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: 'sk-ant-scripted',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_AUTOUPDATER: '1',
      // Whatever else it may want to reach.
      HTTPS_PROXY: 'http://127.0.0.1:9',
      NO_PROXY: '127.0.0.1',
    }
    const shownForPrompt = async () =>
      (await json('hook', 'status')).filter(({ event }: { event: string }) => event === 'prompt')
    // On a busy machine the service may take longer than a hook waits; then nothing is shown.
    await until(async () => {
      const claude = promisify(execFile)(program, ['-p', PROMPT], { cwd: work, env, timeout: 280_000 })
      claude.child.stdin?.end()
      expect((await claude).stdout).toContain('Understood: the aquarium.')
      return (await shownForPrompt()).length > 0
    })
    const asked = model.requests.find((request) => SHOWN.test(request)) ?? ''
    expect(asked).toContain('mcp__recalld__recall')
    expect(await shownForPrompt()).toMatchObject([{ host: 'claude-code', folder: work }])
    await until(async () => {
      const { files } = await json('list', '--source-type', 'claude_code')
      return files.length > 0 && files.every(({ status }: { status: string }) => status === 'ready')
    })
    const { chunks } = await json('recall', 'aquarium')
    expect(chunks[0]).toMatchObject({ source: 'claude_code' })
    // What was shown by the hook is not memorized once more.
    const { chunks: shown } = await json('recall', 'Priya asks the provider for a date', '--source', 'claude_code')
    expect(JSON.stringify(shown)).not.toContain('Priya asks the provider')
  })

  test('starts the MCP server and connects', async () => {
    const userHome = temporaryFolder()
    const home = temporaryFolder()
    const service = await startUp({ RECALLD_HOME: home })
    onTestFinished(async () => void (await service.stop()))
    await runCommand(['install-agent', 'claude-code'], { RECALLD_HOME: home }, { machine: { userHome } })
    const env = {
      PATH: process.env.PATH,
      HOME: userHome,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      HTTPS_PROXY: 'http://127.0.0.1:9',
      NO_PROXY: '127.0.0.1',
    }
    const { stdout } = await promisify(execFile)(program, ['mcp', 'list'], {
      cwd: packagePath('docs'),
      env,
      timeout: 280_000,
    })
    expect(stdout).toMatch(/recalld:.*Connected/)
  })
})
