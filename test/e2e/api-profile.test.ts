import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRestMemory } from '../../src/client/rest-memory.ts'
import { type KnownStatement, profile, subjectList, subjectPage } from '../../src/domain/profile.ts'
import { runCommand } from '../lib/command-line.ts'
import { httpCall } from '../lib/http-call.ts'
import { type RunningService, startService } from '../lib/start-service.ts'

const CHAT = `Nadia Brandt [2026-03-02 09:00]: Can you send me the lease by Friday?
Ole Lind [2026-03-02 09:02]: Yes, I'll send you the lease on Friday. I prefer green tea, by the way.
Nadia Brandt [2026-03-02 09:05]: I'll book the flights to Lisbon next week.
`
const LATER = `Nadia Brandt [2026-03-09 09:00]: I booked the flights to Lisbon this morning.
Ole Lind [2026-03-09 09:01]: Great, thanks!
`
const NOTE = `# About me

I work at Fjord Labs as a data engineer. I'm allergic to peanuts. I go swimming every Tuesday.
`
const AGENT = `## User

I never use tabs in Python files.

## Assistant

I always use tabs. I prefer coffee. I live in the cloud.
`

describe('what is known of the owner and of others, over REST', () => {
  let running: RunningService
  beforeAll(async () => {
    running = await startService()
    await running.upload(CHAT, { itemId: 'chat', source: 'slack', userName: 'Ole Lind' })
    await running.upload(LATER, { itemId: 'later', source: 'slack', userName: 'Ole Lind' })
    await running.upload(NOTE, { itemId: 'note', source: 'text', userName: 'Ole Lind' })
    await running.upload(AGENT, { itemId: 'session', source: 'claude_code', userName: 'Ole Lind' })
  })
  afterAll(() => running.stop())

  const get = (path: string, key = running.key) => httpCall(`${running.baseUrl}${path}`, { key })
  const readProfile = async (key = running.key) => profile.parse((await get('/v1/memories/profile', key)).body)
  const person = async (name: string) =>
    subjectPage.parse((await get(`/v1/memories/people/${encodeURIComponent(name)}`)).body)
  const texts = (statements: readonly KnownStatement[]) => statements.map(({ text }) => text).join('\n')

  test('the profile holds what the owner said of themselves, with its memories, and no words of an assistant', async () => {
    const found = await readProfile()
    expect(texts(found.preferences)).toMatch(/green tea/)
    expect(texts(found.preferences)).toMatch(/allergic to peanuts/)
    expect(texts(found.preferences)).toMatch(/never use tabs/)
    expect(texts(found.roles)).toMatch(/Fjord Labs/)
    expect(texts(found.routines)).toMatch(/every Tuesday/)
    expect(JSON.stringify(found)).not.toMatch(/coffee|cloud|always use tabs/)
    for (const statement of [...found.preferences, ...found.roles, ...found.routines, ...found.open_promises])
      expect(statement.citations[0]?.custom_id).toMatch(/^(?:chat|later|note|session)_memory_\d+$/)
  })

  test('a promise is open until a later memory tells that it was kept', async () => {
    const page = await person('Nadia Brandt')
    expect(texts(page.my_promises)).toMatch(/lease/)
    expect(texts(page.their_promises)).toBe('')
    expect(texts(page.facts)).toMatch(/booked the flights to Lisbon/)
    expect(page).toMatchObject({ memories: 2, is_complete: true, last_contact: { source: 'slack' } })
    expect(texts((await readProfile()).open_promises)).toMatch(/lease/)
  })

  test('people are listed without the owner, and found by how their name begins', async () => {
    const { subjects } = subjectList.parse((await get('/v1/memories/people')).body)
    expect(subjects.map(({ name }) => name)).toContain('Nadia Brandt')
    expect(subjects.map(({ name }) => name)).not.toContain('Ole Lind')
    expect((await person('nadia')).name).toBe('Nadia Brandt')
    const absent = await get('/v1/memories/people/Nadja%20Brandt')
    expect(absent.status).toBe(404)
    expect(absent.text).toContain('Did you mean Nadia Brandt?')
  })

  test('the command line names the people of whose name a name is a part', async () => {
    const env = { RECALLD_URL: running.baseUrl, RECALLD_API_KEY: running.key }
    const { code, stderr } = await runCommand(['person', 'brandt'], env)
    expect(code).toBe(1)
    expect(stderr).toContain('No person is called brandt. Known: Nadia Brandt')
  })

  test('a key sees only what stands in its sources', async () => {
    const key = await running.keyFor(['text'])
    const found = await readProfile(key)
    expect(texts(found.roles)).toMatch(/Fjord Labs/)
    expect(JSON.stringify(found)).not.toMatch(/green tea|lease|Nadia/)
    expect((await get('/v1/memories/people/Nadia', key)).status).toBe(404)
  })

  test('what is corrected or deleted goes from every page', async () => {
    const memory = createRestMemory({ baseUrl: running.baseUrl, apiKey: running.key })
    const before = await memory.profile()
    const wrong = before.roles.find(({ text }) => text.includes('Fjord Labs'))!.citations[0]!
    const corrected = await memory.correct({
      memory: { customId: wrong.custom_id, sourceType: wrong.source },
      text: 'I work at Harbour Labs as a data engineer.',
    })
    await running.ready(corrected.item_id, corrected.source_type)
    expect(texts((await memory.profile()).roles)).toMatch(/Harbour Labs/)
    expect(texts((await memory.profile()).roles)).not.toMatch(/Fjord/)
    await memory.forget({ itemId: 'chat', sourceType: 'slack' })
    expect(JSON.stringify(await memory.profile())).not.toMatch(/green tea/)
    expect(texts((await memory.subject({ kind: 'person', name: 'Nadia' })).my_promises)).toBe('')
    await memory.close()
  })
})
