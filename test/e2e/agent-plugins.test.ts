import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { claudeCode } from '../../src/hosts/claude-code.ts'
import { gemini } from '../../src/hosts/gemini.ts'
import { packagePath } from '../../src/lib/files.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'

const program = process.env.RECALLD_TEST_CLAUDE_CODE ?? ''
const isMissing = !existsSync(program) && !process.env.CI
if (isMissing) console.warn('The plugin is not validated by Claude Code: RECALLD_TEST_CLAUDE_CODE names no program')

function bundle(host: string) {
  const folder = join(temporaryFolder(), 'bundle')
  execFileSync(process.execPath, ['scripts/bundle-plugin.ts', host, folder], { cwd: packagePath('.'), stdio: 'pipe' })
  return { folder, read: (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8')) }
}

describe('the plugin of Claude Code', () => {
  test('has the server, all hooks, both commands and the skill', () => {
    const { folder, read } = bundle('claude-code')
    expect(read('.claude-plugin/marketplace.json').plugins).toMatchObject([{ name: 'recalld', source: './recalld' }])
    expect(read('recalld/.mcp.json').mcpServers.recalld).toEqual({
      type: 'stdio',
      alwaysLoad: true,
      command: 'recalld',
      args: ['mcp'],
    })
    const { hooks } = read('recalld/hooks/hooks.json')
    expect(Object.keys(hooks)).toEqual(Object.keys(claudeCode.hooks?.events ?? {}))
    expect(hooks.UserPromptSubmit[0].hooks[0].command).toMatch(/; recalld hook prompt --host claude-code$/)
    for (const file of ['commands/recall.md', 'commands/remember.md', 'skills/memory/SKILL.md']) {
      expect(readFileSync(join(folder, 'recalld', file), 'utf8')).toMatch(/^---\n[\s\S]*description: .+\n/)
    }
  })

  test.skipIf(isMissing)('is accepted by Claude Code itself', () => {
    const { folder } = bundle('claude-code')
    const env = { PATH: process.env.PATH, HOME: temporaryFolder() }
    for (const path of [folder, join(folder, 'recalld')]) {
      const output = execFileSync(program, ['plugin', 'validate', path], { env, encoding: 'utf8', timeout: 60_000 })
      expect(output).toContain('Validation passed')
    }
  })
})

test('the extension of Gemini CLI has the server, its hooks and a context file', () => {
  const { folder, read } = bundle('gemini')
  const { contextFileName, mcpServers } = read('gemini-extension.json')
  expect(mcpServers.recalld).toEqual({ command: 'recalld', args: ['mcp'] })
  expect(existsSync(join(folder, contextFileName))).toBe(true)
  expect(Object.keys(read('hooks/hooks.json').hooks)).toEqual(Object.keys(gemini.hooks?.events ?? {}))
})
