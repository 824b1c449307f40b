import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { runCommand, startUp } from '../lib/command-line.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'

/** Real hosts by the variable that names their program, and how each says that it is connected. */
const HOSTS = [
  ['gemini', 'RECALLD_TEST_GEMINI', /recalld.*Connected/],
  ['opencode', 'RECALLD_TEST_OPENCODE', /recalld[\s\S]*connected/],
] as const

describe.each(HOSTS)('%s with what install-agent wrote', (host, variable, connected) => {
  const program = process.env[variable] ?? ''
  // The build server has gemini; opencode takes 354 MB there.
  const isMissing = !existsSync(program) && !(process.env.CI && host === 'gemini')
  if (isMissing) console.warn(`${host} is not run: ${variable} names no program`)

  test.skipIf(isMissing)('starts the MCP server and connects', async () => {
    const userHome = temporaryFolder()
    const home = temporaryFolder()
    const service = await startUp({ RECALLD_HOME: home })
    onTestFinished(async () => void (await service.stop()))
    const machine = { userHome }
    expect(await runCommand(['install-agent', host], { RECALLD_HOME: home }, { machine })).toMatchObject({ code: 0 })
    const env = {
      PATH: process.env.PATH,
      HOME: userHome,
      GEMINI_API_KEY: 'scripted',
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      // Whatever else it may want to reach.
      HTTPS_PROXY: 'http://127.0.0.1:9',
      NO_PROXY: '127.0.0.1',
    }
    const listed = await promisify(execFile)(program, ['mcp', 'list'], {
      cwd: temporaryFolder(),
      env,
      timeout: 120_000,
    })
    expect(`${listed.stdout}${listed.stderr}`).toMatch(connected)
  })
})
