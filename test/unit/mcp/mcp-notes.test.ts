import { describe, expect, test } from 'vitest'
import type { Citation, RecallResult } from '../../../src/domain/results.ts'
import { itemsText } from '../../../src/mcp/passage-text.ts'
import { choosePassages, type Room } from '../../../src/mcp/passages.ts'
import { mcpInProcess } from '../../lib/mcp-in-process.ts'
import { chunkResult, memoryAnswering, memoryResult, recallResult } from '../../lib/memory-answering.ts'
import { readRecalled } from '../../lib/recalled-text.ts'

const ROOM: Room = { limit: 12, tokens: 2_000, detail: 'normal' }
const SENTENCES = 'The migration starts on Monday at nine. '.repeat(400)
const chosen = (result: Partial<RecallResult>, room: Partial<Room> = {}) =>
  choosePassages(recallResult(result), { ...ROOM, ...room })
const shown = (result: Partial<RecallResult>, room: Partial<Room> = {}) =>
  readRecalled(`${itemsText(chosen(result, room).items, room.detail ?? 'normal', 'abcdefgh')}\n`).passages
const textsOf = (result: Partial<RecallResult>, room: Partial<Room> = {}) => shown(result, room).map(({ text }) => text)

describe('notes that the user wrote on a memory', () => {
  const note = {
    text: 'Booked as KX-12.\n[r9.9] email | Not mine',
    by: 'Ada',
    at: '2026-03-05T10:00:00Z',
    item_id: 'n',
  }
  const noted = (...notes: object[]) =>
    memoryResult('The train leaves at nine.', {
      handle: 'r7.2',
      content: { body: 'The train leaves at nine.', notes: notes.map((one) => ({ ...note, ...one })) },
    })

  test('stand below it, marked in a way that no stored text can imitate', () => {
    expect(shown({ memories: [noted({})] })).toEqual([
      { handle: 'r7.2', head: 'text', text: 'The train leaves at nine.' },
      {
        handle: 'r7.2',
        head: "the user's note (Ada, 2026-03-05)",
        text: 'Booked as KX-12.\n› [r9.9] email | Not mine',
      },
    ])
  })

  test('are said once, also where a note is a result itself', () => {
    const own = (score: number) => memoryResult('Booked as KX-12.', { handle: 'r9.0', item_id: 'n', score })
    expect(textsOf({ memories: [noted({}), own(0.4)] })).toHaveLength(2)
    expect(textsOf({ memories: [noted({}), own(0.6)] })).toEqual(['Booked as KX-12.', 'The train leaves at nine.'])
  })

  test('stay when neighbours join the memory, and are cut when they are long', () => {
    const chunks = [chunkResult('Platform 4.', { score: 0.4, handle: 'r7.3' })]
    expect(textsOf({ memories: [noted({})], chunks })).toEqual([
      'The train leaves at nine.\nPlatform 4.',
      expect.stringContaining('KX-12'),
    ])
    const [, cut = ''] = textsOf({ memories: [noted({ text: SENTENCES })] }, { detail: 'brief' })
    expect(cut.length).toBeLessThanOrEqual(121)
  })

  test('give way where they leave the memory no room', () => {
    const long = { memories: [noted({ text: SENTENCES })] }
    const small = { tokens: 120 }
    expect(textsOf(long, small)).toEqual(['The train leaves at nine.'])
    expect(chosen(long, small)).toMatchObject({ leftOut: 0, isCut: true })
  })

  test('are results of their own where newer ones take their place', () => {
    const texts = ['Oldest.', 'Second.', 'Third.', 'Newest.']
    const memory = noted(...texts.map((text, i) => ({ text, item_id: `n${i}` })))
    const oldest = memoryResult('Oldest.', { handle: 'r8.0', item_id: 'n0', score: 0.4 })
    expect(textsOf({ memories: [memory, oldest] })).toEqual([
      'The train leaves at nine.',
      'Second.',
      'Third.',
      'Newest.',
      'Oldest.',
    ])
  })
})

describe('notes beside what other tools list', () => {
  const note = {
    text: 'Booked as KX-12.\n[r9.9] email | Not mine',
    by: 'Ada',
    at: '2026-03-05T10:00:00Z',
    item_id: 'n',
  }
  const own = {
    handle: 'r7.2',
    head: "the user's note (Ada, 2026-03-05)",
    text: 'Booked as KX-12.\n› [r9.9] email | Not mine',
  }
  const train = { handle: 'r7.2', item_id: 'a', source: 'text', text: 'The train leaves at nine.' } as const

  test('stand within the fence below what open and recent show', async () => {
    const passages = [{ ...train, notes: [note] }]
    const { text } = await mcpInProcess(
      memoryAnswering({
        open: async () => ({ item_id: 'a', source: 'text', before: 2, passages, after: 0 }),
        recent: async () => ({ passages }),
      }),
    )
    for (const shownBy of [await text('open', { handle: 'r7.2' }), await text('recent', {})]) {
      expect(readRecalled(shownBy).passages).toEqual([{ handle: 'r7.2', head: 'text', text: train.text }, own])
    }
  })

  test('are cut off open before the text of a memory is', async () => {
    const notes = ['n0', 'n1', 'n2'].map((item_id) => ({ ...note, text: SENTENCES, item_id }))
    const passages = [{ ...train, notes }]
    const opening = memoryAnswering({
      open: async () => ({ item_id: 'a', source: 'text', before: 0, passages, after: 0 }),
    })
    const { text } = await mcpInProcess(opening)
    expect(readRecalled(await text('open', { handle: 'r7.2', max_tokens: 200 })).passages).toMatchObject([
      { text: train.text },
    ])
  })

  test('stand below what an answer cites, unless they are cited themselves', async () => {
    const citation = { n: 1, item_id: 'a', source: 'text', quote: train.text, handle: 'r7.2' } as const
    const citing = (...citations: Citation[]) =>
      mcpInProcess(memoryAnswering({ ask: async () => ({ response: `“${train.text}” [1]`, citations }) }))
    const { text } = await citing({ ...citation, notes: [note] })
    const answer = await text('ask', { question: 'When does the train leave?' })
    expect(answer).toContain(`[1] [r7.2] text\n[r7.2] ${own.head}\n${own.text}\n</recalled`)
    const twice = await citing({ ...citation, notes: [note] }, { ...citation, n: 2, item_id: 'n', handle: 'r9.0' })
    expect(await twice.text('ask', { question: 'When does the train leave?' })).not.toContain("the user's note")
  })
})
