import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sniffContent } from '../../../../src/pipeline/parse/sniff.ts'
import { blockTexts, parsed } from './parse-source-file.ts'

const bytes = (text: string) => Buffer.from(text, 'latin1')

describe('the format of an upload', () => {
  test.each([
    ['%PDF-1.7\n', 'notes.txt', 'text/plain', 'pdf'],
    [`${'\n'.repeat(900)}%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj`, 'x', 'text/plain', 'pdf'],
    ['HTTP/1.1 200 OK\r\n\r\n%PDF-1.4\n1 0 obj\n<<>>', 'x', 'application/octet-stream', 'pdf'],
    [`${' '.repeat(1100)}%PDF-1.4\n`, 'x.txt', 'text/plain', 'text'],
    ['A PDF begins with `%PDF-1.4`, says the manual.', 'note.md', 'text/markdown', 'text'],
    ['hello', 'report.pdf', 'application/pdf', 'text'],
    ['PK\x03\x04....word/document.xml', 'x', 'application/octet-stream', 'docx'],
    ['PK\x03\x04....[Content_Types].xml', 'a.docx', '', 'docx'],
    ['PK\x03\x04....xl/workbook.xml', 'a.docx', '', 'xlsx'],
    ['PK\x03\x04....mimetypeapplication/vnd.oasis.opendocument.text-templatePK', 'a.docx', '', 'odt'],
    ['PK\x03\x04....mimetypeapplication/epub+zip', 'a.docx', '', 'unsupported'],
    ['PK\x03\x04....readme.txt', 'a.zip', 'application/zip', 'unsupported'],
    ['\x89PNG\r\n\x1a\n', 'a.txt', 'text/plain', 'unsupported'],
    ['\x89PNG\r\n\x1a\n', 'a.PNG', 'application/octet-stream', 'png'],
    ['II*\0\x08\0', 'a', 'image/tiff', 'tiff'],
    ['RIFF\x10\0\0\0WEBPVP8 ', 'a', 'image/webp', 'webp'],
    ['RIFF\x10\0\0\0WAVEfmt ', 'a', '', 'unsupported'],
    ['\xff\xd8\xff\xe0', 'a', '', 'unsupported'],
    ['\xff\xd8\xff\xe0', 'a.jpeg', '', 'jpeg'],
    ['\x1f\x8b\x08', 'a', '', 'unsupported'],
    ['\0\0\0\x18ftypmp42', 'a', '', 'unsupported'],
    ['', 'empty.txt', 'text/plain', 'text'],
    ['Plain words', 'a.bin', 'application/octet-stream', 'text'],
  ])('%j called %s is told by its content', (content, name, type, format) => {
    expect(sniffContent(bytes(content), name, type)).toBe(format)
  })

  test('a binary file is refused with what can be uploaded instead', async () => {
    await expect(parsed(bytes('\x1f\x8b\x08'))).rejects.toMatchObject({
      code: 'unreadable',
      message: /Markdown.*PDF/,
    })
  })

  test('bytes that are not UTF-8 are refused with the remedy', async () => {
    await expect(parsed(bytes('caf\xe9 latin'))).rejects.toMatchObject({ code: 'unreadable', message: /UTF-8/ })
  })
})

