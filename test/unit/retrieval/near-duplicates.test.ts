import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ComparedText, foldSame } from '../../../src/retrieval/recall/near-duplicates.ts'

const DAY_MS = 86_400_000
const MONDAY = Date.parse('2026-03-02T10:00:00Z')
const LONG =
  'The service keeps every upload for ninety days, answers within a second, and tells the owner of the account about each failure.'

interface Result extends Partial<ComparedText> {
  readonly id: number
  readonly text: string
  readonly score?: number
}

function fold(results: readonly Result[], limit = 100): { kept: number[]; copies: number[][] } {
  const comparedTextOf = ({ id: itemKey, ...more }: Result): ComparedText => ({
    itemKey,
    title: undefined,
    heading: () => '',
    headline: '',
    speakers: [],
    at: undefined,
    isChat: false,
    ...more,
  })
  const groups = foldSame(results, { comparedTextOf, scoreOf: ({ score = 0 }) => score }, limit, 'UTC')
  return { kept: groups.map(({ one }) => one.id), copies: groups.map(({ copies }) => copies.map(({ id }) => id)) }
}

const chat = (more: Partial<Result>): Partial<Result> => ({ isChat: true, speakers: ['Ada'], title: '#ops', ...more })

describe('folding', () => {
  it('keeps the first of equal texts and names the others', () => {
    expect(
      fold([
        { id: 1, text: LONG },
        { id: 2, text: 'Something else' },
        { id: 3, text: `**${LONG}**` },
      ]),
    ).toEqual({
      kept: [1, 2],
      copies: [[3], []],
    })
  })

  it('keeps the earliest of those that score alike', () => {
    const results = [
      { id: 1, text: LONG, at: MONDAY + DAY_MS },
      { id: 2, text: LONG, at: MONDAY },
    ]
    expect(fold(results)).toEqual({ kept: [2], copies: [[1]] })
    expect(fold(results.map((one) => ({ ...one, score: -one.id })))).toEqual({ kept: [1], copies: [[2]] })
  })

  it('counts what it keeps towards the limit, and still names copies behind it', () => {
    const results = [1, 2, 3, 4, 5].map((id) => ({ id, text: id % 2 === 0 ? LONG : `Text ${id}` }))
    expect(fold(results, 2)).toEqual({ kept: [1, 2], copies: [[], [4]] })
  })

  it.each<[string, Partial<Result>, Partial<Result>]>([
    ['a document that was copied on another day', { at: MONDAY }, { at: MONDAY + 30 * DAY_MS }],
    ['a document whose copy has no date', { at: MONDAY }, {}],
    ['a document whose copy has no title', { title: 'Terms' }, {}],
    ['files that were converted', { title: 'terms.docx' }, { title: 'Terms.pdf' }],
    ['one mail in two mailboxes', { speakers: ['Ada'], at: MONDAY }, { speakers: ['ada'], at: MONDAY }],
    ['plain text that begins with its heading', { title: 'Terms' }, { title: 'Terms', text: `Terms\n\n${LONG}` }],
    ['a message in two channels', chat({ at: MONDAY }), chat({ at: MONDAY + DAY_MS, title: '#general' })],
    [
      'a short message in two channels on one day',
      chat({ at: MONDAY, text: 'The build of Atlas is green again.' }),
      chat({ at: MONDAY + 60_000, title: '#general', text: 'The build of Atlas is green again.' }),
    ],
  ])('folds %s', (_, a, b) => {
    const [first, second] = [
      { id: 1, text: LONG, ...a },
      { id: 2, text: LONG, ...b },
    ]
    expect(fold([first, second]).kept).toEqual([1])
    expect(fold([second, first]).kept).toHaveLength(1)
  })

  it.each<[string, Partial<Result>, Partial<Result>]>([
    ['equal words of two people', { speakers: ['Ada'], at: MONDAY }, { speakers: ['Ben'], at: MONDAY }],
    ['texts under titles with two numbers', { title: 'Invoice 1024' }, { title: 'Invoice 1025' }],
    ['texts under two headings', { title: 'Prices', heading: () => 'Pro' }, { title: 'Prices', heading: () => 'Team' }],
    ['text under a heading that another has not', { title: 'Terms' }, { title: 'Terms', text: `Drafts ${LONG}` }],
    ['short texts that recur', { text: 'Standup, 10:00', at: MONDAY }, { text: 'Standup, 10:00', at: MONDAY + DAY_MS }],
    ['short texts of one day', { text: 'Backup done', at: MONDAY }, { text: 'Backup done', at: MONDAY + 3_600_000 }],
    ['a short text of no day and one of a day', { text: 'Call Ben' }, { text: 'Call Ben', at: MONDAY }],
    ['reminders of two weeks', { speakers: ['Ada'], at: MONDAY }, { speakers: ['Ada'], at: MONDAY + 7 * DAY_MS }],
    [
      'what is said of tomorrow on two days',
      { text: `${LONG} It ends tomorrow.`, at: MONDAY },
      { text: `${LONG} It ends tomorrow.`, at: MONDAY + DAY_MS },
    ],
    [
      'a question asked on two days',
      { text: `${LONG} Is that so?`, at: MONDAY },
      { text: `${LONG} Is that so?`, at: MONDAY + DAY_MS },
    ],
    [
      'a short answer in two channels',
      chat({ text: 'Yes, please.', at: MONDAY }),
      chat({ text: 'Yes, please.', at: MONDAY, title: '#general' }),
    ],
    [
      'the same answer twice in a conversation',
      chat({ text: 'Yes, please.', at: MONDAY, itemKey: 7 }),
      chat({ text: 'Yes, please.', at: MONDAY, itemKey: 7 }),
    ],
  ])('keeps apart %s', (_, a, b) => {
    expect(
      fold([
        { id: 1, text: LONG, ...a },
        { id: 2, text: LONG, ...b },
      ]).kept,
    ).toEqual([1, 2])
  })
})

