import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { NewText } from '../../eval/evaluation-store.ts'
import { openToldMemory, type ToldMemory } from '../../lib/told-memory.ts'

/** A conversation in a file of its own, a line for each turn. */
function conversation(day: string, turns: readonly [speaker: string, text: string][]): NewText {
  const lines = turns.map(([speaker, text], i) => `${speaker} [${day} 19:${String(10 + i)}]: ${text}`)
  return {
    itemId: `talk-${day}`,
    text: `---\ntitle: "talk"\n---\n${lines.join('\n')}\n`,
    fileName: `talk-${day}.md`,
    contentType: 'text/markdown',
    sourceType: 'slack',
  }
}

const TALKS: readonly NewText[] = [
  conversation('2026-02-03', [
    ['Ivo', 'I started fencing at the club by the river, a sport I had always wanted to try.'],
    ['Runa', 'I could never do such a sport. The dentist moved my appointment again.'],
  ]),
  conversation('2026-03-11', [
    ['Runa', 'How was your week?'],
    ['Ivo', 'Tiring. Bouldering is my favourite sport for rainy days, and it rained a lot.'],
  ]),
  conversation('2026-04-20', [
    ['Ivo', 'The tax papers are done. On Sundays I row, the only sport that my knee likes.'],
    ['Runa', 'My favourite sport is watching sport.'],
  ]),
  conversation('2026-06-02', [
    ['Runa', 'On holiday in June we went to Bornholm, by bike and ferry.'],
    ['Ivo', 'Your holiday sounds wonderful.'],
  ]),
  conversation('2026-08-15', [['Runa', 'We went to Ghent on holiday, four rainy days full of bells.']]),
  conversation('2026-10-09', [['Runa', 'For the autumn holiday we went to a hut in Dalarna without electricity.']]),
  ...[1, 2, 3, 4, 5, 6, 7, 8].map((n) =>
    conversation(`2026-09-${String(10 + n)}`, [
      ['Runa', `The printer on floor ${n} needs toner.`],
      ['Ivo', `I ordered ${n} boxes of toner for the printers.`],
    ]),
  ),
]

describe('a list over several conversations', () => {
  let memory: ToldMemory

  beforeAll(async () => {
    memory = await openToldMemory([], TALKS)
  })
  afterAll(() => memory.close())

  test('has an entry of each, by the person asked about', async () => {
    const { response } = await memory.ask('What sports does Ivo do?', 'Runa')
    const [line = ''] = response.split('\n')
    for (const sport of ['fencing', 'Bouldering', 'I row']) expect(line).toContain(sport)
    expect(line).toMatch(/^Found 3: /)
    expect(line).not.toContain('Runa')
  })

  test('answers where somebody went more than once, each with its day', async () => {
    const { response, citations } = await memory.ask('Where did we go on holiday?', 'Runa')
    const [line = ''] = response.split('\n')
    for (const place of ['Bornholm', 'Ghent', 'Dalarna']) expect(line).toContain(place)
    expect(line).toContain('15 August 2026')
    expect(line).not.toContain('sounds wonderful')
    expect(citations.length).toBeGreaterThanOrEqual(3)
  })
})
