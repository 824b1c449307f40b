import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ItemFacts, ItemMemories, LibraryList } from '../../src/http/app/schemas/library.ts'
import type { EditItem, UndoneEdits } from '../../src/http/app/schemas/memory-edits.ts'
import type { RecallAnswer } from '../../src/http/app/schemas/recall.ts'
import { type AppVisit, appVisit } from '../lib/app-visit.ts'
import { until } from '../lib/until.ts'

let app: AppVisit
beforeAll(async () => {
  app = await appVisit()
})
afterAll(() => app[Symbol.asyncDispose]())

const isReady = async (itemId: string) => (await app.get<ItemFacts>(`/library/text/${itemId}`)).status === 'ready'
async function upload(itemId: string, text: string): Promise<void> {
  await app.running.upload(text, { itemId })
  await until(() => isReady(itemId))
}
const memoriesOf = async (itemId: string) => (await app.get<ItemMemories>(`/library/text/${itemId}/memories`)).memories
const recall = async (text: string) => (await app.send<RecallAnswer>('POST', '/recall', { text })).results
async function correct(customId: string, text: string): Promise<string> {
  const { item_id } = await app.send<EditItem>('PUT', `/memories/text/${customId}/correction`, { text })
  await until(() => isReady(item_id))
  return item_id
}

describe('putting a memory right in the app', () => {
  test('a correction shows on the item and in recall, with who made it, until it is undone', async () => {
    await upload('ferry', 'The ferry sails from pier nine.')
    const correction = await correct('ferry_memory_0', 'The ferry sails from pier four.')
    const made = { by: 'ada@example.com', at: expect.stringMatching(/^\d{4}-/) }
    expect(await memoriesOf('ferry')).toMatchObject([
      { correction: { ...made, text: 'The ferry sails from pier four.' }, pin: null, corrects: null },
    ])
    expect(await memoriesOf(correction)).toMatchObject([{ correction: null, corrects: { ...made, item_id: 'ferry' } }])
    expect(await recall('ferry')).toMatchObject([
      { narrative: 'The ferry sails from pier four.', correction: made, supersedes: [{ item_id: 'ferry' }] },
      { item_id: 'ferry', correction: null, superseded_by: { item_id: correction } },
    ])
    const undone = await app.send<UndoneEdits>('DELETE', '/memories/text/ferry_memory_0/correction')
    expect(undone).toEqual({ undone: 1 })
    expect(await memoriesOf('ferry')).toMatchObject([{ correction: null }])
    expect((await recall('ferry')).map(({ item_id }) => item_id)).toEqual(['ferry'])
  })

  test('correcting again, also by the correction itself, replaces the earlier correction', async () => {
    await upload('kiosk', 'The kiosk opens at six.')
    const first = await correct('kiosk_memory_0', 'The kiosk opens at seven.')
    const second = await correct(`${first}_memory_0`, 'The kiosk opens at eight.')
    const third = await correct('kiosk_memory_0', 'The kiosk opens at nine.')
    const { items } = await app.get<LibraryList>('/library')
    expect(items.map(({ item_id }) => item_id).filter((id) => id === first || id === second)).toEqual([])
    expect(await memoriesOf('kiosk')).toMatchObject([{ correction: { text: 'The kiosk opens at nine.' } }])
    expect((await recall('When does the kiosk open?')).map(({ item_id }) => item_id)).toEqual([third, 'kiosk'])
    expect(await app.send('DELETE', `/memories/text/${third}_memory_0/correction`)).toEqual({ undone: 1 })
    expect(await memoriesOf('kiosk')).toMatchObject([{ correction: null }])
  })

  test('a pin shows with who set it, until it is unpinned', async () => {
    await upload('boiler', 'The boiler code is 4711.')
    const pin = '/memories/text/boiler_memory_0/pin'
    expect((await app.call(pin, { method: 'PUT' })).status).toBe(204)
    expect(await memoriesOf('boiler')).toMatchObject([{ pin: { by: 'ada@example.com' } }])
    expect(await recall('boiler')).toMatchObject([{ pin: { by: 'ada@example.com' } }])
    expect(await app.send('DELETE', pin)).toEqual({ undone: 1 })
    expect(await memoriesOf('boiler')).toMatchObject([{ pin: null }])
  })
})

