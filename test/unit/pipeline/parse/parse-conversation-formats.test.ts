import { describe, expect, test } from 'vitest'
import { createPipeline } from '../../../../src/pipeline/pipeline.ts'
import { wordEmbedder } from '../../../lib/word-embedder.ts'
import { blockTexts, parsed, sourceFile, turns } from './parse-source-file.ts'

const TALK = 'Caroline: Hey Mel!\nMelanie: Hi, how are you?\nCaroline: Good.\nMelanie: Great.'
const MINUTE = '2023-05-08T11:56:00.000Z'
const DAY = '2023-05-07T22:00:00.000Z'

test('a name that begins with the letter of a zone stays whole', async () => {
  const document = await parsed(
    'Feed, 11 June 2026\n\n09:15 Zara: the boat is tied up\n13:05 Zeno: the pump is on again',
  )
  expect(turns(document).map(([speaker]) => speaker)).toEqual(['Zara', 'Zeno'])
})

describe('a line above the turns that is nothing but a time', () => {
  test.each([
    ['1:56 pm on 8 May, 2023', MINUTE],
    ['8 May 2023 13:56', MINUTE],
    ['8 May 2023, 1:56 pm', MINUTE],
    ['May 8th, 2023 at 1:56 PM', MINUTE],
    ['Monday, 8 May 2023, 13:56', MINUTE],
    ['DATE: 1:56 pm on 8 May, 2023', MINUTE],
    ['**Date:** 8 May 2023 at 13:56', MINUTE],
    ['08.05.2023, 13:56:00', MINUTE],
    ['2023-05-08 13:56', MINUTE],
    ['2023-05-08T11:56:00Z', MINUTE],
    ['8 May 2023 11:56 UTC', MINUTE],
    ['8. Mai 2023, 13:56 Uhr', MINUTE],
    ['(1:56 p.m. on May 8, 2023)', MINUTE],
    ['Monday, 8 May 2023', DAY],
    ['Date: 8 May 2023', DAY],
    ['Conversation date: May 8, 2023', DAY],
    ['# 2023-05-08', DAY],
    ['[8 May 2023]', DAY],
    ['--- May 8, 2023 ---', DAY],
    ['=== 8 May 2023 ===', DAY],
    ['8 de mayo de 2023', DAY],
    ['2023年5月8日', DAY],
    ['8/5/2023', DAY],
  ])('%s dates them', async (line, at) => {
    const document = await parsed(`${line}\n\n${TALK}`)
    expect(turns(document)).toEqual([
      ['Caroline', at, 'Hey Mel!'],
      ['Melanie', at, 'Hi, how are you?'],
      ['Caroline', at, 'Good.'],
      ['Melanie', at, 'Great.'],
    ])
    expect(document.meta).toEqual({
      when: { start: new Date(at), precision: at === MINUTE ? 'minute' : 'day' },
    })
    expect(document.blocks).toHaveLength(4)
  })

  test.each([
    'Session 3 (8 May 2023)',
    '## Session 3 - 8 May 2023',
    '# Weekly call: Monday, 8 May 2023',
    '## 8 May 2023 - Budget',
    'Conversation 2 on 8 May 2023',
  ])('%s dates them and stays as a heading', async (line) => {
    const document = await parsed(`${line}\n${TALK}`)
    expect(turns(document).map(([, at]) => at)).toEqual([DAY, DAY, DAY, DAY])
    expect(blockTexts(document)[0]).toEqual(['heading', line.replace(/^#+ /, '')])
  })

  test.each([
    'We met on 8 May 2023.',
    'Since 8 May 2023',
    'Caroline was born on 8 May 2023 at 13:56',
    '# What happened after 8 May 2023',
    '## Deadline: 8 May 2023',
    '32 May 2023',
    '8 Mayor 2023',
    'Room 8 May 2023',
    '25:61 on 8 May 2023',
    '10.5.23',
  ])('%s does not', async (line) => {
    expect(turns(await parsed(`${line}\n\n${TALK}`)).map(([, at]) => at)).toEqual(Array(4).fill(undefined))
  })

  test('holds until the next one', async () => {
    const document = await parsed(
      `1:56 pm on 8 May, 2023\n${TALK}\n\n9:05 am on 10 May, 2023\nCaroline: Back.\nMelanie: Hi.\n\nSession 3 (11 May 2023)\nCaroline: Again.`,
    )
    expect(turns(document).slice(3)).toEqual([
      ['Melanie', MINUTE, 'Great.'],
      ['Caroline', '2023-05-10T07:05:00.000Z', 'Back.'],
      ['Melanie', '2023-05-10T07:05:00.000Z', 'Hi.'],
      ['Caroline', '2023-05-10T22:00:00.000Z', 'Again.'],
    ])
    expect(document.meta.when).toEqual({
      start: new Date(MINUTE),
      end: new Date('2023-05-10T22:00:00Z'),
      precision: 'minute',
    })
  })

  test('comes after the time of the front matter, which holds for the turns above it', async () => {
    const document = await parsed(`---\nwhen: 2023-05-07 10:00\n---\n${TALK}\n\n8 May 2023 13:56\nCaroline: Back.`)
    expect(turns(document).map(([, at]) => at)).toEqual([undefined, undefined, undefined, undefined, MINUTE])
    expect(document.meta.when?.start).toEqual(new Date('2023-05-07T08:00:00Z'))
  })

  test('says less than a front matter with a time on that day', async () => {
    const document = await parsed(`---\nwhen: 2023-05-08 13:56\n---\n8 May 2023\n\n${TALK}`)
    expect(document.meta.when?.start).toEqual(new Date(MINUTE))
    expect(turns(document).map(([, at]) => at)).toEqual(Array(4).fill(undefined))
  })

  test('gives clock times below it their day, past midnight as well', async () => {
    const document = await parsed('8 May 2023 23:50\n[23:58] Ann: late\n[00:03] Bob: very')
    expect(turns(document).map(([, at]) => at)).toEqual(['2023-05-08T21:58:00.000Z', '2023-05-08T22:03:00.000Z'])
  })

  test('is when a recording began whose times count from zero', async () => {
    const document = await parsed('8 May 2023 13:56\n\nAnn  0:03\nGood morning.\n\nBob  12:30\nMorning.')
    expect(turns(document).map(([, at]) => at)).toEqual(['2023-05-08T11:56:03.000Z', '2023-05-08T12:08:30.000Z'])
  })

  test('is what somebody says when it is all that they say, or a line of it', async () => {
    const document = await parsed(
      'Ann: When were you born?\nBob:\n8 May 2003\nAnn: And Tim?\nBob: Well,\n9 May 2004 13:56\nI think.\nAnn: Fine.',
    )
    expect(turns(document)).toEqual([
      ['Ann', undefined, 'When were you born?'],
      ['Bob', undefined, '8 May 2003'],
      ['Ann', undefined, 'And Tim?'],
      ['Bob', undefined, 'Well,\n9 May 2004 13:56\nI think.'],
      ['Ann', undefined, 'Fine.'],
    ])
  })

  test.each(['[8 May 2003]', 'Date: 8 May 2003', '8 May 2003 at 13:56'])(
    'is no time of what follows when it answers a question: %s',
    async (words) => {
      const document = await parsed(`Ann: When?\nBob: ${words}\nAnn: I see.\nBob: Yes.`)
      expect(turns(document).map(([, at, text]) => [at, text])).toEqual([
        [undefined, 'When?'],
        [undefined, words],
        [undefined, 'I see.'],
        [undefined, 'Yes.'],
      ])
    },
  )

  test('with a label is part of an invitation unless it stands by itself', async () => {
    const invitation = 'The party!\n\nDate: 8 May 2023\nPlace: Rome'
    const document = await parsed(
      `Ann: ${invitation}\nBob: Great.\nAnn: Come.\nBob: Yes.\n\nDate: 9 May 2023\n\nAnn: Hi.\nBob: Hi.`,
    )
    expect(turns(document).map(([, at, text]) => [at, text])).toEqual([
      [undefined, invitation],
      ...['Great.', 'Come.', 'Yes.'].map((text) => [undefined, text]),
      ...['Hi.', 'Hi.'].map((text) => ['2023-05-08T22:00:00.000Z', text]),
    ])
  })

  test('without a clock gives memories the day and no time', async () => {
    const pipeline = createPipeline({ embedder: wordEmbedder() })
    const text = `8 May 2023\n\n${TALK}\nCaroline: I sold the old car to my neighbour.\n\n10 May 2023\nCaroline: I have planted the first tomatoes of this year today.`
    const { memories } = await pipeline.run(sourceFile(text))
    await pipeline.close()
    expect(memories.map(({ content }) => content.when)).toEqual(['8 May 2023', '10 May 2023'])
  })
})

describe('times in words at the head of a turn', () => {
  test.each([
    ['in brackets before the name', (name: string, text: string) => `[1:56 pm on 8 May, 2023] ${name}: ${text}`],
    ['in parentheses behind it', (name: string, text: string) => `${name} (1:56 pm on 8 May, 2023): ${text}`],
    ['in brackets behind it', (name: string, text: string) => `${name}, [8 May 2023 at 13:56]: ${text}`],
    ['behind a comma', (name: string, text: string) => `${name}, 8 May 2023 at 13:56: ${text}`],
    ['before a dash', (name: string, text: string) => `8 May 2023, 1:56 pm - ${name}: ${text}`],
    ['behind a bold name', (name: string, text: string) => `**${name}** (Mon, 8 May 2023 13:56): ${text}`],
    ['in German', (name: string, text: string) => `[8. Mai 2023, 13:56] ${name}: ${text}`],
  ])('%s are read', async (_, line) => {
    const document = await parsed(`${line('Caroline', 'Hey')}\n${line('Mel Stone', 'Hi\nthere')}`)
    expect(document.kind).toBe('chat')
    expect(turns(document)).toEqual([
      ['Caroline', MINUTE, 'Hey'],
      ['Mel Stone', MINUTE, 'Hi\nthere'],
    ])
  })

  test('days are enough where the people come back', async () => {
    const document = await parsed(
      'Ann (8 May 2023): One.\nBob (8 May 2023): Two.\nAnn (9 May 2023): Three.\nBob (9 May 2023): Four.',
    )
    expect(turns(document).map(([speaker, at]) => [speaker, at])).toEqual([
      ['Ann', DAY],
      ['Bob', DAY],
      ['Ann', '2023-05-08T22:00:00.000Z'],
      ['Bob', '2023-05-08T22:00:00.000Z'],
    ])
  })

  test.each([
    'Paris, 8 May 2023: The treaty is signed.\nLondon, 9 May 2023: The crowds cheer.\nRome, 10 May 2023: Rain.',
    '8 May 2023 - Decision: we go.\n9 May 2023 - Decision: we stay.\n10 May 2023 - Decision: who knows.',
    'Built (before 8 May 2023): yes\nSold (since 8 May 2023): no\nBuilt (after 9 May 2023): yes',
    'Version 2 (8 May 2023): faster\nVersion 1 (7 May 2023): first',
  ])('a chronicle is no conversation: %j', async (text) => {
    expect((await parsed(text)).kind).toBe('note')
  })
})

describe('numbers and ids before the names', () => {
  test.each([
    ['[D1:3]', (n: number) => `[D1:${n}] `],
    ['(12)', (n: number) => `(${n}) `],
    ['12.', (n: number) => `${n}. `],
    ['#12', (n: number) => `#${n} `],
  ])('%s are no part of them', async (_, id) => {
    const document = await parsed(
      `${id(1)}Caroline: Hey Mel!\n${id(2)}Melanie: Hi, how are you?\n${id(3)}Caroline: I am fine,\nreally.\n${id(4)}Melanie: Great.`,
    )
    expect(turns(document)).toEqual([
      ['Caroline', undefined, 'Hey Mel!'],
      ['Melanie', undefined, 'Hi, how are you?'],
      ['Caroline', undefined, 'I am fine,\nreally.'],
      ['Melanie', undefined, 'Great.'],
    ])
  })

  test.each([
    '1. Budget: 300\n2. Venue: TBD\n3. Caterer: Ann?\n4. Music: Bob',
    '1. Front: 300 mm\n2. Back: 400 mm\n3. Front: 310 mm\n4. Back: 410 mm',
    '#12 Bug: Login fails.\n#13 Feature: Dark theme.\n#14 Bug: Crash at start.\n#15 Feature: Export.',
    '[1] Smith: On growth.\n[2] Miller: On decline.\n[3] Smith: On growth again.\n[4] Jones: On nothing.',
    '1. Pro: cheap\n2. Con: ugly\n3. Pro: near\n4. Con: loud',
  ])('a list of notes stays one: %j', async (text) => {
    expect((await parsed(text)).kind).toBe('note')
  })
})

describe('words in quotation marks', () => {
  test('behind "said" on most lines are turns', async () => {
    const document = await parsed(
      'DATE: 1:56 pm on 8 May, 2023\nCONVERSATION:\nCaroline said, "Hey Mel!"\nMelanie said, "Hi,\nyou."\nCaroline said, "She said "no"."\nMelanie said, "Look." and shared a photo.',
    )
    expect(turns(document)).toEqual([
      ['Caroline', MINUTE, 'Hey Mel!'],
      ['Melanie', MINUTE, 'Hi,\nyou.'],
      ['Caroline', MINUTE, '"She said "no"."'],
      ['Melanie', MINUTE, '"Look." and shared a photo.'],
    ])
    expect(blockTexts(document)[0]).toEqual(['paragraph', 'CONVERSATION:'])
  })

  test.each([
    'Ann said, "No."\nThen she left the room and slammed the door.\nBob said, "Well."\nNobody moved.\nAnn said, "Yes."',
    'He said, "No."\nShe said, "Yes."\nHe said, "No."\nShe said, "Yes."',
    'Ann said, "No."\nBob said, "Yes."\nTim said, "Maybe."',
    'Ann said, "One."\nAnn said, "Two."\nAnn said, "Three."',
  ])('in a story are not: %j', async (text) => {
    expect((await parsed(text)).kind).toBe('note')
  })
})

describe('names on lines of their own', () => {
  const pairs = (...parts: readonly string[]) => parts.join('\n\n')

  test('with the words below and a blank line between are turns', async () => {
    const document = await parsed(
      pairs(
        'Caroline\nHey Mel!',
        'elise\nHi, how are you?',
        'Caroline\nI am fine.\n\nReally.',
        'elise\nGreat.',
        'Caroline\nAnd you?',
        'elise\nSo so.',
        'Tim  \nHello.',
        'Caroline\nHi Tim.',
        'Tim  \nBye.',
      ),
    )
    expect(document.kind).toBe('chat')
    expect(turns(document).slice(1, 4)).toEqual([
      ['elise', undefined, 'Hi, how are you?'],
      ['Caroline', undefined, 'I am fine.\n\nReally.'],
      ['elise', undefined, 'Great.'],
    ])
    expect(turns(document).map(([speaker]) => speaker)).toContain('Tim')
  })

  test.each([
    pairs(...Array(3).fill(pairs('Breakfast\nEggs and bread', 'Lunch\nI skipped it', 'Dinner\nFish'))),
    pairs(...Array(4).fill(pairs('Morning\nRun 5 km', 'Evening\nRead'))),
    pairs(...Array(4).fill(pairs('Pros\nCheap', 'Cons\nUgly, or is it?'))),
    pairs('Ann\nHey Bob!', 'Bob\nHi Ann, how are you?', 'Ann\nFine.', 'Bob\nGood.'),
    pairs('Intro\nI ask you.', 'Plan\nAre you in?', 'Team\nAnn', 'Cost\n300', 'Risk\nNone', 'End\nBye'),
    pairs(...Array(4).fill(pairs('Gratitude\nI am thankful for my friends.', 'Challenges\nWhy did I sleep badly?'))),
  ])('as headings of notes are not: %j', async (text) => {
    expect((await parsed(text)).kind).toBe('note')
  })
})
