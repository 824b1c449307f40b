import { expect, test } from 'vitest'
import { adfText } from '../../../connectors/atlassian/adf-text.ts'

const text = (words: string, ...marks: object[]) => ({ type: 'text', text: words, marks })
const paragraph = (...content: object[]) => ({ type: 'paragraph', content })
const item = (...content: object[]) => ({ type: 'listItem', content })
const cell = (words: string) => ({ type: 'tableCell', content: [paragraph(text(words))] })

test.each([
  [
    'headings and paragraphs',
    [{ type: 'heading', attrs: { level: 2 }, content: [text('Plan')] }, paragraph(text('Go'))],
    '## Plan\n\nGo',
  ],
  [
    'links, code, mentions, dates and states',
    [
      paragraph(
        text('See '),
        text('this', { type: 'link', attrs: { href: 'https://acme.test' } }),
        text(' npm ci ', { type: 'code' }),
        { type: 'mention', attrs: { id: '1', text: '@Priya' } },
        { type: 'emoji', attrs: { shortName: ':tada:', text: '🎉' } },
        { type: 'date', attrs: { timestamp: '1772582400000' } },
        { type: 'hardBreak' },
        { type: 'status', attrs: { text: 'DONE' } },
        { type: 'inlineCard', attrs: { url: 'https://acme.test/x' } },
      ),
    ],
    'See [this](https://acme.test)` npm ci `@Priya🎉2026-03-04\nDONEhttps://acme.test/x',
  ],
  [
    'lists inside lists',
    [
      {
        type: 'orderedList',
        attrs: { order: 3 },
        content: [
          item(paragraph(text('Freeze')), { type: 'bulletList', content: [item(paragraph(text('tell')))] }),
          item(paragraph(text('Deploy'))),
        ],
      },
    ],
    '3. Freeze\n  - tell\n4. Deploy',
  ],
  [
    'tasks',
    [{ type: 'taskList', content: [{ type: 'taskItem', attrs: { state: 'DONE' }, content: [text('Check')] }] }],
    '- [x] Check',
  ],
  [
    'code, quotes and panels',
    [
      { type: 'codeBlock', attrs: { language: 'sql' }, content: [text('select 1')] },
      { type: 'panel', content: [paragraph(text('Careful'))] },
    ],
    '```sql\nselect 1\n```\n\n> Careful',
  ],
  [
    'tables',
    [
      {
        type: 'table',
        content: [
          { type: 'tableRow', content: [cell('A'), cell('B')] },
          { type: 'tableRow', content: [cell('1|2'), cell('3')] },
        ],
      },
    ],
    '| A | B |\n| --- | --- |\n| 1\\|2 | 3 |',
  ],
  [
    'files, and the text in nodes that are newer than this',
    [
      { type: 'mediaSingle', content: [{ type: 'media', attrs: { alt: 'board.png' } }] },
      { type: 'expand', attrs: { title: 'More' }, content: [paragraph(text('Inside'))] },
      { type: 'newNode', content: [paragraph(text('Still here'))] },
    ],
    '[file: board.png]\n\nMore\n\nInside\n\nStill here',
  ],
  ['nothing', [], ''],
])('a document of Atlassian has %s', (_, content, expected) => {
  expect(adfText({ type: 'doc', content })).toBe(expected)
})
