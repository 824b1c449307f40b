import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isNamesake } from '../../../src/retrieval/answer/sentences/named-people.ts'
import type { NewText } from '../../eval/evaluation-store.ts'
import { openToldMemory, type ToldMemory } from '../../lib/told-memory.ts'

const OWNER = 'Ada Berg'

const note = (itemId: string, when: string, content: string): NewText => ({
  itemId,
  text: `---\ntitle: ${JSON.stringify(content.split('\n')[0])}\nwhen: ${when}\n---\n${content}`,
})

const chat = (itemId: string, when: string, lines: string): NewText => ({
  itemId,
  text: `---\ntitle: "sms"\nwhen: ${when}\n---\n${lines}`,
  sourceType: 'slack',
})

const RECORDS = [
  note(
    'pottery',
    '2026-03-14T20:00:00Z',
    'Evening at the pottery class\nGlazed two bowls. The green one cracked in the kiln, so the teacher gave me new clay.',
  ),
  note(
    'pottery-photo',
    '2026-03-14T18:30:00Z',
    'Photo: Two bowls on a shelf at the pottery class, one of them green. Place: Kiln House, Harbour Lane.',
  ),
  note('pottery-later', '2026-05-09T20:00:00Z', 'Evening at the pottery class\nThrew three cups. Nothing cracked.'),
  note('gutter', '2026-02-03T19:00:00Z', 'Repair of the gutter\nReplaced the bracket above the door with a steel one.'),
  chat(
    'ines',
    '2026-04-11T18:00:00Z',
    `Ines Moll [2026-04-11 18:00]: Have you heard anything of Bo lately? It sounds as if something changed at his work.
Ada Berg [2026-04-11 18:02]: Not for weeks, what is up with him?
Ines Moll [2026-04-11 18:04]: He gave notice at the shipyard on Friday, without another job.
Ines Moll [2026-04-11 18:05]: First he wants to walk the coast path for two months, then open a workshop for kayaks with his cousin.
`,
  ),
  chat(
    'carl',
    '2026-04-20T18:00:00Z',
    `Carl Voss [2026-04-20 18:00]: Something changed at work, the canteen has soup on Mondays now. Bo would like it.
Ada Berg [2026-04-20 18:02]: I heard. Anything else that changed lately?
`,
  ),
]

describe('a question that names a time', () => {
  let memory: ToldMemory

  beforeAll(async () => {
    memory = await openToldMemory([], RECORDS)
  })
  afterAll(() => memory.close())

  const ask = (question: string) => memory.ask(question, OWNER)
  const firstLine = async (question: string) => (await ask(question)).text.split('\n')[0]!

  test('is answered by a short note as a whole, with another record of the day', async () => {
    const line = await firstLine('Which of the bowls cracked in the kiln at the pottery class in mid-March?')
    expect(line).toContain('Glazed two bowls. The green one cracked in the kiln, so the teacher gave me new clay.')
    expect(line).toContain('Kiln House, Harbour Lane')
    expect(line).not.toContain('Threw three cups')
  })

  test('is answered by the turns of the conversation with the person whom it names', async () => {
    const line = await firstLine('In April, during a conversation with Ines Moll, what had changed for Bo at work?')
    expect(line).toContain('gave notice at the shipyard')
    expect(line).toContain('open a workshop for kayaks')
    expect(line).not.toContain('canteen')
  })

  test('is not answered by the record of another day, unless that names the day', async () => {
    expect((await ask('What did I glaze at the pottery class on 15 March?')).abstained).toBe(true)
    expect((await ask('What did I glaze at the pottery class on 14 March?')).abstained).toBe(false)
  })

  test('is answered by a note of the owner that does not have the name of the owner', async () => {
    const answer = await ask(
      'In early February, which part above the door did Ada Berg replace during the repair of the gutter?',
    )
    expect(answer.abstained).toBe(false)
    expect(answer.text).toContain('Replaced the bracket above the door with a steel one.')
  })
})

test('nobody is a namesake whom the question names too', () => {
  const question = 'What did Ines Berg learn from Ada Berg?'
  expect(isNamesake(question, 'Ada Berg')).toBe(false)
  expect(isNamesake(question, 'Bo Berg')).toBe(true)
})
