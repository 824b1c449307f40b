import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Memory } from '../../src/domain/memory.ts'
import type { SourceType } from '../../src/domain/source-type.ts'
import { cleanText } from '../../src/mcp/clean-text.ts'
import { bindMemory } from '../../src/service/bind-memory.ts'
import { INJECTIONS } from '../kit/injections.ts'
import { mcpInProcess } from '../kit/mcp-in-process.ts'
import { type RunningService, startService } from '../kit/start-service.ts'

const PASSAGE = z.looseObject({
  title: z.string().nullable(),
  text: z.string(),
  item_id: z.string(),
  when: z.string().nullable(),
  where: z.string().nullable(),
  people: z.array(z.string()),
  link: z.string().nullable(),
})
const RECALLED = z.looseObject({ results: z.array(PASSAGE) })
const CITATION = PASSAGE.omit({ text: true, where: true, people: true }).extend({ quote: z.string() })
const ANSWERED = z.looseObject({ answer: z.string(), citations: z.array(CITATION) })

const FENCED = /^<recalled:([a-z0-9]{8,64})>\n([\s\S]*)\n<\/recalled:\1>$/
/** No text of the set is spelled with any of them. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}|(?![\t\n])\p{Cc}/u
const ANY_FENCE =
  /(?:[<＜‹&]|\\u003c)\s*(?:lt;|#60;)?\s*[/／]?\s*(?:recalled|ｒｅｃａｌｌｅｄ|rеcаllеd|𝐫𝐞𝐜𝐚𝐥𝐥𝐞𝐝|récàllëd)\s*[:：&]/iu
const FRAME =
  /<[|｜]\w|<\/?(?:system|system-reminder|tool_result|function_calls|invoke)[\s/>]|_of_turn>(?<=<\w+>)|<<SYS|\[\/?INST\]/i
const RENDERED =
  /\]\(\s*<?(?:[a-z]+\\?:|\/\/|&#)|\]:[\s>]*<?[a-z]+:|<(?:img|script|style|iframe|svg)[\s/>]|<(?:a|b|div)\s[^<]*\b(?:href|style|on[a-z]+)\s*=|javascript:|data:text/i

function expectHarmless(text: string): void {
  expect(text).not.toMatch(INVISIBLE)
  expect(text).not.toMatch(ANY_FENCE)
  expect(text).not.toMatch(FRAME)
  expect(text).not.toMatch(RENDERED)
}

/** What stands between the fences, which must be one pair. */
function quoted(text: string): { id: string; inner: string } {
  const [, id = '', inner = ''] = FENCED.exec(text) ?? []
  expect(id).not.toBe('')
  return { id, inner }
}

const topic = (number: number) => `zebrafish${number} quarterly budget`

/** The text as the body, and as far as they take one line, as title and as the speaker of a conversation. */
function note(text: string, number: number): string {
  const line = text.replace(/\s+/g, ' ')
  return `# ${line}\n\nThe ${topic(number)} was discussed. ${text}\n\nThe ${topic(number)} is 400 euros.\n`
}

function conversation(text: string, number: number): string {
  const line = text.replace(/\s+/g, ' ')
  const speaker = line.replace(/[:：]/g, ' ').slice(0, 60)
  return `${speaker}: The ${topic(number)} is 500 euros. ${line}\nGrace: Thanks for the ${topic(number)}.\n`
}

let service: RunningService
let memory: Memory
/** With the number by which each is searched for. */
const cases = INJECTIONS.map((injection, number) => ({ ...injection, number }))

beforeAll(async () => {
  service = await startService({ settings: { maxUploadsWaitingPerAccount: 1_000 } })
  memory = bindMemory(service.service, await service.service.authenticate(service.key))
  const upload = async (text: string, itemId: string, sourceType: SourceType) => {
    const body = new TextEncoder().encode(text)
    const fileName = sourceType === 'text' ? 'note.md' : 'chat.txt'
    await memory.memorize({ body, fileName, userName: 'Ada Lovelace', itemId, sourceType })
  }
  for (const { text, number } of cases) {
    await upload(note(text, number), `note-${number}`, 'text')
    await upload(conversation(text, number), `chat-${number}`, 'slack')
  }
  await service.ready(`chat-${cases.length - 1}`, 'slack')
  for (const { number } of cases) {
    await service.ready(`note-${number}`)
    await service.ready(`chat-${number}`, 'slack')
  }
})
afterAll(() => service.stop())