describe('a note on a memory in the app', () => {
  test('shows on the item and in recall with who wrote it, and on its own item, until it is deleted', async () => {
    await upload('canal', 'The canal lock closes in winter.')
    const notes = '/memories/text/canal_memory_0/notes'
    const { item_id } = await app.send<EditItem>('POST', notes, { text: 'Call Mira for the key.' })
    await until(() => isReady(item_id))
    const note = { by: 'ada@example.com', text: 'Call Mira for the key.', item_id }
    expect(await memoriesOf('canal')).toMatchObject([{ notes: [note], correction: null, note_on: null }])
    expect(await memoriesOf(item_id)).toMatchObject([{ notes: [], corrects: null, note_on: { item_id: 'canal' } }])
    expect(await recall('When does the canal lock close?')).toMatchObject([{ item_id: 'canal', notes: [note] }])
    expect(await recall('Who has the key? Mira')).toMatchObject([{ item_id, note_on: { item_id: 'canal' } }])
    expect(await app.send('DELETE', `/memories/text/${item_id}_memory_0/notes`)).toEqual({ undone: 1 })
    expect(await memoriesOf('canal')).toMatchObject([{ notes: [] }])
  })
})

describe('hiding a memory in the app', () => {
  test('shows who hid it on its item and nowhere else, until it is shown again', async () => {
    await upload('skylight', 'The skylight opens with a brass lever.')
    const hide = '/memories/text/skylight_memory_0/hide'
    expect((await app.call(hide, { method: 'PUT' })).status).toBe(204)
    expect(await memoriesOf('skylight')).toMatchObject([{ hidden: { by: 'ada@example.com' } }])
    const ids = async () => (await recall('brass lever of the skylight')).map(({ item_id }) => item_id)
    expect(await ids()).not.toContain('skylight')
    expect(await app.send('DELETE', hide)).toEqual({ undone: 1 })
    expect(await memoriesOf('skylight')).toMatchObject([{ hidden: null }])
    expect(await ids()).toContain('skylight')
  })

  test('a correction is hidden with what it corrects, whichever of them is hidden', async () => {
    await upload('lantern', 'The lantern hangs in the barn.')
    const correction = await correct('lantern_memory_0', 'The lantern hangs in the loft.')
    for (const [hiddenBy, shownBy] of [
      ['lantern', correction],
      [correction, 'lantern'],
    ]) {
      await app.call(`/memories/text/${hiddenBy}_memory_0/hide`, { method: 'PUT' })
      expect((await recall('Where does the lantern hang?')).filter(({ body }) => body?.includes('lantern'))).toEqual([])
      expect(await memoriesOf('lantern')).toMatchObject([{ hidden: { by: 'ada@example.com' } }])
      expect(await memoriesOf(correction)).toMatchObject([{ hidden: { by: 'ada@example.com' } }])
      expect(await app.send('DELETE', `/memories/text/${shownBy}_memory_0/hide`)).toEqual({ undone: 1 })
      expect((await recall('Where does the lantern hang?'))[0]).toMatchObject({ item_id: correction })
    }
  })
})

describe('who may put a memory right', () => {
  test('members of the account, as they may delete an item; nobody of another one', async () => {
    await upload('gate', 'The gate opens at seven.')
    const member = await app.personFor({ role: 'member', login: 'grace@example.com' })
    expect((await member.call('/memories/text/gate_memory_0/pin', { method: 'PUT' })).status).toBe(204)
    expect(await memoriesOf('gate')).toMatchObject([{ pin: { by: 'grace@example.com' } }])

    const { accountId } = await app.service.accounts.create({ name: 'Elsewhere', userName: 'Else' })
    const other = await app.personFor({ role: 'owner', accountId })
    for (const [method, path, body] of [
      ['PUT', 'correction', { text: 'The gate is closed.' }],
      ['DELETE', 'correction', undefined],
      ['POST', 'notes', { text: 'It is closed.' }],
      ['DELETE', 'notes', undefined],
      ['PUT', 'pin', undefined],
      ['DELETE', 'pin', undefined],
      ['PUT', 'hide', undefined],
      ['DELETE', 'hide', undefined],
    ] as const) {
      const call = { method, ...(body !== undefined && { body }) }
      expect([path, (await other.call(`/memories/text/gate_memory_0/${path}`, call)).status]).toEqual([path, 404])
    }
    expect(await memoriesOf('gate')).toMatchObject([{ correction: null, pin: { by: 'grace@example.com' } }])
  })

  test('nothing without the token against forged requests', async () => {
    await upload('door', 'The door is green.')
    const forged = { method: 'PUT' as const, headers: { 'x-csrf-token': 'made-up' } }
    expect((await app.call('/memories/text/door_memory_0/pin', forged)).status).toBe(403)
    expect(await memoriesOf('door')).toMatchObject([{ pin: null }])
  })

  test('a correction without a text, blank or too long is refused, and the field named', async () => {
    await upload('shed', 'The shed is blue.')
    const answers = [{ text: ' ' }, { text: 'x'.repeat(4_001) }, { text: 7 }, {}].map(async (body) => {
      const answer = await app.call('/memories/text/shed_memory_0/correction', { method: 'PUT', body })
      return [answer.status, (answer.body.errors as { field: string }[])[0]?.field]
    })
    expect(await Promise.all(answers)).toEqual([400, 400, 400, 422].map((status) => [status, 'text']))
  })
})
