import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRestMemory, type RestMemory } from '../../src/client/rest-memory.ts'
import { noteResult, undoResult } from '../../src/domain/change-results.ts'
import { recallResult } from '../../src/domain/results.ts'
import { runCommand } from '../lib/command-line.ts'
import { httpCall } from '../lib/http-call.ts'
import { type RunningService, startService } from '../lib/start-service.ts'

const MAIL = `From: Priya Raman <priya@example.com>
To: ann@example.com
Subject: Offsite
Date: Tue, 3 Mar 2026 10:00:00 +0000
Content-Type: text/plain; charset=utf-8

The offsite takes place in Lisbon from 4 to 6 May.
`
const QUESTION = 'Where does the offsite take place?'

describe('a note on a memory', () => {
  let running: RunningService
  let memory: RestMemory
  beforeAll(async () => {
    running = await startService()
    memory = createRestMemory({ baseUrl: running.baseUrl, apiKey: running.key })
  })
  afterAll(async () => {
    await memory.close()
    await running.stop()
  })

  const call = (method: string, path: string, fields: Readonly<Record<string, string>> = {}) =>
    httpCall(`${running.baseUrl}${path}`, {
      method,
      key: running.key,
      ...(Object.keys(fields).length > 0 && { form: Object.entries(fields) }),
    })
  const recall = async (text: string) =>
    recallResult.parse((await call('POST', '/v1/memories/recall', { text })).body).memories
  const note = async (customId: string, text: string) => {
    const { status, body } = await call('POST', `/v1/memories/${customId}/notes`, { text })
    expect(status).toBe(200)
    const result = noteResult.parse(body)
    await running.ready(result.item_id, result.source_type)
    return result
  }
  const notesOf = async (question: string, itemId: string) =>
    (await recall(question)).find(({ item_id }) => item_id === itemId)?.content.notes?.map(({ text }) => text)
  const run = (...command: string[]) =>
    runCommand(command, { RECALLD_URL: running.baseUrl, RECALLD_API_KEY: running.key })

  test('is shown with the memory, which stays as it is, and found by its own words', async () => {
    await running.upload(MAIL, { itemId: 'mail', source: 'email' })
    const first = await note('mail_memory_0', 'Hotel Aurora is booked under my name.')
    expect(first).toMatchObject({ source_type: 'email', note_on: 'mail_memory_0' })
    await note('mail_memory_0', 'Vegetarian lunch is ordered for Kofi.')

    const made = { by: expect.any(String), at: expect.stringMatching(/^\d{4}-/), item_id: expect.any(String) }
    const [mail] = await recall(QUESTION)
    expect(mail).toMatchObject({ item_id: 'mail', content: { narrative: expect.stringContaining('Lisbon') } })
    expect(mail?.content.superseded_by).toBeUndefined()
    expect(mail?.content.notes).toEqual([
      { ...made, text: 'Hotel Aurora is booked under my name.' },
      { ...made, text: 'Vegetarian lunch is ordered for Kofi.' },
    ])
    const [found] = await recall('Which hotel is booked?')
    expect(found).toMatchObject({
      custom_id: first.custom_id,
      content: {
        narrative: 'Hotel Aurora is booked under my name.',
        when: expect.stringMatching(/\d{4}/),
        note: { ...made, item_id: 'mail' },
      },
    })
    const { response } = await memory.ask({ text: 'Which hotel is booked?' })
    expect(response).toMatch(/Aurora/)
  })

  test('stays when the item is processed again, and a note of it can be deleted alone', async () => {
    const changed = MAIL.replace('4 to 6 May.', '4 to 6 May. ')
    await running.upload(changed, { itemId: 'mail', source: 'email', onConflict: 'replace' })
    expect(await notesOf(QUESTION, 'mail')).toHaveLength(2)
    const [found] = await recall('Which hotel is booked?')
    const undone = await call('DELETE', `/v1/memories/${found?.custom_id}/notes`)
    expect(undoResult.parse(undone.body)).toEqual({ status: 'success', undone: 1 })
    expect(await notesOf(QUESTION, 'mail')).toEqual(['Vegetarian lunch is ordered for Kofi.'])
    expect(undoResult.parse((await call('DELETE', '/v1/memories/mail_memory_0/notes')).body).undone).toBe(1)
    expect(await notesOf(QUESTION, 'mail')).toBeUndefined()
  })

  test('is on the correction of its memory too; correcting the note writes another one', async () => {
    await running.upload('The gate opens at seven.', { itemId: 'gate' })
    const { custom_id } = await note('gate_memory_0', 'Ring twice at the side entrance.')
    const corrected = await memory.correct({ memory: { customId: 'gate_memory_0' }, text: 'The gate opens at eight.' })
    await running.ready(corrected.item_id)
    expect(await notesOf('When does the gate open?', corrected.item_id)).toEqual(['Ring twice at the side entrance.'])
    const again = await memory.correct({ memory: { customId: custom_id }, text: 'Ring once at the side entrance.' })
    await running.ready(again.item_id)
    expect(await notesOf('When does the gate open?', 'gate')).toEqual(['Ring once at the side entrance.'])
    // Written on the note, on the correction: both are on the memory.
    await note(again.custom_id, 'The bell is loud.')
    expect(await memory.undoNote({ customId: corrected.custom_id })).toEqual({ status: 'success', undone: 2 })
    expect(await notesOf('When does the gate open?', 'gate')).toBeUndefined()
  })

  test('that is hidden is not shown, nor is it listed for an agent; a hidden memory hides its notes', async () => {
    await running.upload('The attic lamp is green.', { itemId: 'attic' })
    const { custom_id } = await note('attic_memory_0', 'Its switch sits behind the pelican.')
    await memory.mark('hide', { customId: custom_id })
    expect(await notesOf('What colour is the attic lamp?', 'attic')).toBeUndefined()
    expect((await memory.edits({ kind: 'note' })).edits[0]).toMatchObject({ item_id: 'attic', note: null })
    await memory.unmark('hide', { customId: custom_id })
    expect(await notesOf('What colour is the attic lamp?', 'attic')).toHaveLength(1)

    await memory.mark('hide', { customId: 'attic_memory_0' })
    expect((await recall('pelican')).map(({ content }) => content.body ?? '').join()).not.toMatch(/pelican/)
    expect((await memory.edits({ kind: 'note' })).edits[0]).toMatchObject({ item_id: 'attic', text: null, note: null })
    await memory.unmark('hide', { customId: 'attic_memory_0' })
    await memory.undoNote({ customId: 'attic_memory_0' })
  })

  test('as of a day before it was written, it is not there', async () => {
    await running.upload(MAIL.replaceAll('offsite', 'retreat'), { itemId: 'retreat', source: 'email' })
    await note('retreat_memory_0', 'Bring the projector.')
    const { memories } = await memory.recall({ text: 'Where does the retreat take place?', asOf: '2026-04' })
    expect(memories[0]).toMatchObject({ item_id: 'retreat' })
    expect(memories[0]?.content.notes).toBeUndefined()
  })

  test('is beside its memory in answers, in what is opened and in what is recent, once in each', async () => {
    await running.upload('The kiosk at the pier sells stamps.', { itemId: 'kiosk' })
    await note('kiosk_memory_0', 'Only until noon.')
    const texts = (notes: readonly { readonly text: string }[] = []) => notes.map(({ text }) => text)
    const { citations = [] } = await memory.ask({ text: 'What does the kiosk at the pier sell?' })
    expect(citations.flatMap(({ notes }) => texts(notes))).toEqual(['Only until noon.'])
    const { passages } = await memory.open({ handle: 'text/kiosk' })
    expect(passages.flatMap(({ notes }) => texts(notes))).toEqual(['Only until noon.'])
    const recent = await memory.recent({ limit: 100 })
    const kiosk = recent.passages.filter(({ item_id }) => item_id === 'kiosk')
    expect(kiosk.flatMap(({ notes }) => texts(notes))).toEqual(['Only until noon.'])
    await memory.undoNote({ customId: 'kiosk_memory_0' })
    expect((await memory.open({ handle: 'text/kiosk' })).passages[0]?.notes).toBeUndefined()
  })

  test('is written, shown, listed and deleted by the command', async () => {
    await running.upload('The cellar door squeaks.', { itemId: 'cellar' })
    const written = await run('note', 'cellar_memory_0', 'Oil', 'it', 'in', 'autumn.', '--json')
    const { item_id } = noteResult.parse(JSON.parse(written.stdout))
    await running.ready(item_id)
    expect((await run('recall', 'cellar', 'door')).stdout).toMatch(/note by .+, \d{4}-\d\d-\d\d: Oil it in autumn\./)
    expect((await run('edits', '--kind', 'note')).stdout).toMatch(
      /^Noted by .+, \d{4}-\d\d-\d\d: cellar_memory_0[\s\S]*note: Oil it in autumn\./,
    )
    expect((await run('note', 'cellar_memory_0', '--undo')).stdout).toBe('Deleted 1 note: cellar_memory_0\n')
    expect((await run('note', 'cellar_memory_0')).stderr).toMatch(/either the text of the note or --undo/)
    expect(await notesOf('cellar door', 'cellar')).toBeUndefined()
  })

  test('says what is wrong: no such memory, a blank text, another account', async () => {
    expect((await call('POST', '/v1/memories/none_memory_0/notes', { text: 'x' })).status).toBe(404)
    expect((await call('POST', '/v1/memories/cellar_memory_0/notes', { text: ' ' })).status).toBe(400)
    expect((await call('POST', '/v1/memories/cellar_memory_0/notes', { other: 'x' })).status).toBe(422)
    const { key } = await running.service.accounts.create({ name: 'Elsewhere', userName: 'Else' })
    const path = `${running.baseUrl}/v1/memories/cellar_memory_0/notes`
    expect((await httpCall(path, { method: 'POST', key, form: [['text', 'x']] })).status).toBe(404)
    expect((await httpCall(path, { method: 'DELETE', key })).status).toBe(404)
  })
})