describe('the checks below notice, as it was stored:', () => {
  test.each(cases.filter(({ isWords }) => !isWords))('$name', ({ text }) => {
    expect(() => expectHarmless(text)).toThrow()
  })
})

describe('recall shows as a quotation, and taken apart:', () => {
  test.each(cases)('$name', async ({ number }) => {
    const { call } = await mcpInProcess(memory)
    const { results } = RECALLED.parse(await call('recall', { query: topic(number), max_chars: 20_000 }))
    const own = results.filter(({ item_id }) => item_id === `note-${number}` || item_id === `chat-${number}`)
    expect(new Set(own.map(({ item_id }) => item_id)).size).toBe(2)
    const ids = results.map(({ text, title, when, where, people }) => {
      const { id, inner } = quoted(text)
      for (const shown of [inner, title ?? '', when ?? '', where ?? '', ...people]) {
        expectHarmless(shown)
        expect(shown).not.toContain(id)
      }
      for (const line of [title, when, where, ...people]) expect(line ?? '').not.toContain('\n')
      return id
    })
    expect(new Set(ids).size).toBe(1)
    expect(JSON.stringify(results).split(`</recalled:${ids[0]}>`)).toHaveLength(results.length + 1)
  })
})

describe('ask quotes and obeys not:', () => {
  test.each(cases)('$name', async ({ number }) => {
    const { call } = await mcpInProcess(memory)
    const { answer, citations } = ANSWERED.parse(await call('ask', { question: `What is the ${topic(number)}?` }))
    const { id, inner } = quoted(answer)
    expectHarmless(inner)
    for (const { quote, title, when } of citations) {
      const cited = quoted(quote)
      expect(cited.id).toBe(id)
      for (const shown of [cited.inner, title ?? '', when ?? '']) expectHarmless(shown)
    }
    const quotes = citations.map(({ quote }) => wordsOf(quoted(quote).inner))
    // What stands between quotation marks is quoted, also a title; the rest says who, when, and which item.
    const stored = wordsOf(`${cleanText(note(cases[number]?.text ?? '', number))} ${quotes.join(' ')}`)
    for (const [, said = ''] of inner.split('\n\n[1] ')[0]?.matchAll(/“([^“”]*)”/g) ?? []) {
      expect(stored).toContain(wordsOf(said))
    }
    // Titles and names are stored without marks of Markdown.
    const said = cases.map((one) => one.text.replace(/\([^)]*\)/g, '') + one.text).join(' ')
    const known = [...quotes, said].map(lettersOf).join(' ')
    const own = wordsOf(inner)
      .split(' ')
      .filter((word) => !known.includes(word))
    expect(own.filter((word) => !OWN_WORDS.test(word))).toEqual([])
  })

  test('and nothing was forgotten or memorized by it', async () => {
    const { total } = await memory.list({ sourceType: 'text' })
    expect(total).toBe(cases.length)
    expect((await memory.list({ sourceType: 'slack' })).total).toBe(cases.length)
  })
})

describe('fetch shows the whole item in one quotation, taken apart:', () => {
  test.each(cases)('$name', async ({ number }) => {
    const { call } = await mcpInProcess(memory)
    const { text, title } = z
      .looseObject({ text: z.string(), title: z.string() })
      .parse(await call('fetch', { id: `slack/chat-${number}` }))
    expectHarmless(quoted(text).inner)
    expectHarmless(title)
  })
})

/** Of `ask` itself: that it found no clear answer, who said it and when, and the source. */
const OWN_WORDS =
  /^(?:|i|found|no|clear|answer|the|closest|is|nothing|about|this|in|memories|that|key|may|see|dated|said|on|text|slack|grace|ada|lovelace|\d+|(?:note|chat)\d*|january|february|march|april|may|june|july|august|september|october|november|december)$/

function wordsOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim()
}

function lettersOf(text: string): string {
  return wordsOf(text).replaceAll(' ', '')
}
