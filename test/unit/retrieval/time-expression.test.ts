import { describe, expect, it } from 'vitest'
import { findTimeExpression } from '../../../src/retrieval/question/time-expression.ts'

// A Friday; 23:30 in Berlin is still the 20th there and in UTC, but the 21st in Tokyo.
const NOW = new Date('2026-11-20T22:30:00Z')

function range(text: string, timeZone = 'UTC'): readonly (string | undefined)[] | undefined {
  const found = findTimeExpression(text, NOW, timeZone)
  return found && [found.since?.toISOString().slice(0, 16), found.until?.toISOString().slice(0, 16), found.rest]
}

describe('findTimeExpression', () => {
  it.each([
    ['what did Ann say yesterday', '2026-11-19T00:00', '2026-11-20T00:00', 'what did Ann say'],
    ['what happened today?', '2026-11-20T00:00', '2026-11-21T00:00', 'what happened ?'],
    ['deploys last week', '2026-11-09T00:00', '2026-11-16T00:00', 'deploys'],
    ['deploys this week', '2026-11-16T00:00', '2026-11-23T00:00', 'deploys'],
    ['deploys last month', '2026-10-01T00:00', '2026-11-01T00:00', 'deploys'],
    ['deploys in the last 3 days', '2026-11-17T00:00', '2026-11-21T00:00', 'deploys'],
    ['deploys two weeks ago', '2026-11-02T00:00', '2026-11-09T00:00', 'deploys'],
    ['the trip in March 2026', '2026-03-01T00:00', '2026-04-01T00:00', 'the trip'],
    ['the trip in March', '2026-03-01T00:00', '2026-04-01T00:00', 'the trip'],
    ['the trip in December', '2025-12-01T00:00', '2026-01-01T00:00', 'the trip'],
    ['the trip on 3 May 2025', '2025-05-03T00:00', '2025-05-04T00:00', 'the trip'],
    ['the trip in 2024', '2024-01-01T00:00', '2025-01-01T00:00', 'the trip'],
    ['revenue in Q3 2025', '2025-07-01T00:00', '2025-10-01T00:00', 'revenue'],
    ['what broke last Friday', '2026-11-13T00:00', '2026-11-14T00:00', 'what broke'],
    ['what broke on Monday', '2026-11-16T00:00', '2026-11-17T00:00', 'what broke'],
    ['trips between 3 May and 10 May 2025', '2025-05-03T00:00', '2025-05-11T00:00', 'trips'],
  ])('reads "%s"', (text, since, until, rest) => {
    expect(range(text)).toEqual([since, until, rest])
  })

  it.each([
    ['when does my train leave on Monday?', '2026-11-23', 'on Monday 23 November'],
    ['who is coming on Saturday', '2026-11-21', 'on Saturday 21 November'],
    ['is the demo still on Thursday?', '2026-11-26', 'on Thursday 26 November'],
    ['what happened on Monday', '2026-11-16', 'on Monday'],
    ['what does the report of Monday say', '2026-11-16', 'Monday'],
    ['what is due on 3 May', '2027-05-03', 'on 3 May'],
    ['what happens on 3 May?', '2027-05-03', 'on 3 May'],
    ['what happened on 3 May?', '2026-05-03', 'on 3 May'],
    ['what is on in December?', '2026-12-01', 'December'],
    ['what was on in December?', '2025-12-01', 'December'],
    ['what do I have in March?', '2027-03-01', 'March'],
    ['what are my notes from March?', '2026-03-01', 'March'],
    ['what is in my diary of 3 May?', '2026-05-03', '3 May'],
  ])('takes a day for the next one only where the question looks ahead: "%s"', (text, since, words) => {
    const found = findTimeExpression(text, NOW, 'UTC')
    expect(found?.since?.toISOString().slice(0, 10)).toBe(since)
    expect(found?.words).toBe(words)
  })

  it.each([
    ['what do I have next week?', '2026-11-23', '2026-11-30'],
    ['who comes on the coming weekend', '2026-11-21', '2026-11-23'],
    ['what is due next month', '2026-12-01', '2027-01-01'],
  ])('takes the whole week or month to come, and leaves out nothing for it: "%s"', (text, since, until) => {
    const found = findTimeExpression(text, NOW, 'UTC')
    expect([found?.since?.toISOString().slice(0, 10), found?.until?.toISOString().slice(0, 10)]).toEqual([since, until])
    expect(found?.isRelative).toBe(false)
  })

  it.each([
    ['what was on Tuesday this week?', '2026-11-17'],
    ['who came on Friday of last week', '2026-11-13'],
    ['what is on Monday next week', '2026-11-23'],
  ])('takes a day of a week for one day: "%s"', (text, day) => {
    expect(findTimeExpression(text, NOW, 'UTC')?.since?.toISOString().slice(0, 10)).toBe(day)
  })

  it.each([
    ['where did we hike last spring?', 'UTC', '2026-03-01', '2026-06-01'],
    ['where did we hike last spring when it rained?', 'UTC', '2026-03-01', '2026-06-01'],
    ['what did I read last winter', 'UTC', '2025-12-01', '2026-03-01'],
    ['our trips this summer', 'UTC', '2026-06-01', '2026-09-01'],
    ['who joined in autumn 2024', 'UTC', '2024-09-01', '2024-12-01'],
    ['the skiing next winter', 'UTC', '2026-12-01', '2027-03-01'],
    ['our trips last summer', 'Australia/Brisbane', '2025-11-30', '2026-02-28'],
  ])('resolves a season to its three months: "%s" in %s', (text, timeZone, since, until) => {
    const found = findTimeExpression(text, NOW, timeZone)
    expect([found?.since?.toISOString().slice(0, 10), found?.until?.toISOString().slice(0, 10)]).toEqual([since, until])
  })

  it.each([
    ['what did we buy in early May?', '2026-05-01', '2026-05-13', 'what did we buy ?'],
    ['who came by in mid-March', '2026-03-09', '2026-03-23', 'who came by'],
    ['what broke in mid-to-late July 2025', '2025-07-09', '2025-08-01', 'what broke'],
    ['what did we pay at the end of February?', '2026-02-19', '2026-03-01', 'what did we pay ?'],
    ['the walks at the beginning of June', '2026-06-01', '2026-06-13', 'the walks'],
    ['what was sold in the first half of June?', '2026-06-01', '2026-06-17', 'what was sold ?'],
    ['what did I read in late December?', '2025-12-19', '2026-01-01', 'what did I read ?'],
    ['what did I read in late November?', '2026-11-19', '2026-12-01', 'what did I read ?'],
  ])('takes part of a month roughly: "%s"', (text, since, until, rest) => {
    expect(range(text)).toEqual([`${since}T00:00`, `${until}T00:00`, rest])
  })

  it.each([
    ['who was ill in the last week of October?', '2026-10-22', '2026-11-01', 'who was ill ?'],
    ['what did we pay in the first week of June', '2026-06-01', '2026-06-09', 'what did we pay'],
    ['where were we on the last weekend of May', '2026-05-22', '2026-06-01', 'where were we'],
  ])('takes a week of a month roughly: "%s"', (text, since, until, rest) => {
    expect(range(text)).toEqual([`${since}T00:00`, `${until}T00:00`, rest])
  })

  it.each([
    ['what did I watch on 10.01.2024?', '2024-01-10', '2024-01-11', 'what did I watch ?'],
    ['who came on 1.2.2024', '2024-02-01', '2024-02-02', 'who came'],
    ['where was I in the week before 16 November 2023?', '2023-11-09', '2023-11-16', 'where was I ?'],
    ['who was on call in the second week of May?', '2026-05-08', '2026-05-16', 'who was on call ?'],
    ['what happened from 1.3.2024 to 15.3.2024?', '2024-03-01', '2024-03-16', 'what happened ?'],
    ['what happened between 01.03.2024 and 15.03.2024?', '2024-03-01', '2024-03-16', 'what happened ?'],
    ['what happened from 3 May to 10 May', '2026-05-03', '2026-05-11', 'what happened'],
    ['what did we do from Monday to Wednesday?', '2026-11-16', '2026-11-19', 'what did we do ?'],
    ['what did we pay on the last day of February?', '2026-02-28', '2026-03-01', 'what did we pay ?'],
    ['what did we do on the first day of March', '2026-03-01', '2026-03-02', 'what did we do'],
  ])('reads days with points and weeks before a day: "%s"', (text, since, until, rest) => {
    expect(range(text)).toEqual([`${since}T00:00`, `${until}T00:00`, rest])
  })

  it.each([
    ['when is the concert in December?', '2026-12-01'],
    ['is the office open on 2 January?', '2027-01-02'],
    ['where did we sing in December?', '2025-12-01'],
    ['what is the dentist appointment in April?', '2026-04-01'],
    ['what is the name of the restaurant we went to in December?', '2025-12-01'],
    ['where are the photos we took in January?', '2026-01-01'],
    ['which notes are from the first week of January?', '2026-01-01'],
    ['where is the invoice from the beginning of January', '2026-01-01'],
    ['who is on call in the third week of December?', '2026-12-15'],
  ])(
    'takes a month or date that begins soon for the coming one where a question is about what is: "%s"',
    (text, since) => {
      expect(findTimeExpression(text, NOW, 'UTC')?.since?.toISOString().slice(0, 10)).toBe(since)
    },
  )

  it.each([
    'which version does the server run on now?',
    "when is Rosa's last day?",
    'what did I do in my last week at the shop?',
    'the last day of the trip',
    'when does the next year of the course start?',
    'when is the last day to register?',
  ])('takes neither now nor a period of something for the one before now: "%s"', (text) => {
    expect(findTimeExpression(text, NOW, 'UTC')).toBeUndefined()
  })

  it.each([
    ['what were my last week’s hours?', '2026-11-09'],
    ['summarize my last week', '2026-11-09'],
    ['how was my last month', '2026-10-01'],
    ["What's next week?", '2026-11-23'],
    ["Who's next week on call?", '2026-11-23'],
    ["what did we do at Anna's last weekend", '2026-11-14'],
    ['anything new since the last day', '2026-11-19'],
    ['who called in the last day', '2026-11-19'],
    ["what did Rosa say last week's meeting costs", '2026-11-09'],
  ])('still takes the one before now: "%s"', (text, since) => {
    expect(findTimeExpression(text, NOW, 'UTC')?.since?.toISOString().slice(0, 10)).toBe(since)
  })

  it.each(['on the morning of May 3rd', 'on the evening of 3 May 2026', 'during the afternoon of the 3rd of May'])(
    'takes the day for the part of it that a question names: "%s"',
    (time) => {
      expect(range(`who called me ${time}?`)?.slice(0, 2)).toEqual(['2026-05-03T00:00', '2026-05-04T00:00'])
    },
  )

  it('takes a part of this month that is still to come for that of last year', () => {
    const found = findTimeExpression('what did I read in late December?', new Date('2026-12-10T10:00:00Z'), 'UTC')
    expect(found?.since?.toISOString()).toBe('2025-12-19T00:00:00.000Z')
  })

  it('takes no single day for what is done on every one', () => {
    expect(range('what do I usually do on Sunday mornings?')).toBeUndefined()
    expect(range('where do we eat on Wednesday evenings')).toBeUndefined()
    expect(range('what did I do on Sunday morning?')?.[0]).toBe('2026-11-15T00:00')
  })

  it('takes a month that begins today for the one a year ago where it is over', () => {
    const first = new Date('2026-11-01T12:00:00Z')
    const since = (text: string) => findTimeExpression(text, first, 'UTC')?.since?.toISOString().slice(0, 10)
    expect(since('where did we eat in November?')).toBe('2025-11-01')
    expect(since('what is due in November?')).toBe('2026-11-01')
  })

  it('leaves the side open that since, after and before leave open', () => {
    expect(range('since Monday')?.slice(0, 2)).toEqual(['2026-11-16T00:00', undefined])
    expect(range('after 1 June 2024')?.slice(0, 2)).toEqual(['2024-06-02T00:00', undefined])
    expect(range('before 1 June 2024')?.slice(0, 2)).toEqual([undefined, '2024-06-01T00:00'])
  })

  it('begins days in the time zone of the asker', () => {
    expect(range('yesterday', 'Asia/Tokyo')?.slice(0, 2)).toEqual(['2026-11-19T15:00', '2026-11-20T15:00'])
    expect(range('in March 2026', 'Europe/Berlin')?.slice(0, 2)).toEqual(['2026-02-28T23:00', '2026-03-31T22:00'])
  })

  it('tells what counts from now from what has a date of its own', () => {
    expect(findTimeExpression('last week', NOW, 'UTC')?.isRelative).toBe(true)
    expect(findTimeExpression('what happened yesterday', NOW, 'UTC')?.isRelative).toBe(true)
    expect(findTimeExpression('in March 2026', NOW, 'UTC')?.isRelative).toBe(false)
  })

  it.each([
    'what happened the next day?',
    'I may go there',
    'who is Mr. March',
    'she worked there for 3 years',
    'the call at 5 pm',
    'ERR_2023 in version 1.2.3',
    'what is OPS-1423 about',
    'when is the spring concert',
    'the last winter coat that I bought',
  ])('finds no time in "%s"', (text) => {
    expect(range(text)).toBeUndefined()
  })
})
