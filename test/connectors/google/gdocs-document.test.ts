import { describe, expect, test } from 'vitest'
import { documentAnswer } from '../../../connectors/google/gdocs-answers.ts'
import { documentMarkdown } from '../../../connectors/google/gdocs-document.ts'

const run = (content: string, more: object = {}) => ({ textRun: { content, ...more } })
const paragraph = (elements: object[], more: object = {}) => ({ paragraph: { elements, ...more } })
const styled = (text: string, namedStyleType: string) =>
  paragraph([run(`${text}\n`)], { paragraphStyle: { namedStyleType } })
const point = (text: string, listId: string, nestingLevel?: number) =>
  paragraph([run(`${text}\n`)], { bullet: { listId, ...(nestingLevel && { nestingLevel }) } })
const cell = (...texts: string[]) => ({ content: texts.map((text) => paragraph([run(`${text}\n`)])) })

function markdown(content: object[], more: object = {}): string {
  const answer = {
    title: 'Plan',
    tabs: [{ tabProperties: { title: 'Tab 1' }, documentTab: { body: { content }, ...more } }],
  }
  return documentMarkdown(documentAnswer.parse(answer))
}

describe('a document as Markdown', () => {
  test('has headings, and no others in their place', () => {
    expect(
      markdown([
        { sectionBreak: {} },
        styled('The\u000bplan', 'TITLE'),
        styled('In short', 'SUBTITLE'),
        styled('Aim', 'HEADING_2'),
        styled('', 'HEADING_3'),
        { tableOfContents: { content: [styled('Aim', 'NORMAL_TEXT')] } },
        styled('Line\u000bbreak', 'NORMAL_TEXT'),
      ]),
    ).toBe('# The plan\n\nIn short\n\n## Aim\n\nLine\nbreak')
  })

  test('has lists, numbered or not, within each other', () => {
    const levels = (...types: string[]) => ({
      listProperties: { nestingLevels: types.map((glyphType) => ({ glyphType })) },
    })
    const lists = { points: levels('GLYPH_TYPE_UNSPECIFIED', 'ALPHA'), numbers: levels('DECIMAL') }
    const content = [
      point('One', 'points'),
      point('Below', 'points', 1),
      point('First', 'numbers'),
      styled('Text', 'NORMAL_TEXT'),
      point('Unknown', 'nowhere'),
    ]
    expect(markdown(content, { lists })).toBe('- One\n  1. Below\n1. First\n\nText\n\n- Unknown')
  })

  test('has tables; a frame around a text is none', () => {
    const row = (...cells: object[]) => ({ tableCells: cells })
    const table = { table: { tableRows: [row(cell('Who'), cell('What')), row(cell('Ada'), cell('a | b', 'and c'))] } }
    const frame = { table: { tableRows: [row(cell('Note', 'well'))] } }
    expect(markdown([table, frame])).toBe('| Who | What |\n| --- | --- |\n| Ada | a \\| b and c |\n\nNote\n\nwell')
  })

  test('has links, people, dates, files and what pictures show', () => {
    const link = (url: string) => ({ textStyle: { link: { url } } })
    const content = [
      paragraph([
        run('See '),
        run('the plan ', link('https://acme.test/plan')),
        run('or '),
        run('https://acme.test', link('https://acme.test')),
        run(', '),
        run('below', { textStyle: { link: { headingId: 'h.1' } } }),
        run('.\n'),
      ]),
      paragraph([
        { person: { personProperties: { name: 'Bob Smith', email: 'bob@acme.test' } } },
        run(' until '),
        { dateElement: { dateElementProperties: { displayText: '4 Mar 2026' } } },
        run(': '),
        { richLink: { richLinkProperties: { title: 'Budget', uri: 'https://docs.google.com/b' } } },
        { inlineObjectElement: { inlineObjectId: 'kix.1' } },
        { inlineObjectElement: { inlineObjectId: 'kix.2' } },
        { horizontalRule: {} },
      ]),
    ]
    const shown = (description?: string) => ({
      inlineObjectProperties: { embeddedObject: { ...(description && { description }) } },
    })
    expect(markdown(content, { inlineObjects: { 'kix.1': shown('A chart'), 'kix.2': shown() } })).toBe(
      'See [the plan](https://acme.test/plan) or https://acme.test, below.\n\n' +
        'Bob Smith until 4 Mar 2026: [Budget](https://docs.google.com/b)(image: A chart)',
    )
  })

  test('ends with its footnotes, in the order in which they are referred to', () => {
    const note = (text: string) => ({ content: [paragraph([run(` ${text}\n`)])] })
    const reference = (footnoteId: string, footnoteNumber: string) => ({
      footnoteReference: { footnoteId, footnoteNumber },
    })
    const content = [paragraph([run('One'), reference('b', '1'), run(', two'), reference('a', '2'), run('.\n')])]
    expect(markdown(content, { footnotes: { a: note('Second.'), b: note('First.'), c: note('Nowhere.') } })).toBe(
      'One[^1], two[^2].\n\n[^1]: First.\n\n[^2]: Second.',
    )
  })

  test('does not say what somebody only suggests', () => {
    const content = [paragraph([run('We build'), run(' nothing', { suggestedInsertionIds: ['s.1'] }), run('.\n')])]
    expect(markdown(content)).toBe('We build.')
  })

  test('is also read without tabs, and with parts that nobody knows', () => {
    const content = [{ paragraph: 'odd' }, { unheardOf: {} }, styled('Text', 'NORMAL_TEXT')]
    expect(documentMarkdown(documentAnswer.parse({ body: { content } }))).toBe('Text')
    expect(documentMarkdown(documentAnswer.parse({}))).toBe('')
  })
})
