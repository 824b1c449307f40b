import { describe, expect, test } from 'vitest'
import type { RecallResult } from '../../../src/domain/results.ts'
import { itemsText } from '../../../src/mcp/passage-text.ts'
import { choosePassages, type Room } from '../../../src/mcp/passages.ts'
import { chunkResult, memoryResult, recallResult } from '../../lib/memory-answering.ts'
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
