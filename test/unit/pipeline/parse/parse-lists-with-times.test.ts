import { describe, expect, it } from 'vitest'
import { parsed, turns } from './parse-source-file.ts'

const VISITED = [
  'shannon to porto flights april 2027',
  'Ryanair: no direct flights SNN-OPO, see Dublin',
  'dublin to porto aer lingus',
  'porto apartments ribeira',
  'To let: 2 bed apartment Ribeira',
  'weather porto april',
]

const listed = (before: (minute: number) => string, lines: readonly string[] = VISITED) =>
  lines.map((line, i) => `${before(i + 10)}${line}`).join('\n')

describe('a list with times', () => {
  it.each([
    ['a day and a time', listed((minute) => `2026-11-18 07:${minute}  `)],
    ['times only', listed((minute) => `07:${minute} `)],
    ['times in brackets', listed((minute) => `[07:${minute}] `)],
    ['times as WhatsApp writes them', listed((minute) => `18/11/2026, 07:${minute} - `)],
    ['days in words', listed((minute) => `18 November 2026, 07:${minute} - `)],
  ])('is no chat of the words before its colons: %s', async (_, text) => {
    const { kind, text: kept, blocks } = await parsed(text)
    expect(kind).toBe('note')
    expect(kept).toBe(text)
    expect(blocks.filter(({ speaker }) => speaker !== undefined)).toEqual([])
  })

  it('is none either where the same words recur', async () => {
    const text = listed((minute) => `07:${minute} `, [...VISITED, ...VISITED])
    expect((await parsed(text)).kind).toBe('note')
  })
})

describe('a chat with times', () => {
  const speakers = async (text: string) => {
    const document = await parsed(text)
    expect(document.kind).toBe('chat')
    return turns(document).map(([speaker]) => speaker)
  }

  it.each([
    ['a notice and who was added', ['Messages are end-to-end encrypted', 'Ann: hello', 'Ann added Ben', 'Ben: hi Ann']],
    ['who joined', ['Ann joined', 'Ann: hello', 'Ben joined', 'Ben: hi Ann']],
    ['who did what in other languages', ['Ann: hallo', 'Ann hat Ben hinzugefügt', 'Ben: hallo']],
  ])('keeps its speakers beside system messages: %s', async (_, lines) => {
    expect(await speakers(listed((minute) => `[2026-11-18 07:${minute}] `, lines))).toEqual(['Ann', 'Ben'])
  })

  it('keeps times within messages', async () => {
    const plan = ['Ann: The plan:', '10:00 breakfast', '11:00 museum', '12:30 lunch', '14:00 train', '16:00 home']
    const text = `2026-11-18 07:10 ${plan.join('\n')}\n2026-11-18 07:12 Ben: Fine`
    expect(await speakers(text)).toEqual(['Ann', 'Ben'])
    expect(turns(await parsed(text))[0]?.[2]).toContain('12:30 lunch')
  })

  it('names a speaker once for several lines with times', async () => {
    const said = ['Ann: We moved the database', 'and nobody noticed', 'Ben: Great, was it slow?', 'I was away']
    const text = listed((minute) => `[00:00:${minute}] `, [...said, ...said.map((line) => `${line} again`)])
    const spoken = turns(await parsed(text)).map(([speaker]) => speaker)
    expect(spoken).toEqual(['Ann', 'Ben', 'Ann', 'Ben'])
  })
})
