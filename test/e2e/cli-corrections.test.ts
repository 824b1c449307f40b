import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCommand } from '../lib/command-line.ts'
import { type RunningService, startService } from '../lib/start-service.ts'

let running: RunningService
beforeAll(async () => {
  running = await startService()
  await running.upload('The skylight opens with a brass lever.', { itemId: 'skylight' })
})
afterAll(() => running.stop())

const run = (...command: string[]) =>
  runCommand(command, { RECALLD_URL: running.baseUrl, RECALLD_API_KEY: running.key })
const found = async () => (await run('recall', 'brass lever of the skylight')).stdout

describe('marking a memory in a terminal', () => {
  test('hides it from recall, and shows it again', async () => {
    expect(await found()).toContain('brass lever')
    expect(await run('hide', 'skylight_memory_0')).toEqual({
      code: 0,
      stdout: 'Hidden: skylight_memory_0. To show it again: recalld hide --undo skylight_memory_0\n',
      stderr: '',
    })
    expect(await found()).not.toContain('brass lever')
    expect((await run('hide', '--undo', 'skylight_memory_0')).stdout).toBe('Shown again: skylight_memory_0\n')
    expect(await found()).toContain('brass lever')
    expect((await run('hide', '--undo', 'skylight_memory_0')).stdout).toBe('Was not hidden: skylight_memory_0\n')
  })

  test('pins it, and says so in recall until it is unpinned', async () => {
    expect((await run('pin', 'skylight_memory_0')).stdout).toBe('Pinned: skylight_memory_0\n')
    expect(await found()).toContain('pinned by')
    expect((await run('pin', '--undo', 'skylight_memory_0')).stdout).toBe('Unpinned: skylight_memory_0\n')
    expect(await found()).not.toContain('pinned by')
  })

  test('prints the response as JSON', async () => {
    const { stdout } = await run('hide', 'skylight_memory_0', '--source-type', 'text', '--json')
    expect(JSON.parse(stdout)).toEqual({ status: 'success', custom_id: 'skylight_memory_0', source_type: 'text' })
    const undone = await run('hide', '--undo', 'skylight_memory_0', '--json')
    expect(JSON.parse(undone.stdout)).toEqual({ status: 'success', undone: 1 })
  })

  test('fails for a memory that does not exist', async () => {
    const { code, stderr } = await run('hide', 'skylight_memory_7')
    expect(code).toBe(1)
    expect(stderr).toContain("Memory skylight_memory_7 doesn't exist")
  })
})