describe('plain text and Markdown', () => {
  test('a note keeps its paragraphs, without byte order mark, control characters and carriage returns', async () => {
    const document = await parsed('\ufeffFirst line\r\nsecond\0line\r\n\r\nNext paragraph.')
    expect(document.kind).toBe('note')
    expect(blockTexts(document)).toEqual([
      ['paragraph', 'First line\nsecond line'],
      ['paragraph', 'Next paragraph.'],
    ])
  })

  test('Markdown becomes headings without marks and other blocks verbatim', async () => {
    const source =
      '# Setup ##\n\nInstall it:\n\n```sh\nnpm i\n\nnpm test\n```\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> said\n\nUnder\n-----\n\nEnd.\n'
    const document = await parsed(source)
    expect(document.kind).toBe('document')
    expect(document.meta.title).toBe('Setup')
    expect(blockTexts(document)).toEqual([
      ['heading', 'Setup'],
      ['paragraph', 'Install it:'],
      ['code', '```sh\nnpm i\n\nnpm test\n```'],
      ['list', '- one\n- two'],
      ['table', '| a | b |\n|---|---|\n| 1 | 2 |'],
      ['quote', '> said'],
      ['heading', 'Under'],
      ['paragraph', 'End.'],
    ])
    expect(document.blocks.map(({ level }) => level).filter(Boolean)).toEqual([1, 2])
  })

  test('front matter becomes metadata and is not part of the text', async () => {
    const document = await parsed(
      '---\ntitle: "Kick-off: shop"\nurl: https://example.com/1\nwhen: 2026-03-04 10:00 to 11:30\nwhere: Room 5\nparticipants: [Anna Berg, Bob]\nauthor: Anna Berg\nparents: Projects\nvisibility: private\nlayout: post\nmood: good\n---\nWe began.',
    )
    expect(document.text).toBe('We began.')
    expect(document.meta).toEqual({
      title: 'Kick-off: shop',
      url: 'https://example.com/1',
      when: { start: new Date('2026-03-04T09:00:00Z'), end: new Date('2026-03-04T10:30:00Z'), precision: 'minute' },
      where: 'Room 5',
      participants: ['Anna Berg', 'Bob'],
      author: 'Anna Berg',
      parents: ['Projects'],
      visibility: 'private',
    })
    expect(document.skips).toEqual([{ reason: 'boilerplate', count: 1, detail: '1 unknown front matter field' }])
  })

  test.each([
    ['2026', '2025-12-31T23:00:00.000Z', 'year'],
    ['2026-07', '2026-06-30T22:00:00.000Z', 'month'],
    ['2026-07-04', '2026-07-03T22:00:00.000Z', 'day'],
    ['2026-07-04T10:00:00Z', '2026-07-04T10:00:00.000Z', 'minute'],
    ['2026-07-04T10:00+02:00', '2026-07-04T08:00:00.000Z', 'minute'],
    ['29.12.2023, 22:42:04', '2023-12-29T21:42:04.000Z', 'minute'],
    ['1:56 pm on 8 May, 2023', '2023-05-08T11:56:00.000Z', 'minute'],
    ['yesterday', '2026-11-18T23:00:00.000Z', 'day'],
    ['12 May 2026', '2026-05-11T22:00:00.000Z', 'day'],
    ['2026-03-29 02:30', '2026-03-29T01:30:00.000Z', 'minute'],
  ])('the time %s is read in the zone of the account', async (when, start, precision) => {
    const { meta } = await parsed(`---\nwhen: "${when}"\n---\ntext`)
    expect(meta.when).toEqual({ start: new Date(start), precision })
  })

  test.each([
    '---\ntitle: [unclosed\n---\ntext',
    '---\njust a line\n---\ntext',
    '---\na: &x [*x]\n---\ntext',
    '---\ntitle: x\nno end',
  ])('front matter that is none stays text: %j', async (text) => {
    const document = await parsed(text)
    expect(document.text).toBe(text)
  })

  test('a secret in title or text is redacted before blocks are cut, and counted', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`
    const document = await parsed(`---\ntitle: key ${secret}\n---\nUse ${secret} here.\n\nMore.`)
    expect(document.meta.title).toBe('key [redacted github token]')
    expect(blockTexts(document)).toEqual([
      ['paragraph', 'Use [redacted github token] here.'],
      ['paragraph', 'More.'],
    ])
    expect(document.skips).toEqual([{ reason: 'secret_redacted', count: 2, detail: '2 github tokens redacted' }])
    const named = await parsed('{"a": 1}', { fileName: `${secret}.json` })
    expect(named.meta.title).toBe('[redacted github token].json')
  })

  test('HTML loses its furniture and keeps its structure', async () => {
    const document = await parsed(
      '<!doctype html><html><head><title>Guide &amp; tour</title><meta name="author" content="Anna"><style>p{}</style></head><body><nav>Menu</nav><h1>Guide</h1><p>Some <b>bold</b> words_with_marks.</p><ul><li>one</li></ul><script>x()</script><footer>Imprint</footer></body></html>',
    )
    expect(document.kind).toBe('document')
    expect(document.meta).toEqual({ title: 'Guide & tour', author: 'Anna' })
    expect(blockTexts(document)).toEqual([
      ['heading', 'Guide'],
      ['paragraph', 'Some **bold** words_with_marks.'],
      ['list', '- one'],
    ])
    expect(document.skips.map(({ reason }) => reason)).toEqual(['boilerplate'])
  })
})

describe('blocks of any text', () => {
  const pieces = [
    'word ',
    'Anna: ',
    '\n',
    '\n\n',
    '# ',
    '- ',
    '> ',
    '```\n',
    '| a | b |\n',
    '|---|---|\n',
    '---\n',
    '    ',
    '<p>',
    '1. ',
    '[10:12] ',
    '\t',
    'é',
    '中文',
    '## User\n',
    '[x]: y\n',
    '**',
  ]

  test('are in order, do not overlap, lie inside the text and have no white space at their ends', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...pieces), { maxLength: 60 }), async (parts) => {
        const { text, blocks } = await parsed(parts.join(''))
        let end = 0
        for (const block of blocks) {
          expect(block.start).toBeGreaterThanOrEqual(end)
          expect(block.end).toBeGreaterThan(block.start)
          expect(block.end).toBeLessThanOrEqual(text.length)
          const slice = text.slice(block.start, block.end)
          expect(slice).toBe(slice.trim())
          end = block.end
        }
      }),
      { numRuns: 400 },
    )
  })

  test('hold every word of the text', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.lorem({ maxCount: 8 }), { maxLength: 12 }),
        fc.constantFrom('\n\n', '\n- ', '\n> ', '\n# '),
        async (paragraphs, joint) => {
          const document = await parsed(paragraphs.join(joint))
          const held = blockTexts(document)
            .map(([, text]) => text)
            .join(' ')
          for (const word of paragraphs.join(' ').split(' ')) expect(held).toContain(word)
        },
      ),
    )
  })

  test('the same file gives the same document', async () => {
    const text = '# A\n\ntext\n\n- list'
    expect(await parsed(text)).toEqual(await parsed(text))
  })
})