describe('folding, of any results,', () => {
  const text = fc.constantFrom(
    LONG,
    `**${LONG}**`,
    `Terms\n${LONG}`,
    'Standup, 10:00',
    'standup 10:00',
    `${LONG} Today.`,
  )
  const result = fc.record({
    text,
    title: fc.constantFrom(undefined, 'Terms', '#ops', '#general'),
    speakers: fc.constantFrom([], ['Ada'], ['Ben']),
    at: fc.constantFrom(undefined, MONDAY, MONDAY + 60_000, MONDAY + DAY_MS),
    isChat: fc.boolean(),
  })
  const results = fc.array(result, { maxLength: 12 }).map((list) => list.map((one, id) => ({ id, ...one })))

  // Of results that score alike the earliest is kept, which may be like one that the first was unlike.
  it('leaves nothing more to fold among results in an order', () => {
    fc.assert(
      fc.property(results, (list) => {
        const scored = list.map((one) => ({ ...one, score: -one.id }))
        const { kept } = fold(scored)
        expect(fold(scored.filter(({ id }) => kept.includes(id))).kept).toEqual(kept)
      }),
    )
  })

  it('keeps the order, and every result once', () => {
    fc.assert(
      fc.property(results, (list) => {
        const scored = list.map((one) => ({ ...one, score: -one.id }))
        const { kept, copies } = fold(scored)
        expect(kept).toEqual(kept.toSorted((a, b) => a - b))
        expect([...kept, ...copies.flat()].sort((a, b) => a - b)).toEqual(list.map(({ id }) => id))
      }),
    )
  })

  it('does not ask which of two came first', () => {
    fc.assert(
      fc.property(result, result, (a, b) => {
        const pair = [
          { id: 1, ...a },
          { id: 2, ...b },
        ]
        expect(fold(pair).kept).toHaveLength(fold(pair.toReversed()).kept.length)
      }),
    )
  })
})
