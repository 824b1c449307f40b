import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runCommand } from '../../lib/command-line.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

const OTHERS = `{
  // mine
  "model": "opus",
  "hooks": {
    "UserPromptSubmit": [
      { "hooks": [{ "type": "command", "command": "date" }] } // the time
    ],
    "Stop": [{ "hooks": [{ "type": "command", "command": "say done" }] }]
  }
}
`

/** Somebody with Claude Code. */
function person({ settings, recalldHome }: { settings?: string; recalldHome?: string } = {}) {
  const userHome = temporaryFolder()
  const file = join(userHome, '.claude', 'settings.json')
  if (settings !== undefined) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, settings)
  }
  const machine = {
    userHome,
    platform: 'linux',
    nodePath: '/opt/node/bin/node',
    launcherPath: '/opt/recalld/bin/recalld.js',
  }
  const env: Record<string, string> = recalldHome === undefined ? {} : { RECALLD_HOME: recalldHome }
  return {
    file,
    run: (...args: string[]) => runCommand(['install-agent', 'claude-code', ...args], env, { machine }),
    read: () => readFileSync(file, 'utf8'),
    hooks: (text = readFileSync(file, 'utf8')) => JSON.parse(text.replace(/\/\/.*$/gm, '')).hooks,
  }
}

const groupOf = (event: string, rest = '') => ({
  hooks: [
    {
      type: 'command',
      command: `/opt/node/bin/node /opt/recalld/bin/recalld.js hook ${event} --host claude-code${rest}`,
      timeout: 5,
    },
  ],
})

describe('the hooks of Claude Code', () => {
  test('are written where it reads them, and once', async () => {
    const { run, file, hooks, read } = person()
    const first = await run()
    expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining(`Hooks saved to ${file}`) })
    expect(hooks()).toEqual({
      SessionStart: [groupOf('session-start')],
      UserPromptSubmit: [groupOf('prompt')],
      SessionEnd: [groupOf('stop')],
    })
    const text = read()
    expect((await run()).stdout).toContain(`Hooks are already in ${file}`)
    expect(read()).toBe(text)
  })

  test('stand beside those of others, and go without them', async () => {
    const { run, file, hooks, read } = person({ settings: OTHERS })
    await run()
    const { UserPromptSubmit: prompt, SessionEnd: end, Stop: stop } = hooks()
    expect(prompt).toEqual([{ hooks: [{ type: 'command', command: 'date' }] }, groupOf('prompt')])
    expect(end).toEqual([groupOf('stop')])
    expect(stop).toHaveLength(1)
    expect(read()).toContain('// mine')
    expect(readdirSync(dirname(file)).filter((name) => name.startsWith('settings.json.backup-'))).toHaveLength(1)
    const removed = await run('--remove', '--json')
    expect(JSON.parse(removed.stdout).hooks).toMatchObject({ file, result: 'removed' })
    expect(hooks()).toEqual(JSON.parse(OTHERS.replace(/\/\/.*$/gm, '')).hooks)
  })

  test('are replaced when the program moved, and name a home of their own', async () => {
    const old = '/old/node /old/recalld/bin/recalld.js hook prompt --host claude-code'
    const settings = JSON.stringify({ hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: old }] }] } })
    const { run, hooks } = person({ settings, recalldHome: "/data/ada's memory" })
    await run()
    expect(hooks().UserPromptSubmit).toEqual([groupOf('prompt', String.raw` --home '/data/ada'\''s memory'`)])
  })

  test('are left out with --no-hooks, and shown with --print', async () => {
    const { run, file, read } = person()
    await run('--no-hooks')
    expect(read).toThrow()
    const { stdout } = await run('--print')
    expect(stdout).toContain(`In ${file}:\n\n{\n  "hooks": {\n    "SessionStart": [`)
    expect(stdout).toMatch(/\n\nNothing was written\.\n$/)
    expect(read).toThrow()
  })

  test('are refused in a file that is none, and nothing else is written', async () => {
    const { run, read } = person({ settings: '{"hooks": {"UserPromptSubmit": "date"}}' })
    expect(await run()).toMatchObject({ code: 1, stderr: expect.stringContaining("can't be changed safely") })
    expect(read()).toBe('{"hooks": {"UserPromptSubmit": "date"}}')
    const broken = person({ settings: '{"hooks": ' })
    expect(await broken.run()).toMatchObject({ code: 1, stderr: expect.stringContaining('Nothing was changed') })
  })

  test('are none of hosts without them', async () => {
    const { stdout } = await runCommand(['install-agent', 'windsurf', '--print', '--json'], {})
    expect(JSON.parse(stdout)).not.toHaveProperty('hooks')
    expect(JSON.parse(stdout).notes.join()).toContain("hooks can't add to a conversation")
  })
})
