import { describe, expect, test } from 'vitest'
import { inlineRuns } from '../../../src/lib/markup/inline-runs.ts'
import { markedParts, plainLines, plainText, plainWords } from '../../../src/lib/markup/plain-words.ts'
import { endsInCode, type TextBlock, textBlocks } from '../../../src/lib/markup/text-blocks.ts'
import type { Flow } from '../../../src/lib/markup/text-flow.ts'

/** `item 1 ☐ Water the oak`: type, what it adds, and words. */
function outline(blocks: readonly TextBlock[]): string[] {
  return blocks.flatMap((block) => {
    switch (block.type) {
      case 'heading':
        return [`heading ${block.level} ${block.words.text}`]
      case 'item':
        return [`item ${block.depth} ${block.mark} ${block.words.text}`]
      case 'table':
        return block.rows.map(
          (row, index) => `${block.hasHead && index === 0 ? 'head' : 'row'} ${row.map(({ text }) => text).join(' / ')}`,
        )
      case 'quote':
        return outline(block.blocks).map((line) => `quote ${line}`)
      case 'rule':
        return ['rule']
      default:
        return [`${block.type} ${block.words.text}`]
    }
  })
}

const read = (...lines: readonly string[]) => outline(textBlocks(lines.join('\n')))
const shown = (line: string) =>
  inlineRuns(line)
    .map(({ start, end }) => line.slice(start, end))
    .join('')
const styled = (line: string) =>
  inlineRuns(line).map(({ start, end, ...style }) => [line.slice(start, end), ...Object.keys(style)])

describe('the blocks of a text', () => {
  test('are headings, rules and paragraphs without their signs', () => {
    expect(read('# Garden #', 'The oak.', '', 'Water', '-----', '', '* * *', '#hashtag')).toEqual([
      'heading 1 Garden',
      'paragraph The oak.',
      'heading 2 Water',
      'rule',
      'paragraph #hashtag',
    ])
  })

  test('are items with their depth, boxes and paragraphs', () => {
    expect(read('1. Oak', '   - [x] Watered', '   - [ ] Cut', '', '     in winter', '2. Elm', 'goes on')).toEqual([
      'item 0 1. Oak',
      'item 1 ☑ Watered',
      'item 1 ☐ Cut',
      'item 1  in winter',
      'item 0 2. Elm\ngoes on',
    ])
  })

  test('are code as it stands, also without its beginning or its end', () => {
    expect(read('Run:', '  ```sh', '  # no heading', '    * no item', '  ```', 'Done.')).toEqual([
      'paragraph Run:',
      'code # no heading\n  * no item',
      'paragraph Done.',
    ])
    expect(read('```', 'one')).toEqual(['code one'])
    expect(outline(textBlocks('# still code\n```\n# Heading', true))).toEqual([
      'code # still code',
      'heading 1 Heading',
    ])
    expect(endsInCode('a\n```js\nb')).toBe(true)
    expect(endsInCode('a\n```js\nb\n```')).toBe(false)
  })

  test('are tables with their cells, also the rest of one that was cut', () => {
    expect(read('| Tree | Age |', '| --- | ---: |', '| Oak | 90 |')).toEqual(['head Tree / Age', 'row Oak / 90'])
    expect(read('| Elm | 40 |', '| Ash | 7 |')).toEqual(['row Elm / 40', 'row Ash / 7'])
    expect(read('this | that')).toEqual(['paragraph this | that'])
  })

  test('are quotes with blocks of their own', () => {
    expect(read('> # Oak', '> - old', '>> said Ada', 'No.')).toEqual([
      'quote heading 1 Oak',
      'quote item 0 • old',
      'quote quote paragraph said Ada',
      'paragraph No.',
    ])
  })

  test('have no line breaks of an editor, but those of a person', () => {
    const [first, second] = ['The oak in the courtyard is older than the house, and', 'the elm beside it is not; both']
    expect(read(first!, second!, 'stay.')).toEqual([`paragraph ${first} ${second}\nstay.`])
    expect(read('Could you please look at the oak in the courtyard today?', 'Thanks')).toHaveLength(1)
    expect(read('Could you please look at the oak in the courtyard today?', 'Thanks')[0]).toContain('?\nThanks')
    expect(read('Regards,', 'Ada')).toEqual(['paragraph Regards,\nAda'])
    const labelled = ['When: Wednesday, 27 May 2026, 10:00 to 11:00 (Europe/Berlin)', 'Where: Room 26']
    expect(read(...labelled)).toEqual([`paragraph ${labelled.join('\n')}`])
  })
})

