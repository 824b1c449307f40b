import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { NewText } from '../../eval/evaluation-store.ts'
import { openToldMemory, type ToldMemory } from '../../lib/told-memory.ts'

const DIARY = `# Diary

## 2026-03-12
Surgery at 9. Dr. Abara says that the cast comes off on 3 April. Lunch with Ines, she starts at Brevik in May.

## 2026-03-22
Rowed 6 km, 31 minutes. Dad's birthday: gave him the green cap. He wants to visit in August.
`
const CHAT = `[14.03.26, 18:02:11] Ines: did you book the cabin?
[14.03.26, 18:05:40] Ada: yes, the cabin at Rauvik, 4 beds, 11 to 13 April
[14.03.26, 18:06:02] Ines: 🎉
[14.03.26, 18:07:15] Bo: can I bring Pixel?
[14.03.26, 18:09:30] Ada: dogs are allowed in the barn only
`
const MAIL = `From: Vera Holm <v.holm@holm.example>
To: Ada Berg <ada@berg.example>
Subject: Window
Date: Mon, 16 Mar 2026 09:12:00 +0000
Message-ID: <w1@holm.example>

Dear Ms Berg,

the glazier will replace the window of the kitchen on Thursday. We pay for it.

Kind regards
Vera Holm
Holm Housing, Birkenweg 3, 10969 Berlin
Tel. 030 5550177
`

const text = (itemId: string, content: string, sourceType: NewText['sourceType'] = 'text'): NewText => ({
  itemId,
  text: content,
  fileName: sourceType === 'email' ? `${itemId}.eml` : itemId === 'diary' ? 'diary.md' : 'chat.txt',
  contentType: sourceType === 'email' ? 'message/rfc822' : itemId === 'diary' ? 'text/markdown' : 'text/plain',
  sourceType,
})

describe('the list of what happened on a day', () => {
  let memory: ToldMemory

  beforeAll(async () => {
    memory = await openToldMemory([], [text('diary', DIARY), text('chat', CHAT), text('mail', MAIL, 'email')])
  })
  afterAll(() => memory.close())

  const ask = async (question: string) => (await memory.ask(question, 'Ada Berg')).text

  test('has all that a section of a diary says, without a title that repeats it', async () => {
    expect(await ask('What happened on 22 March?')).toBe(
      "Found 1 dated 22 March 2026:\n- Rowed 6 km, 31 minutes. Dad's birthday: gave him the green cap. He wants to visit in August. (text) [1]",
    )
    expect(await ask('What happened on 12 March?')).toMatch(
      /- Surgery at 9\. Dr\. Abara says that the cast comes off on 3 April\. Lunch with Ines, she starts at Brevik in May\. \(text\)/,
    )
  })

  test('has each turn of a short conversation once', async () => {
    const day = await ask('What happened on 14 March?')
    for (const said of ['did you book the cabin?', '4 beds', 'can I bring Pixel?', 'barn only'])
      expect(day.split(said)).toHaveLength(2)
    expect(day).not.toContain('🎉')
  })

  test('has the words of a mail, each once, without its greeting and its signature', async () => {
    const day = await ask('What happened on 16 March?')
    expect(day).toContain('on Thursday. We pay for it. (email)')
    expect(day.match(/glazier/g)).toHaveLength(1)
    expect(day).not.toMatch(/Dear|regards|Birkenweg|5550177/)
  })
})
