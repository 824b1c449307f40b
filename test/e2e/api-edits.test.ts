import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRestMemory, type RestMemory } from '../../src/client/rest-memory.ts'
import { runCommand } from '../lib/command-line.ts'
import { httpCall } from '../lib/http-call.ts'
import { type RunningService, startService } from '../lib/start-service.ts'

let running: RunningService
let memory: RestMemory
beforeAll(async () => {
  running = await startService()
  memory = createRestMemory({ baseUrl: running.baseUrl, apiKey: running.key })
  await running.upload('The gate opens at seven.', { itemId: 'gate' })
  await running.upload('The cellar door squeaks.', { itemId: 'cellar' })
  await running.upload('The attic key hangs behind the pelican.', { itemId: 'attic' })
  const { item_id } = await memory.correct({
    memory: { customId: 'gate_memory_0' },
    text: 'The gate opens at eight.',
  })
  await running.ready(item_id)
  await memory.mark('pin', { customId: 'cellar_memory_0' })
  await memory.mark('hide', { customId: 'attic_memory_0' })
})
afterAll(async () => {
  await memory.close()
  await running.stop()
})

const kinds = async () => (await memory.edits({})).edits.map(({ kind }) => kind)

describe('what people changed', () => {
  test('is listed with its memory and its correction, newest first, without the text of a hidden memory', async () => {
    const made = { id: expect.any(String), by: expect.any(String), at: expect.any(String), source_type: 'text' }
    expect(await memory.edits({})).toEqual({
      edits: [
        {
          ...{ ...made, kind: 'hide', item_id: 'attic', title: expect.any(String), custom_id: 'attic_memory_0' },
          ...{ text: null, correction: null, note: null },
        },
        {
          ...{ ...made, kind: 'pin', item_id: 'cellar', title: expect.any(String), custom_id: 'cellar_memory_0' },
          ...{ text: expect.stringContaining('squeaks'), correction: null, note: null },
        },
        {
          ...{ ...made, kind: 'correction', item_id: 'gate', title: expect.any(String), custom_id: 'gate_memory_0' },
          ...{ text: expect.stringContaining('seven'), correction: 'The gate opens at eight.', note: null },
        },
      ],
      ...{ total: 3, limit: 50, offset: 0 },
    })
  })

  test('comes in pages and by kind', async () => {
    const pages = await Promise.all([0, 1, 2, 3].map((offset) => memory.edits({ limit: 1, offset })))
    expect(pages.map(({ edits, total }) => [edits.map(({ item_id }) => item_id), total])).toEqual([
      [['attic'], 3],
      [['cellar'], 3],
      [['gate'], 3],
      [[], 3],
    ])
    expect(await memory.edits({ kind: 'pin' })).toMatchObject({ edits: [{ item_id: 'cellar' }], total: 1 })
    const { status } = await httpCall(`${running.baseUrl}/v1/memories/edits?limit=0`, { key: running.key })
    expect(status).toBe(400)
  })

  test('is of the account and the sources of the key only', async () => {
    const elsewhere = await running.service.accounts.create({ name: 'Elsewhere', userName: 'Else' })
    const { edits } = await memory.edits({ kind: 'pin' })
    const other = await httpCall(`${running.baseUrl}/v1/memories/edits`, { key: elsewhere.key })
    expect(other.body).toMatchObject({ edits: [], total: 0 })
    const path = `${running.baseUrl}/v1/memories/edits/${edits[0]?.id}`
    expect((await httpCall(path, { key: elsewhere.key, method: 'DELETE' })).status).toBe(404)

    const principal = await running.service.authenticate(running.key)
    const mail = { ...principal, scope: { ...principal.scope, sources: ['email'] as const } }
    expect(await running.service.editList.list(mail, {})).toMatchObject({ edits: [], total: 0 })
    await expect(running.service.editList.undo(mail, edits[0]?.id ?? '')).rejects.toThrow("doesn't exist")
    expect(await kinds()).toEqual(['hide', 'pin', 'correction'])
  })

  test('is undone by its ID, also when its item has other memories since, and by the command', async () => {
    await running.upload('The attic is empty now.', { itemId: 'attic', onConflict: 'replace' })
    const [hide] = (await memory.edits({ kind: 'hide' })).edits
    expect(hide).toMatchObject({ custom_id: null, text: null })
    expect(await memory.undoEdit(hide?.id ?? '')).toEqual({ status: 'success', undone: 1 })
    await expect(memory.undoEdit(hide?.id ?? '')).rejects.toThrow("doesn't exist")

    const run = (...command: string[]) =>
      runCommand(command, { RECALLD_URL: running.baseUrl, RECALLD_API_KEY: running.key })
    const { stdout } = await run('edits')
    expect(stdout).toMatch(/^Pinned by .+, \d{4}-\d\d-\d\d: cellar_memory_0[\s\S]*now: The gate opens at eight\./)
    const listed = JSON.parse((await run('edits', '--kind', 'correction', '--json')).stdout)
    expect((await run('edits', '--undo', listed.edits[0].id)).stdout).toBe(`Undone: ${listed.edits[0].id}\n`)
    expect(await kinds()).toEqual(['pin'])
    expect((await memory.recall({ text: 'When does the gate open?' })).memories[0]?.item_id).toBe('gate')
    await run('edits', '--undo', (await memory.edits({})).edits[0]?.id ?? '')
    expect((await run('edits')).stdout).toBe('No corrections, notes, pins or hidden memories.\n')
  })
})
