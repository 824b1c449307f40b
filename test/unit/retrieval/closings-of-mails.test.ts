import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { splitClosing } from '../../../src/lib/mail-closing.ts'
import type { Source } from '../../../src/retrieval/answer/evidence/evidence.ts'
import { questionFirst } from '../../../src/retrieval/answer/evidence/question-first.ts'
import type { Told } from '../../lib/labelled-pair.ts'
import { openToldMemory, type ToldMemory } from '../../lib/told-memory.ts'

const mail = (at: string, speaker: string, title: string, text: string): Told => ({
  form: 'mail',
  at,
  speaker,
  title,
  text,
})
const CARD = 'Kind regards\nVera Holm\nHolm Housing, Birkenweg 3, 10969 Berlin\nTel. 030 5550177\nFax 030 5550178'
const TOLD: readonly Told[] = [
  mail(
    '2026-03-16T09:12Z',
    'Vera Holm',
    'Window',
    `Dear Ada,\n\nthe glazier replaces the window of the kitchen on Thursday. Please make sure somebody is home. The window is at our expense.\n\n${CARD}`,
  ),
  mail('2026-03-18T09:12Z', 'Vera Holm', 'Re: Window', 'The glass is late. The glazier comes on Monday.\n\nVera Holm'),
  mail('2026-03-19T09:12Z', 'Bram', 'Lift', 'The lift is inspected in May.\n\nBram\nTel. 030 5550199'),
  mail(
    '2026-02-20T09:12Z',
    'Nell Roe',
    'Boat',
    'If anything comes up give me a shout, 07700 900111. The boat is free.',
  ),
  mail('2026-04-21T09:12Z', 'Nell Roe', 'Phone', 'Have got rid of the landline. Only the mobile now, 07700 900318.'),
  mail('2026-04-22T09:12Z', 'Bram', 'Ill', 'Doctor Ives is out sick until Monday.'),
  mail('2026-03-20T09:12Z', 'Bram', 'Plumber', 'The telephone number of Otto Brix is 0171 5550123.\n\nBram'),
]

describe('the closing of a mail', () => {
  let memory: ToldMemory

  beforeAll(async () => {
    memory = await openToldMemory(TOLD, [])
  })
  afterAll(() => memory.close())

  const ask = async (question: string) => (await memory.ask(question, 'Ada Berg')).text

  test('is not quoted in answers', async () => {
    for (const question of ['Who pays for the window?', 'When does the glazier come?', 'What is with the window?'])
      expect(await ask(question)).not.toMatch(/regards|Housing|Birkenweg|5550177/)
  })

  test('answers what is asked of it: a telephone number, an address, a company', async () => {
    expect(await ask("What is Vera Holm's phone number?")).toBe('Vera Holm (16 March 2026): “Tel. 030 5550177” [1]')
    expect(await ask('How can I call Vera?')).toContain('“Tel. 030 5550177”')
    expect(await ask("What is Vera Holm's address?")).toMatch(/“Holm Housing, Birkenweg 3, 10969 Berlin” \[1\]$/)
  })

  test('is not needed for a number that somebody wrote in a sentence of their own, the newest first', async () => {
    for (const question of ["Nell's phone number", "what's Nell's mobile number"])
      expect(await ask(question)).toMatch(/^Nell Roe \(21 April 2026\): “Only the mobile now, 07700 900318\.” \[1\]/)
  })

  test('without a number answers no question for one', async () => {
    const { text, abstained } = await memory.ask("What is Doctor Ives's phone number?", 'Ada Berg')
    expect(abstained, text).toBe(true)
  })

  test('of somebody else is not theirs, and what a mail says comes first', async () => {
    expect(await ask("What is Bram's phone number?")).toContain('030 5550199')
    expect(await ask("What is Otto Brix's phone number?")).toContain('0171 5550123')
    expect(await ask("What is Otto Brix's phone number?")).not.toContain('5550199')
  })
})

describe('a listed pair of a question and its answer', () => {
  test('has the question first', () => {
    const row = (position: number) => ({ itemKey: 1, kind: 'turn', chunkId: position }) as Source['row']
    const source = (position: number, text: string): Source => ({
      row: row(position),
      position,
      lead: [{ text, position: 0 }],
    })
    const [asked, answered, other] = [
      source(3, 'Can I bring Pixel?'),
      source(4, 'Dogs are allowed.'),
      source(9, 'It rains.'),
    ]
    const open = { isReplied: false }
    expect(questionFirst([answered, other, asked], open)).toEqual([asked, answered, other])
    expect(questionFirst([other, answered], open)).toEqual([other, answered])
    expect(questionFirst([answered, other, asked], { isReplied: true })).toEqual([answered, other, asked])
  })
})

describe('splitting a mail', () => {
  test.each([
    ['a closing with a card', 'It rains.\n\nKind regards\nVera Holm\nTel. 030 5550177', 'It rains.'],
    ['a German closing', 'Es regnet.\n\nMit freundlichen Grüßen\nVera Holm', 'Es regnet.'],
    ['the name of the writer', 'It rains.\n\nVera\nHolm Housing', 'It rains.'],
    ['a name behind a comma', 'It rains.\nBest regards, Vera', 'It rains.'],
  ])('removes %s', (_, text, words) => {
    expect(splitClosing(text, 'Vera Holm').words).toBe(words)
  })

  test.each([
    ['what stands below thanks', 'Could you come?\nThanks\nI will be there at eight o’clock.'],
    ['a postscript', 'It rains.\n\nKind regards\nVera\n\nP.S. Bring the key'],
    ['a mail of only a closing', 'Kind regards\nVera'],
    ['a name that is somebody else’s', 'Please call\nOtto Brix'],
    ['a list below', 'Vera\n- brings the key\n- brings the ladder'],
  ])('keeps %s', (_, text) => {
    expect(splitClosing(text, 'Vera Holm').words).toBe(text)
  })
})
