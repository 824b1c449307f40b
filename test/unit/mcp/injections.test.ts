import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Memory } from '../../../src/domain/memory.ts'
import type { SourceType } from '../../../src/domain/source-type.ts'
import { cleanText } from '../../../src/mcp/clean-text.ts'
import { bindMemory } from '../../../src/service/bind-memory.ts'
import { expectHarmless, expectOnlyOurs, quoted } from '../../lib/expect-quotations.ts'
import { AUTHORED, INJECTIONS } from '../../lib/injections.ts'
import { mcpInProcess } from '../../lib/mcp-in-process.ts'
import { type RunningService, startService } from '../../lib/start-service.ts'

const RECALLED = z.looseObject({ results: z.array(z.looseObject({ item_id: z.string(), text: z.string() })) })
const ANSWERED = z.looseObject({ answer: z.string(), citations: z.array(z.looseObject({ quote: z.string() })) })
/** Of those who write orders into titles, addresses, names and places. */
const THEIR_WORDS = /\b(?:ignore|previous|obey|mallory|evil|bank|forget|owner)\b/i

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

/** A document of an author who writes it where the case says, and harmless words everywhere else. */
function authored(by: string | undefined, text: string, number: number): string {
  const front = {
    title: by === 'title' ? text : 'The quarterly budget',
    url: by === 'address' ? text : 'https://example.com/budget',
    where: by === 'place' ? text : '#budget',
    participants: by === 'participant' ? [text, 'Grace'] : ['Grace'],
    author: by === 'participant' ? text : 'Grace',
    when: '2026-03-04T10:12:00Z',
  }
  // JSON is YAML.
  return `---\n${JSON.stringify(front)}\n---\n\nThe ${topic(number)} is 400 euros, as we agreed with the bakery.\n`
}

let service: RunningService
let memory: Memory
/** With the number by which each is searched for. */
const all = INJECTIONS.map((injection, number) => ({ ...injection, number }))
const cases = all.filter(({ by }) => by === undefined)
const byAuthors = all.filter(({ by }) => by !== undefined)

beforeAll(async () => {
  service = await startService({ settings: { maxUploadsWaitingPerAccount: 1_000 } })
  memory = bindMemory(service.service, await service.service.authenticate(service.key))
  const upload = async (text: string, itemId: string, sourceType: SourceType, fileName: string) => {
    const body = new TextEncoder().encode(text)
    await memory.memorize({
      body,
      fileName,
      contentType: 'text/markdown',
      userName: 'Ada Lovelace',
      itemId,
      sourceType,
    })
  }
  for (const { text, number } of cases) {
    await upload(note(text, number), `note-${number}`, 'text', 'minutes.md')
    await upload(conversation(text, number), `chat-${number}`, 'slack', 'chat.txt')
  }
  for (const { by, text, number } of byAuthors) {
    const fileName = by === 'file name' ? text.slice(0, 200) : 'budget.md'
    await upload(authored(by, text, number), `authored-${number}`, 'gdocs', fileName)
  }
  for (const { number } of cases) {
    await service.ready(`note-${number}`)
    await service.ready(`chat-${number}`, 'slack')
  }
  for (const { number } of byAuthors) await service.ready(`authored-${number}`, 'gdocs')
})
afterAll(() => service.stop())

test('the set has 150 ways or more, and a third of them are written where an author may', () => {
  expect(new Set(INJECTIONS.map(({ text }) => text)).size).toBeGreaterThanOrEqual(150)
  expect(byAuthors.length).toBeGreaterThanOrEqual(INJECTIONS.length / 3)
  expect(new Set(byAuthors.map(({ by }) => by))).toEqual(new Set(AUTHORED))
})

describe('the checks below notice, as it was stored:', () => {
  test.each(cases.filter(({ isWords }) => !isWords))('$name', ({ text }) => {
    expect(() => expectHarmless(text)).toThrow()
  })
})

describe('recall shows as a quotation, and taken apart:', () => {
  test.each(cases)('$name', async ({ number }) => {
    const { call } = await mcpInProcess(memory)
    const answered = await call('recall', { query: topic(number), max_chars: 20_000 })
    const { results } = RECALLED.parse(answered)
    const own = results.filter(({ item_id }) => item_id === `note-${number}` || item_id === `chat-${number}`)
    expect(new Set(own.map(({ item_id }) => item_id)).size).toBe(2)
    const ids = [...expectOnlyOurs(answered, topic(number))]
    expect(ids).toHaveLength(1)
    for (const { text } of results) for (const line of headerOf(text)) expectHarmless(line)
    expect(JSON.stringify(results).split(`</recalled:${ids[0]}>`)).toHaveLength(results.length + 1)
  })
})

describe('an author sets nothing beside the fence, whatever tool is called:', () => {
  test.each(byAuthors)('$name', async ({ number }) => {
    const { call, client } = await mcpInProcess(memory)
    const query = topic(number)
    const question = `What is the ${query}?`
    const uri = `memory://gdocs/authored-${number}`
    const id = `gdocs/authored-${number}`
    const answers: readonly (readonly [string, object])[] = [
      [query, await call('recall', { query, max_chars: 20_000 })],
      [question, await call('ask', { question })],
      [query, await call('search', { query })],
      [id, await call('fetch', { id })],
      [uri, await client.readResource({ uri })],
    ]
    for (const [asked, answered] of answers) {
      const [fence = '', ...others] = expectOnlyOurs(withoutMeta(answered), asked)
      expect(others).toEqual([])
      expect(JSON.stringify(answered)).toContain(`authored-${number}`)
      const parts = JSON.stringify(answered).split(new RegExp(`<recalled:${fence}>|</recalled:${fence}>`))
      // Fences are opened and closed in turns, so what stands beside them is every other part.
      expect(parts.length % 2).toBe(1)
      expect(parts.filter((_, at) => at % 2 === 0).join(' ')).not.toMatch(THEIR_WORDS)
    }
  })
})

/** What the protocol adds to a resource. */
function withoutMeta(answered: object): object {
  return 'contents' in answered ? { contents: answered.contents } : answered
}

/** The lines above the words. */
function headerOf(text: string): string[] {
  return quoted(text).inner.split('\n\n', 1)[0]?.split('\n') ?? []
}

describe('ask quotes and obeys not:', () => {
  test.each(cases)('$name', async ({ number }) => {
    const { call } = await mcpInProcess(memory)
    const question = `What is the ${topic(number)}?`
    const answered = await call('ask', { question })
    const { answer, citations } = ANSWERED.parse(answered)
    expect(expectOnlyOurs(answered, question).size).toBe(1)
    const { inner } = quoted(answer)
    const quotes = citations.map(({ quote }) => wordsOf(quoted(quote).inner))
    // What stands between quotation marks is quoted, also a title; the rest says who, when, and which item.
    const stored = wordsOf(`${cleanText(note(all[number]?.text ?? '', number))} ${quotes.join(' ')}`)
    for (const [, said = ''] of inner.split('\n\n[1] ')[0]?.matchAll(/“([^“”]*)”/g) ?? []) {
      expect(stored).toContain(wordsOf(said))
    }
    // Titles and names are stored without marks of Markdown.
    const said = all.map((one) => one.text.replace(/\([^)]*\)/g, '') + one.text).join(' ')
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
    const id = `slack/chat-${number}`
    expect(expectOnlyOurs(await call('fetch', { id }), id).size).toBe(1)
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
