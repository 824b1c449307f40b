import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import type { SourceType } from '../../../src/domain/source-type.ts'
import { statedDate } from '../../../src/retrieval/recall/stated-date.ts'
import { openToldMemory, type ToldMemory } from '../../lib/told-memory.ts'

describe('statedDate', () => {
  const at = (time: string, sourceType: SourceType = 'text', kind: 'turn' | 'prose' = 'turn') => ({
    at: Date.parse(time),
    sourceType,
    kind,
  })
  const said = at('2023-05-08T23:30:00Z')
  it.each([
    ['I went there yesterday.', 'UTC', 'yesterday', '7 May 2023'],
    ['I went there yesterday.', 'Asia/Tokyo', 'yesterday', '8 May 2023'],
    ['We moved last year.', 'UTC', 'last year', '2022'],
    ['It was two weeks ago.', 'UTC', 'two weeks ago', 'the week of 24 April 2023'],
    ['The race is next month.', 'UTC', 'next month', 'June 2023'],
  ])('reads "%s" in %s', (passage, zone, words, date) => {
    expect(statedDate(passage, said, zone)).toMatchObject({ words, date })
  })

  it.each([
    ['UTC', '2026-11-24T00:00Z'],
    ['Europe/Berlin', '2026-11-23T23:00Z'],
  ])('takes a day without a time for its middle in %s', (zone, time) => {
    expect(statedDate('I merged it last night.', at(time), zone)?.date).toBe('23 November 2026')
    expect(statedDate('I merge it today.', at(time), zone)?.date).toBe('24 November 2026')
  })

  it('has the day of what is a day, and of nothing longer', () => {
    expect(statedDate('I went there yesterday.', said, 'UTC')?.day).toEqual(new Date('2023-05-07'))
    expect(statedDate('We moved last year.', said, 'UTC')).not.toHaveProperty('day')
    expect(statedDate('It was two weeks ago.', said, 'UTC')).not.toHaveProperty('day')
  })

  it('leaves lengths of time and times of day alone', () => {
    expect(statedDate('I have lived here for 3 years.', said, 'UTC')).toBeUndefined()
    expect(statedDate('See you at 5 pm.', said, 'UTC')).toBeUndefined()
    expect(statedDate('Last day at the hospital is 12 December.', said, 'UTC')).toBeUndefined()
  })

  // A Saturday.
  const saturday = at('2026-10-10T09:00Z')
  it.each([
    ['I had my left knee replaced on Monday.', 'Monday', '5 October 2026'],
    ['We will be in the sauna on Thursday evening.', 'Thursday', '15 October 2026'],
    ['Donal is flying in on the 13th.', 'on the 13th', '13 October 2026'],
    ['I went there last Friday.', 'last Friday', '9 October 2026'],
    ['Wir waren gestern im Kino.', 'gestern', '9 October 2026'],
    ['先週の金曜に会いました。', '先週の金曜', '2 October 2026'],
  ])('reads "%s" as memories do', (passage, words, date) => {
    expect(statedDate(passage, saturday, 'UTC')).toMatchObject({ words, date })
  })

  it.each([
    ['a habit', 'I swim on Mondays.'],
    ['a habit', 'I swim every Monday.'],
    ['a habit', 'The office is open Monday to Friday.'],
    ['a habit', 'She comes for an hour on Monday, Wednesday and Friday.'],
    ['a name', 'The Black Friday sale was huge.'],
    ['a day with its date', 'The handover is on Monday 5 October.'],
    ['a day with its date', 'Out Mon 21st Dec 08.55'],
    ['the day itself', 'Saturday is choir.'],
    ['what nobody says is ahead', 'Here is the bill for the dinner on Saturday.'],
    ['a weekday with a name', 'Ada will visit us Easter Monday.'],
    ['one of each month', 'We will pay on the first Monday of the month.'],
    ['another year', 'In 2019 Grandpa broke his leg on Friday, poor man.'],
    ['a day of a later month', 'Listo, viernes 17.'],
    ['what follows a date', 'We come on Wednesday 21 October and stay until Monday.'],
    ['a day of a month named before', 'The 16th yes, on the 18th the choir is in.'],
    ['a plan under way', 'My brother is getting married on the 3rd.'],
  ])('gives no date for %s: "%s"', (_, passage) => {
    expect(statedDate(passage, saturday, 'UTC')).toBeUndefined()
  })

  it('knows that Thursday week is a week later', () => {
    expect(statedDate('Dinner Thursday week.', saturday, 'UTC')).toMatchObject({
      words: 'Thursday',
      date: '22 October 2026',
    })
  })

  it('reads coming weekdays only of what somebody says', () => {
    const words = 'The office will close at two on Friday.'
    expect(statedDate(words, saturday, 'UTC')).toMatchObject({ date: '16 October 2026' })
    expect(statedDate(words, at('2026-10-10T09:00Z', 'gdocs', 'prose'), 'UTC')).toBeUndefined()
  })

  it('reads weekdays neither of events nor of sessions with agents', () => {
    for (const source of ['calendar', 'claude_code'] as const)
      expect(statedDate('It broke on Monday.', at('2026-10-10T09:00Z', source), 'UTC')).toBeUndefined()
  })

  it('takes no day of a diary for a coming one', () => {
    const diary = 'Tuesday Sten repaired the pump. Wednesday the alarm.'
    expect(statedDate(diary, saturday, 'UTC', 'What about the alarm?')?.date).toBe('6 October 2026')
  })

  it('prefers the day in the sentence that the question is about', () => {
    const passage = 'Ida came on Tuesday. The boiler was repaired on Thursday.'
    expect(statedDate(passage, saturday, 'UTC')?.date).toBe('6 October 2026')
    expect(statedDate(passage, saturday, 'UTC', 'When was the boiler repaired?')?.date).toBe('8 October 2026')
  })
})

const CHAT = `[10/10/2026, 18:06:30] Ruth: How is the knee?
[10/10/2026, 18:07:01] Harriet Lindley: I had my left knee replaced on Monday
[10/10/2026, 18:20:00] Ruth: The piano tuner comes on Wednesday at 10:30, he wants 90 pounds
`

describe('the first line of an answer', () => {
  let memory: ToldMemory
  const ask = async (text: string) => (await memory.ask(text, 'Harriet Lindley')).response.split('\n')[0]

  beforeAll(async () => {
    const file = { itemId: 'chat', text: CHAT, fileName: 'chat.txt', contentType: 'text/plain' }
    memory = await openToldMemory([], [{ ...file, sourceType: 'text' }])
  })
  afterAll(() => memory.close())

  test('leads with the day that a weekday means', async () => {
    expect(await ask('When did I have my knee replaced?')).toMatch(
      /^5 October 2026 – .*“I had my left knee replaced on Monday” \[1\] \(“Monday” is 5 October 2026\)/,
    )
  })

  test('says it behind words with a time of day, and whatever is asked', async () => {
    const note = /\[1\] \(“Wednesday” is 14 October 2026\)/
    expect(await ask('When does the piano tuner come?')).toMatch(note)
    expect(await ask('How much does the piano tuner want?')).toMatch(note)
  })
})
