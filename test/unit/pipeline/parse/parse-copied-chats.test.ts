import { describe, expect, test } from 'vitest'
import { parsed, turns } from './parse-source-file.ts'

describe('a chat that LINE saved', () => {
  const SAVED = `[LINE] 健太とのトーク履歴
保存日時：2026/11/16 10:00

2026/11/15(日)
10:12\t健太\tおはよう!
10:25\t健太\t新宿の鳥良、12月12日の18時から
10:40\t健太\t☎ 通話時間 3:12

2026/11/16(月)
8:02\t美穂\t"駅前のケーキ屋は
火曜は休みだって"`

  test('has turns with their days, without calls and the lines above', async () => {
    expect(turns(await parsed(SAVED, { timeZone: 'Asia/Tokyo' }))).toEqual([
      ['健太', '2026-11-15T01:12:00.000Z', 'おはよう!'],
      ['健太', '2026-11-15T01:25:00.000Z', '新宿の鳥良、12月12日の18時から'],
      ['美穂', '2026-11-15T23:02:00.000Z', '駅前のケーキ屋は\n火曜は休みだって'],
    ])
  })

  test('in English has its days too', async () => {
    const document = await parsed(
      '[LINE] Chat history with Kenta\nSaved on: 2026/11/16 10:00\n\n2026.11.15 Sunday\n10:12\tKenta\tare you coming?\n10:15\tMiho\tyes, at six',
      { timeZone: 'Asia/Tokyo' },
    )
    expect(turns(document)).toEqual([
      ['Kenta', '2026-11-15T01:12:00.000Z', 'are you coming?'],
      ['Miho', '2026-11-15T01:15:00.000Z', 'yes, at six'],
    ])
  })
})

describe('messages in a chat that LINE saved', () => {
  test('of several lines have their quotation marks once, and who joined or left is no turn', async () => {
    const document = await parsed(
      '[LINE] Chat history with Kenta\nSaved on: 2026/11/16 10:00\n\n2026.11.15 Sunday\n10:12\tKenta\t"the sign says ""closed""\non Tuesdays"\n10:13\t\tMiho left the group.\n10:15\tKenta\t"Tampopo" is a film',
      { timeZone: 'Asia/Tokyo' },
    )
    expect(turns(document).map(([, , text]) => text)).toEqual([
      'the sign says "closed"\non Tuesdays',
      '"Tampopo" is a film',
    ])
  })
})

describe('a table with times', () => {
  test.each([
    'Conference plan 2026\n\n09:00\tRoom A\tOpening by the mayor\n10:30\tRoom B\tCoffee\n11:00\tRoom A\tTalk of Ida Berg on bees\n13:00\tHall\tLunch',
    '2026/11/15 Sunday\n08:00\tGarden\tplanted 40 cloves\n09:30\tGarden\twatered them',
    'Trains\n8:10\tBerlin\tplatform 4\n9:10\tBerlin\tplatform 6',
    '10:12:01\tserver\tstarted\n10:12:09\tserver\tstopped',
  ])('is no chat: %s', async (text) => {
    expect(turns(await parsed(text))).toEqual([])
  })
})

describe('a chat copied from an assistant', () => {
  test.each([
    ['You said:', 'ChatGPT said:', 'ChatGPT'],
    ['##### You said:', '###### ChatGPT said:', 'ChatGPT'],
    ['Du hast gesagt:', 'ChatGPT hat gesagt:', 'ChatGPT'],
    ['Vous avez dit :', 'ChatGPT a dit :', 'ChatGPT'],
    ['Dijiste:', 'ChatGPT dijo:', 'ChatGPT'],
    ['You said', 'Gemini said', 'Gemini'],
  ])('has turns although its answers are lists: %s', async (asks, answers, program) => {
    const document = await parsed(
      `${asks}\nSuggest a name for a cat\n\n${answers}\nHere are some:\n\n- Pepper\n- Maple\n\n${asks}\nWe took Maple.\n\n${answers}\nA fine name.`,
    )
    expect(turns(document).map(([speaker, , text]) => [speaker, text])).toEqual([
      ['You', 'Suggest a name for a cat'],
      [program, 'Here are some:\n\n- Pepper\n- Maple'],
      ['You', 'We took Maple.'],
      [program, 'A fine name.'],
    ])
  })

  test.each([
    'Notes\n\nClaude said:\nthe fence is ours\n\nTom agrees.',
    'Dear Claude,\n\nYou said\nthat the fence is yours.\n\nGemini said\nit is not.\n\nRegards, Tom',
    'Talk with my brother Claude\n\nYou said:\nsell the house.\n\nClaude said:\nno.\n\nTom: I think we keep it.\nIda: Me too.',
  ])('is none where people are told what they said: %s', async (text) => {
    const speakers = turns(await parsed(text)).map(([speaker]) => speaker)
    expect(speakers.filter((speaker) => ['You', 'Claude', 'Gemini'].includes(speaker ?? ''))).toEqual([])
  })
})

describe('messages that WeChat copies', () => {
  test('have the speaker of the line above, behind the time', async () => {
    const document = await parsed(
      '2026-11-07 20:11 妈妈\n你爸体检报告出来了\n2026-11-07 20:13 林书瑶\n啊 他最爱吃土笋冻了',
      {
        timeZone: 'Asia/Shanghai',
      },
    )
    expect(turns(document)).toEqual([
      ['妈妈', '2026-11-07T12:11:00.000Z', '你爸体检报告出来了'],
      ['林书瑶', '2026-11-07T12:13:00.000Z', '啊 他最爱吃土笋冻了'],
    ])
  })

  test('are told from lines of a log', async () => {
    const document = await parsed('2026-11-07 20:11 Started worker\nready\n2026-11-07 20:13 Stopped worker\ndone', {
      timeZone: 'Asia/Shanghai',
    })
    expect(turns(document).map(([speaker]) => speaker)).not.toContain('Started worker')
  })
})
