import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { runHook } from '../../../src/hooks/run-hook.ts'
import type { HookEvent } from '../../../src/hosts/host.ts'
import { HOOK_HOSTS, type HookHost } from '../../../src/hosts/hosts.ts'
import { packagePath } from '../../../src/lib/files.ts'
import { runCommand } from '../../lib/command-line.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

const PROMPT = 'Which date did Priya ask for?'
const PASSAGE = { id: 'text/plan/0', text: 'Priya asks the provider for a date.', item_id: 'plan', source: 'text' }
const ANSWERS: Readonly<Record<string, object>> = {
  '/v1/memories/suggestions': { probability: 0.9, passages: [PASSAGE] },
  '/v1/memories/briefing': {
    statements: [{ ...PASSAGE, kind: 'last_session', text: 'I asked Claude to move the billing.' }],
    seen: ['text/plan/1'],
  },
}

/** A service that always has something to show, as over REST. */
async function memoryService() {
  const asked: { readonly path: string; readonly form: string }[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    asked.push({ path: request.url ?? '', form: Buffer.concat(chunks).toString('utf8') })
    response.end(JSON.stringify(ANSWERS[request.url ?? ''] ?? {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { asked, baseUrl: `http://127.0.0.1:${port}` }
}

/** What this host gave its hooks, by the names that it has for the events. */
function documentedCalls({ id }: HookHost): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  return JSON.parse(readFileSync(packagePath(`test/fixtures/hooks/${id}.json`), 'utf8'))
}

describe.each(HOOK_HOSTS.map((host) => [host.id, host] as const))('the hooks of %s', (id, host) => {
  const calls = documentedCalls(host)
  const events = Object.entries(host.hooks.events)
  const nameOf = (event: HookEvent) => events.find(([, one]) => one === event)?.[0]

  async function answered(event: HookEvent, call: object, records = temporaryFolder()) {
    const { baseUrl, asked } = await memoryService()
    const output = await runHook(event, host, {
      input: JSON.stringify(call),
      home: temporaryFolder(),
      userHome: '/home/ada',
      records,
      service: () => ({ baseUrl, apiKey: 'rk_made_up' }),
      nodePath: '/nonexistent/node',
      launcherPath: '/nonexistent/recalld.js',
      env: {},
    })
    return { output, asked, records }
  }

  test('are documented for each event that is installed', () => {
    expect(Object.keys(calls).sort()).toEqual(Object.keys(host.hooks.events).sort())
  })

  test('show what matters when a session begins, in the form of the host', async () => {
    const name = nameOf('session-start') ?? ''
    const { output, asked } = await answered('session-start', calls[name] ?? {})
    expect(asked[0]).toMatchObject({ path: '/v1/memories/briefing', form: expect.stringContaining('~/shop') })
    const answer = JSON.parse(output)
    const context: string = answer.hookSpecificOutput?.additionalContext ?? answer.additional_context ?? answer.context
    expect(context).toMatch(/<recalled:(\w+)>\n\[text\]\nLast session: I asked Claude[\s\S]*<\/recalled:\1>$/)
    if (answer.hookSpecificOutput) expect(answer.hookSpecificOutput.hookEventName).toBe(name)
  })

  test.runIf(nameOf('prompt'))('show what a prompt goes on with, and tell what the session has seen', async () => {
    const name = nameOf('prompt') ?? ''
    const start = await answered('session-start', calls[nameOf('session-start') ?? ''] ?? {})
    const { output, asked } = await answered('prompt', { ...calls[name], prompt: PROMPT }, start.records)
    expect(asked[0]?.form).toContain(PROMPT)
    expect(asked[0]?.form).toContain('text/plan/1')
    expect(asked[0]?.form).toMatch(new RegExp(`name="host"\\r\\n\\r\\n${id}\\r\\n`))
    expect(output).toContain('Priya asks the provider for a date.')
    if (output.includes('hookSpecificOutput')) expect(JSON.parse(output).hookSpecificOutput.hookEventName).toBe(name)
  })

  test.runIf(nameOf('prompt'))('show nothing that stands in the transcript already', async () => {
    const transcript = join(temporaryFolder(), 'session.jsonl')
    writeFileSync(transcript, JSON.stringify({ type: 'user', text: `From a file:\n${PASSAGE.text}` }))
    const call = { ...calls[nameOf('prompt') ?? ''], prompt: PROMPT, transcript_path: transcript }
    expect((await answered('prompt', call)).output).toBe('')
  })

  test('say nothing to other programs, and ask nothing for them', async () => {
    for (const call of [{}, [], { session_id: 3 }, { session_id: 'x'.repeat(200), cwd: '/' }]) {
      const { output, asked } = await answered('prompt', call)
      expect({ output, asked }).toEqual({ output: '', asked: [] })
    }
  })

  test('are installed beside those of others, once, and go without them', async () => {
    const userHome = temporaryFolder()
    const machine = { userHome, platform: 'linux', nodePath: '/opt/node', launcherPath: '/opt/recalld.js' }
    const run = (...args: string[]) => runCommand(['install-agent', id, ...args], {}, { machine })
    const { hooks } = JSON.parse((await run('--json')).stdout)
    const own = readFileSync(hooks.file, 'utf8')
    for (const [name, event] of events) {
      expect(own).toContain(name)
      if (host.hooks.layout !== 'plugin') expect(own).toContain(`/opt/recalld.js hook ${event} --host ${id}`)
    }
    expect(JSON.parse((await run('--json')).stdout).hooks.result).toBe('unchanged')
    expect(JSON.parse((await run('--remove', '--json')).stdout).hooks.result).toBe('removed')
    if (host.hooks.layout === 'plugin') return
    const others = `{\n  "hooks": {\n    "${events[0]?.[0]}": [{ "command": "date" }]\n  }\n}\n`
    mkdirSync(dirname(hooks.file), { recursive: true })
    writeFileSync(hooks.file, others)
    await run()
    expect(readFileSync(hooks.file, 'utf8')).toContain('"date"')
    await run('--remove')
    expect(JSON.parse(readFileSync(hooks.file, 'utf8')).hooks).toEqual(JSON.parse(others).hooks)
  })
})

test('Cursor, which runs the hooks of Claude Code too, is answered by its own alone', async () => {
  const claudeCode = HOOK_HOSTS.find(({ id }) => id === 'claude-code')
  expect(claudeCode?.hooks.readCall({ session_id: 'a', cwd: '/', prompt: 'b', cursor_version: '3.20.17' })).toBe(
    undefined,
  )
})
