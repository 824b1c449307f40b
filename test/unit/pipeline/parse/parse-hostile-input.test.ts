import { describe, expect, test } from 'vitest'
import { withinProcessorTime } from '../../../lib/processor-time.ts'
import { parsed } from './parse-source-file.ts'

const MAIL = 'From: a@b.de\nTo: c@d.de\nSubject: x\nDate: Mon, 2 Mar 2026 10:00:00 +0100\nMessage-ID: <x@y>\n\n'
/** Characters: quadratic time would take more than the seconds of `linearly`. */
const LONG = 200_000
const fill = (part: string, size: number) => part.repeat(Math.ceil(size / part.length))
const linearly = (text: string) => withinProcessorTime(5, () => parsed(text))

// In quadratic time, were it the fastest search of a byte, each line would take longer than that.
describe('a megabyte of one pattern', () => {
  test('as many as an upload may have are read', async () => {
    const { text } = await parsed(fill('word. ', 10_000_000))
    expect(text.length).toBeGreaterThan(9_000_000)
  })

  test.each([
    'a',
    '[',
    'On ',
    ' ',
    '>',
    '> ',
    '`',
    '*',
    '_',
    '<',
    '|',
    '#',
    '-',
    '\t',
    '\\',
    '"',
    '(',
    'Anna: ',
    '[10:12] ',
    '8 May 2023 ',
    '1. ',
    '- ',
    'é',
    '中',
  ])('%j in one line are read', async (part) => {
    const { text, blocks } = await linearly(fill(part, 1_000_000))
    expect(text.length).toBeGreaterThan(0)
    expect(blocks.length).toBeLessThan(400_000)
  })
})

describe('a very long text of one pattern', () => {
  const lines = [
    '\n',
    '- a\n',
    '> a\n',
    '>\n',
    '|a|\n',
    'a|b\n-|-\n',
    '-- \n',
    'a\n--\n',
    '=\n',
    '1. a\n',
    '    a\n',
    '```\n',
    '[a]: b\n',
    '<p>\n',
    '<!--\n',
    '# a\n',
    'Anna: a\n',
    '[10:12] Anna: a\n',
    '## User\n',
    '## Comment by a at 2026\n',
    '---\n',
    '\t\n',
    '8 May 2023\n',
    '- 8 May 2023 -\n',
    'Anna\na\n\n',
    '8 May 2023, 1:56 pm - Anna: a\n',
    'Anna (8 May 2023): a\n',
    '[D1:3] Anna: a\n',
    'Anna said, "a\n',
    'Session 3 (8 May 2023)\nAnna: a\n',
    `Anna (${'8 May 2023 '.repeat(10)}: a\n`,
    `${'Anna '.repeat(20)}2023\n`,
    `${'-'.repeat(100)}2023${'-'.repeat(10)}\n`,
  ]

  test.each(lines)('%j is read', async (line) => {
    expect((await linearly(fill(line, LONG))).skips).toBeDefined()
  })

  test.each([
    '> a\n',
    'On 1 Jan a <a@b> wrote\n',
    'From: a\n',
    '-- \n',
    '____________________\n',
    'word word word word\n',
  ])('%j in a mail is read', async (line) => {
    expect((await linearly(MAIL + fill(line, LONG))).kind).toBe('email')
  })
})

describe('a very long page of one pattern', () => {
  test.each([
    '<',
    '<div>',
    '<a ',
    '<p>text</p>\n',
    '<ul><li>',
    '<table><tr><td>',
    '<script>',
    '<!--',
    '<b>',
    '</p>',
    '&amp;',
    '<a href="',
    '<br>',
  ])('%j is read', async (part) => {
    expect((await linearly(`<html><body>${fill(part, LONG)}`)).kind).toBe('document')
  })

  test('ordinary paragraphs keep their structure, however many', async () => {
    const { blocks } = await parsed(`<html><body>${'<p>Some <b>bold</b> text.</p>\n'.repeat(20_000)}`)
    expect(blocks).toHaveLength(20_000)
  })
})

test('what is read as plain text for its shape is recorded', async () => {
  const { skips } = await parsed(`Before.\n\n${fill('> ', 400)}deep\n\nAfter.`)
  expect(skips).toEqual([{ reason: 'limit', count: 1, detail: expect.stringMatching(/^1 part read as plain text/) }])
})
