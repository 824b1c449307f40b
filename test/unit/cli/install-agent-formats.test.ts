import { parse as parseToml, stringify } from '@decimalturn/toml-patch'
import fc from 'fast-check'
import { parse as parseJson } from 'jsonc-parser'
import { describe, expect, test } from 'vitest'
import { jsoncFormat } from '../../../src/cli/install/jsonc-format.ts'
import { tomlFormat } from '../../../src/cli/install/toml-format.ts'

const ENTRY = {
  command: 'C:\\Program Files\\node.exe',
  args: ['/a "b"/recalld.js', 'mcp'],
  env: { RECALLD_HOME: '/ä' },
}
const PATH = ['servers', 'recalld'] as const

const KEY = fc.string({ minLength: 1, maxLength: 8 }).filter((key) => key !== '__proto__')
const SERVERS = fc.dictionary(KEY, fc.record({ command: fc.string(), args: fc.array(fc.string()) }), { maxKeys: 3 })

/** Without a container that is as good as none. */
function rest(content: Record<string, unknown>): unknown {
  const { servers, ...others } = content
  return Object.keys(servers ?? {}).length === 0 ? others : content
}

describe('JSON with comments', () => {
  /** A file by a person or a program: any layout, with comments between the lines. */
  const FILE = fc
    .record({
      content: fc.record({ servers: fc.option(SERVERS, { nil: undefined }), others: fc.jsonValue({ maxDepth: 2 }) }),
      indent: fc.constantFrom(0, 2, 4, '\t'),
      eol: fc.constantFrom('\n', '\r\n'),
      comment: fc.constantFrom('', ' // note', ' /* note */'),
      end: fc.constantFrom('', '\n'),
    })
    .map(({ content, indent, eol, comment, end }) => {
      const lines = JSON.stringify(content, null, indent).split('\n')
      return (lines.length === 1 ? lines : lines.map((line) => `${line}${comment}`)).join(eol) + end
    })

  test('loses nothing when an entry is added and removed again', () => {
    fc.assert(
      fc.property(FILE, (text) => {
        const added = jsoncFormat.set(text, PATH, ENTRY)
        expect(added).toBeDefined()
        expect(parseJson(added ?? '').servers.recalld).toEqual(ENTRY)
        expect((added ?? '').match(/note/g)).toEqual(text.match(/note/g))
        const removed = jsoncFormat.remove(added ?? '', PATH)
        expect(rest(parseJson(removed ?? ''))).toEqual(rest(parseJson(text)))
        expect(removed?.match(/note/g) ?? null).toEqual(text.match(/note/g))
      }),
    )
  })

  test.each([
    ['{}'],
    ['{\n\t"servers": {\n\t\t"a": {}\n\t}\n}'],
    ['{"a":1,"servers":{"b":{}}}'],
    ['{\n  "servers": {\n    "a": {}, // first\n\n    // second\n    "b": {} /* last */\n  }\n}\n'],
    ['{\n  "servers": {\n    "a": {},\n  },\n}\n'],
    ['{ "theme": "dark" }'],
  ])('restores %j to the byte', (text) => {
    expect(jsoncFormat.remove(jsoncFormat.set(text, PATH, ENTRY) ?? '', PATH)).toBe(text)
  })

  test.each([
    [
      'first',
      '{\n  "servers": {\n    "recalld": {}, // mine\n    "b": {}\n  }\n}',
      '{\n  "servers": {\n    // mine\n    "b": {}\n  }\n}',
    ],
    ['in the middle', '{"servers": {"a": {}, "recalld": {}, "b": {}}}', '{"servers": {"a": {}, "b": {}}}'],
    ['alone with a comment', '{"servers": {\n  // note\n  "recalld": {},\n}}', '{"servers": {\n  // note\n}}'],
  ])('removes an entry that stands %s', (_, text, expected) => {
    expect(jsoncFormat.remove(text, PATH)).toBe(expected)
  })
})

describe('TOML', () => {
  const FILE = fc
    .record({
      content: fc.record({ model: fc.string(), servers: fc.option(SERVERS, { nil: undefined }) }),
      eol: fc.constantFrom('\n', '\r\n'),
      comment: fc.constantFrom('', '# note'),
    })
    .map(({ content: { model, servers = {} }, eol, comment }) => {
      const tables = Object.entries(servers).map(([name, server]) => [
        comment,
        `[servers.${JSON.stringify(name)}] ${comment}`,
        stringify(server).trimEnd(),
      ])
      return `${[comment, stringify({ model }).trimEnd(), '', ...tables.flat(), comment].join('\n').replaceAll('\n', eol)}${eol}`
    })

  test('loses nothing when an entry is added and removed again', () => {
    fc.assert(
      fc.property(FILE, (text) => {
        const added = tomlFormat.set(text, PATH, ENTRY)
        expect(added?.startsWith(text)).toBe(true)
        expect(parseToml(added ?? '').servers.recalld).toEqual(ENTRY)
        expect(tomlFormat.remove(added ?? '', PATH)).toBe(text)
      }),
    )
  })

  test('takes an entry into an inline table, without what only TOML 1.1 allows', () => {
    const text = 'servers = { a = { command = "x" } } # mine\n'
    const added = tomlFormat.set(text, PATH, ENTRY) ?? ''
    expect(parseToml(added).servers).toEqual({ a: { command: 'x' }, recalld: ENTRY })
    expect(added).not.toMatch(/,\s*[\]}]/)
    expect(tomlFormat.remove(added, PATH)).toBe(text)
  })

  test.each([
    ['with a comment of the next table', '[servers.recalld]\na = 1\n# next\n[b]\n', '# next\n[b]\n'],
    ['with a table in it', 'x = 1\n\n[servers.recalld]\na = 1\n\n[servers.recalld.env]\nb = 1\n', 'x = 1\n'],
    [
      'over empty lines',
      '[servers.recalld]\nargs = [\n  "a",\n\n  "b",\n]\n[b]\nd = 2026-01-02\n',
      '[b]\nd = 2026-01-02\n',
    ],
    ['as dotted keys', 'servers.recalld.command = "x"\nb = 1 # one\n', 'b = 1 # one\n'],
  ])('removes an entry that is written %s', (_, text, expected) => {
    expect(tomlFormat.remove(text, PATH)).toBe(expected)
  })

  test('leaves line ends of two kinds as they are, or the file', () => {
    const text = 'a = 1\r\nb = 2\n'
    const added = tomlFormat.set(text, PATH, ENTRY) ?? ''
    expect(added.startsWith(text)).toBe(true)
    expect(tomlFormat.remove(added, PATH)).toBe(text)
    expect(tomlFormat.set(added, PATH, { command: 'other' })).toBeUndefined()
  })
})
