import { describe, expect, it } from 'vitest'
import { typeNames } from '../../../../src/pipeline/extract/names/name-types.ts'
import { isChatter } from '../../../../src/pipeline/extract/salience.ts'
import { isRemark } from '../../../../src/pipeline/extract/small-talk/remarks.ts'
import { documentOf, extractFrom, narrate, turns } from './extract-document-builder.ts'

function typed(text: string): string[] {
  return typeNames(text, { nameWords: new Set(), capitalsMean: true, isProse: true }).map(
    ({ name, type }) => `${name}: ${type}`,
  )
}

describe('names that are words too', () => {
  it.each(['Ray tracing is slow.', 'Drew the plan on paper.', 'Art supplies cost 40 euros.', 'We met at Easter.'])(
    'are no persons here: %s',
    (text) => {
      expect(typed(text)).toEqual([])
    },
  )

  it.each([
    ['Ray can bring the tent.', 'Ray: person'],
    ['Holly sent the invoice.', 'Holly: person'],
    ['Robin suggested another day.', 'Robin: person'],
    ['Heather drives us home.', 'Heather: person'],
    ['Ask Rose about the keys.', 'Rose: person'],
    ['Holly and Ivy are on the list.', 'Holly: person'],
  ])('are persons where they do something: %s', (text, name) => {
    expect(typed(text)).toContain(name)
  })

  it('begin a list item', () => {
    expect(typed('Got quotes from Aviva.')).toEqual(['Aviva: organization'])
  })

  it('are part of a reserve', () => {
    expect(typed('Torrey Pines State Natural Reserve is open.')).toEqual(['Torrey Pines State Natural Reserve: place'])
  })
})

describe('remarks and chatter', () => {
  it.each([
    'Paintball sounds like a fun game',
    'That looks like a really calm plan',
    'Smaller churches often create a more meaningful atmosphere.',
  ])('how something seems is no news: %s', (sentence) => {
    expect(isRemark(sentence)).toBe(true)
  })

  it.each([
    'The build looks good but fails on Windows',
    'Our pump sounds terrible',
    'It looks great since version 3.2',
  ])('what somebody reports is: %s', (sentence) => {
    expect(isRemark(sentence)).toBe(false)
  })

  it.each([
    'Thanks a bunch!',
    'Best of luck with your match and your season!',
    'There is motion at your Front Door',
    'You appeared in 14 searches this week',
  ])('say nothing: %s', (sentence) => {
    expect(isChatter(sentence)).toBe(true)
  })
})

describe('headlines', () => {
  it('of a diary tell what stands below a heading without a subject', async () => {
    const { memories } = await extractFrom(
      documentOf(
        'document',
        [
          ['2026-05-14', { type: 'heading', level: 1 }],
          ['Log', { type: 'heading', level: 2 }],
          ['We moved the cutover to 28 May because the vendor is away.', { type: 'paragraph' }],
        ],
        { title: '2026-05-14' },
      ),
    )
    expect(memories.at(-1)?.content.headline).toContain('moved the cutover to 28 May')
  })

  it('do not begin with somebody whom only another sentence names', async () => {
    const { memories } = await extractFrom(
      documentOf(
        'email',
        turns(['Gordon Pell', 'The gutter crew is separate and comes on 3 July. His number is 617 555 0148.']),
        {
          title: 'Quote',
          author: 'Gordon Pell',
        },
      ),
    )
    expect(memories[0]?.content.headline).toContain('gutter crew')
  })
})

describe('his and her', () => {
  it('stay next to the sentence that names the person', async () => {
    const told = await narrate(
      documentOf(
        'chat',
        turns(
          ['Gordon Pell', 'Luis does the gutters. His rate is 40 euros.'],
          ['Mara Lindqvist', 'I call him on 3 July.'],
        ),
      ),
    )
    expect(told).not.toContain('that his rate')
  })
})
