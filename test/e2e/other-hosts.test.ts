import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { runCommand, startUp } from '../lib/command-line.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Real hosts by the variable that names their program, and what each says of the servers that it is connected to. */
const HOSTS: readonly (readonly [string, string, (program: string, env: Environment) => Promise<string>, RegExp])[] = [
  ['gemini', 'RECALLD_TEST_GEMINI', listed, /recalld.*Connected/],
  ['opencode', 'RECALLD_TEST_OPENCODE', listed, /recalld[\s\S]*connected/],
  // `codex mcp list` only reads its settings.
  ['codex', 'RECALLD_TEST_CODEX', serversOfCodex, /"name":"recalld".*"ask"/],
]

describe.each(HOSTS)('%s with what install-agent wrote', (host, variable, servers, connected) => {
  const program = process.env[variable] ?? ''
  // Without a network, opencode takes 80 seconds to start, so the build server doesn't have it.
  const isMissing = !existsSync(program) && !(process.env.CI && host !== 'opencode')
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
    expect(await servers(program, env)).toMatch(connected)
  })
})

async function listed(program: string, env: Environment): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(program, ['mcp', 'list'], {
    cwd: temporaryFolder(),
    env,
    timeout: 280_000,
  })
  return `${stdout}${stderr}`
}

const answer = z.looseObject({ id: z.number(), result: z.unknown() })

/** Asks the server of Codex's applications, which starts MCP servers and lists their tools without a model. */
async function serversOfCodex(program: string, env: Environment): Promise<string> {
  const codex = spawn(program, ['app-server'], { cwd: temporaryFolder(), env, stdio: ['pipe', 'pipe', 'ignore'] })
  onTestFinished(() => void codex.kill('SIGKILL'))
  const send = (message: object) => void codex.stdin.write(`${JSON.stringify(message)}\n`)
  send({ id: 1, method: 'initialize', params: { clientInfo: { name: 'test', title: 'Test', version: '1.0.0' } } })
  for await (const line of createInterface({ input: codex.stdout })) {
    const { id, result } = answer.safeParse(JSON.parse(line)).data ?? {}
    if (id === 2) return JSON.stringify(result)
    if (id !== 1) continue
    send({ method: 'initialized' })
    send({ id: 2, method: 'mcpServerStatus/list', params: {} })
  }
  throw new Error('Codex ended before it answered')
}
