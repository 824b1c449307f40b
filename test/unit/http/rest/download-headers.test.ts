import { describe, expect, test } from 'vitest'
import { downloadName } from '../../../../src/client/rest-memory.ts'
import { attachment } from '../../../../src/http/rest/answer-headers.ts'
import { html, prose } from '../../../../src/http/rest/pages/html.ts'

describe('Content-Disposition', () => {
  test.each([
    'note.txt',
    'a "b" c.txt',
    'naïve – 計画 🚢.md',
    "it's (1)*.txt",
    '100%.txt',
    'back\\slash',
    'semi;colon=1',
  ])('carries the name %j there and back, in printable ASCII', (name) => {
    const header = attachment(name)
    expect(header).toMatch(/^attachment; [\x20-\x7e]+$/)
    expect(downloadName(header)).toBe(name)
  })

  test.each([
    [undefined, undefined],
    ['attachment', undefined],
    ['attachment; filename="plain.txt"', 'plain.txt'],
    ['attachment; filename="a \\"b\\".txt"', 'a "b".txt'],
    ['attachment; filename*=UTF-8\'\'%ff; filename="fallback.txt"', 'fallback.txt'],
  ])('%j of another server names %j', (header, name) => {
    expect(downloadName(header)).toBe(name)
  })
})

describe('markup', () => {
  test('what is put in is escaped, markup and lists of it are not', () => {
    const list = ['<b>', '"&\''].map((text) => html`<li>${text}</li>`)
    expect(html`<ul title="${'"'}">${list}${undefined}</ul>`.markup).toBe(
      '<ul title="&quot;"><li>&lt;b&gt;</li><li>&quot;&amp;&#39;</li></ul>',
    )
  })

  test('backticks become code', () => {
    expect(html`${prose('Use `<x>` here')}`.markup).toBe('Use <code>&lt;x&gt;</code> here')
  })
})