describe('the words of a line', () => {
  test('are shown without their marks', () => {
    expect(styled('**old _oak_** and `a*b*c`')).toEqual([
      ['old ', 'isStrong'],
      ['oak', 'isStrong', 'isEmphasized'],
      [' and '],
      ['a*b*c', 'isCode'],
    ])
    expect(shown('a \\*star\\*, ~~gone~~, ![an oak](https://oak.example/x.png)')).toBe('a *star*, gone, an oak')
  })

  test('keep signs that are no markup', () => {
    for (const line of [
      '2 * 3 * 4',
      'snake_case_name',
      '__init__.py',
      'a ** b',
      'C:\\temp',
      '[x] and (y)',
      '<b>bold</b>',
    ])
      expect(shown(line)).toBe(line)
  })

  test('link only to what is safe to open', () => {
    const links = (line: string) => inlineRuns(line).map(({ href }) => href)
    expect(links('[docs](https://docs.example/a)')).toEqual(['https://docs.example/a'])
    expect(links('https://docs.example/a.')).toEqual(['https://docs.example/a', undefined])
    for (const address of ['javascript:alert(1)', '/app/keys', 'data:text/html,x', 'https://bank:x@evil.example/'])
      expect(links(`[docs](${address})`)).toEqual([undefined])
  })
})

test('marks stay on their words, whatever is left out around them', () => {
  const text = '> - The **old\n>   oak** fell'
  const at = text.indexOf('oak')
  const [block] = textBlocks(text)
  const words = (block?.type === 'quote' && block.blocks[0]?.type === 'item' && block.blocks[0].words) as Flow
  const marked = inlineRuns(words.text)
    .flatMap((run) => markedParts(words, run, [[at, at + 3]]))
    .filter(({ isMarked }) => isMarked)
  expect(marked.map(({ start, end }) => words.text.slice(start, end))).toEqual(['oak'])
})

test('a row of a list has the words of all blocks in one line', () => {
  const blocks = textBlocks('# Trees\n\n- oak\n- elm\n\n| ash | 7 |\n\n> old')
  expect(
    plainWords(blocks)
      .map(({ words, before }) => `${before}${words.text}`)
      .join(''),
  ).toBe('Trees oak · elm ash · 7 old')
})

describe('as plain text', () => {
  test('blocks are lines of their own, without marks', () => {
    const text =
      '# **Trees**\n\n- oak, see [the list](https://oak.example)\n- `elm`\n\n| ash | 7 |\n| --- | --- |\n\n> old'
    expect(plainText(text)).toBe('Trees\n• oak, see the list\n• elm\nash · 7\nold')
  })

  test('numbers of items and dates stay, and so do marks of citations', () => {
    const line = '3. März 2026 war die Abnahme. [1]'
    expect(plainText(line)).toBe(line)
    expect(plainWords(textBlocks(line)).map(({ words, before }) => before + words.text)).toEqual([line])
  })

  test('the lines of an answer are not joined', () => {
    const long = 'The **pool** had ten connections instead of the sixty that the checkout needs in the morning. [1]'
    expect(plainLines(`${long}\nEarlier: it had \`60\`. [2]\n\n---`)).toBe(
      `${long.replaceAll('**', '')}\nEarlier: it had 60. [2]\n`,
    )
  })

  test('the code in an answer stays as it is', () => {
    const code = '# restart *both*\n- tidepool up'
    expect(plainLines(`“Restart **it**.” [1]\n\`\`\`\n${code}\n\`\`\`\n“Done.” [2]`)).toBe(
      `“Restart it.” [1]\n${code}\n“Done.” [2]`,
    )
  })
})

test('stray marks take no quadratic time', () => {
  for (const sign of ['*', '_', '`', '[', '![', '<', '|', '> ', '- ', '# ', '~~', '\\'])
    for (const text of [sign.repeat(20_000), `${sign}a `.repeat(10_000), `${sign}\n`.repeat(10_000)])
      for (const { words } of plainWords(textBlocks(text))) inlineRuns(words.text)
}, 10_000)
