import { afterAll, describe, expect, test } from 'vitest'
import { parse } from '../../../../src/pipeline/parse/parse.ts'
import { segment } from '../../../../src/pipeline/segment/segment.ts'
import { openDocument, sheetRow, type WorkbookParts, xlsx, zipped } from '../../../lib/office-files.ts'
import { blockTexts, parsed } from './parse-source-file.ts'

afterAll(() => parse.close())

const sheet = (rows: string, after = '') => ({ name: 'Costs', rows, after })
const read = (workbook: WorkbookParts, fileName = 'Budget 2026.xlsx') => parsed(xlsx(workbook), { fileName })
/** The rows of the only sheet, without its heading. */
const tables = async (rows: string, workbook: Partial<WorkbookParts> & { after?: string } = {}) =>
  blockTexts(await read({ sheets: [sheet(rows, workbook.after)], ...workbook })).slice(1)

describe('an Excel workbook', () => {
  test('is a heading and a table for each sheet that holds something, titled by its file', async () => {
    const document = await read({
      sheets: [
        sheet(sheetRow(1, ['Who', 'Costs']) + sheetRow(2, ['Anna | Ben', 120])),
        { name: 'Empty', rows: '<row r="1"><c r="A1" s="0"/></row>' },
        { name: 'Lists', rows: sheetRow(1, ['red']) + sheetRow(2, ['green']), state: 'hidden' },
      ],
    })
    expect(document.kind).toBe('document')
    expect(document.meta).toEqual({ title: 'Budget 2026.xlsx' })
    expect(blockTexts(document)).toEqual([
      ['heading', 'Costs'],
      ['table', '| Who | Costs |\n| --- | --- |\n| Anna \\| Ben | 120 |'],
      ['heading', 'Lists (hidden sheet)'],
      ['paragraph', 'red\ngreen'],
    ])
  })

  test('numbers, dates, times, percentages, truth values and formulas are what the sheet shows', async () => {
    const numbers = [0.1 + 0.2, 46085, 46085.4375, 0.4375, 1.5, 0.075, 46085].map(
      (value, style) => `<c s="${style}"><v>${value}</v></c>`,
    )
    const others =
      '<c t="b"><v>1</v></c><c t="str"><f>A1&amp;"x"</f><v>made</v></c><c t="e"><v>#REF!</v></c><c t="d"><v>2026-03-04T00:00:00</v></c><c t="s"><v>99</v></c>'
    const formats = [0, 14, 'd. mmm yyyy hh:mm', 'hh:mm', '[h]:mm', 10, '0.00" day"']
    const [[, text] = []] = await tables(
      `<row>${'abcdefghijkl'.replace(/./g, '<c t="inlineStr"><is><t>$&</t></is></c>')}</row><row>${numbers.join('')}${others}</row>`,
      { formats },
    )
    expect(text?.split('\n').at(-1)).toBe(
      '| 0.3 | 2026-03-04 | 2026-03-04 10:30 | 10:30 | 36:00 | 7.5% | 46085 | TRUE | made |  | 2026-03-04 |  |',
    )
  })

  test.each([
    [1, false, '1900-01-01'],
    [61, false, '1900-03-01'],
    [0, true, '1904-01-01'],
  ])('day %i is told by the year it counts from', async (day, from1904, shown) => {
    const [[, text] = []] = await tables(
      `${sheetRow(1, ['a', 'b'])}<row><c s="1"><v>${day}</v></c><c><v>5</v></c></row>`,
      {
        formats: [0, 14],
        from1904,
      },
    )
    expect(text).toContain(`| ${shown} | 5 |`)
  })

  test('shared texts come with all their runs, without how they are pronounced, also with prefixed names', async () => {
    const strings = ['<t>Wer</t>', '<r><t>Be</t></r><r><t xml:space="preserve">n </t></r><rPh><t>ben</t></rPh>'].map(
      (xml) => xml.replace(/<(\/?)(?=[a-z])/gi, '<$1x:'),
    )
    const rows =
      '<x:row r="1"><x:c r="A1" t="s"><x:v>0</x:v></x:c><x:c r="C1" t="s"><x:v>0</x:v></x:c></x:row><x:row r="2"><x:c r="A2" t="s"><x:v>1</x:v></x:c><x:c r="C2"><x:v>5</x:v></x:c></x:row>'
    expect(await tables(rows, { strings, prefix: 'x:' })).toEqual([
      ['table', '| Wer | Wer |\n| --- | --- |\n| Ben | 5 |'],
    ])
  })

  test('characters that are written by their number are characters', async () => {
    const rows = `${sheetRow(1, ['Note', 'Rate'])}<row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2" t="str"><v>_x0041__x005F_x0041_</v></c></row>`
    expect(await tables(rows, { strings: ['<t>fine_x000D_\nindeed, my_x_file</t>'] })).toEqual([
      ['table', '| Note | Rate |\n| --- | --- |\n| fine indeed, my_x_file | A_x0041_ |'],
    ])
  })

  test('what a cell over several rows says belongs to each of them', async () => {
    const rows = [
      sheetRow(1, ['Team', 'Who']),
      sheetRow(2, ['Shop', 'Anna']),
      sheetRow(3, [null, 'Ben']),
      sheetRow(4, ['', 'Eve']),
    ]
    const [[, text] = []] = await tables(rows.join(''), { after: '<mergeCells><mergeCell ref="A2:A3"/></mergeCells>' })
    expect(text).toBe('| Team | Who |\n| --- | --- |\n| Shop | Anna |\n| Shop | Ben |\n|  | Eve |')
  })

  test('titles above a table stand for themselves, a second table has its own header, a gap in one has none', async () => {
    const rows = [
      sheetRow(1, ['Budget of the shop']),
      sheetRow(3, ['Who', 'Costs']),
      sheetRow(4, ['Anna', 120]),
      sheetRow(6, ['Ben', 80]),
      sheetRow(9, ['Month', 'Guests']),
      sheetRow(10, ['May', 300]),
    ]
    expect(await tables(rows.join(''))).toEqual([
      ['paragraph', 'Budget of the shop'],
      ['table', '| Who | Costs |\n| --- | --- |\n| Anna | 120 |'],
      ['table', '| Who | Costs |\n| --- | --- |\n| Ben | 80 |'],
      ['table', '| Month | Guests |\n| --- | --- |\n| May | 300 |'],
    ])
  })

  test('a long table is cut into pieces of a chunk each, every one with the header', async () => {
    const rows = Array.from({ length: 200 }, (_, i) => sheetRow(i + 2, [`Guest number ${i}`, `came on day ${i}`, i]))
    const document = await read({ sheets: [sheet(sheetRow(1, ['Guest', 'Day', 'Paid']) + rows.join(''))] })
    const chunks = await segment.run(document)
    expect(chunks.length).toBeGreaterThan(5)
    for (const { text, heading } of chunks) {
      expect(text).toMatch(/^\| Guest \| Day \| Paid \|\n\| --- /)
      expect(text.length).toBeLessThan(1_600)
      expect(heading).toBe('Budget 2026.xlsx > Costs')
    }
    expect(chunks.map(({ text }) => text).join('\n')).toContain('| Guest number 199 | came on day 199 | 199 |')
  })

  test('rows of many words are lines that each name their column', async () => {
    const words = 'The guest was happy with everything and wants to come again in the summer. '.repeat(8)
    const rows = [
      sheetRow(1, ['Guest', 'Words', 'Rate']),
      sheetRow(2, ['Eve', words, 5]),
      sheetRow(3, ['Bob', words, 4]),
    ]
    expect(await tables(rows.join(''))).toEqual([
      ['paragraph', `Guest: Eve\nWords: ${words.trim()}\nRate: 5`],
      ['paragraph', `Guest: Bob\nWords: ${words.trim()}\nRate: 4`],
    ])
  })

  test('a first row of many words is said once, and only its beginning in each row', async () => {
    const words = 'The guest was happy with everything and wants to come again in the summer. '.repeat(8).trim()
    const rows = [1, 2, 3].map((number) => sheetRow(number, [words, number]))
    const name = words.slice(0, 150)
    expect(await tables(rows.join(''))).toEqual([
      ['paragraph', `${words} | 1`],
      ['paragraph', `${name}…: ${words}\n1: 2`],
      ['paragraph', `${name}…: ${words}\n1: 3`],
    ])
  })

  test('cells that go down to the end of the sheet cost no more than what is written', async () => {
    const merged = '<mergeCell ref="A2:A9999999"/>'.repeat(10_000)
    const rows = [sheetRow(1, ['Team', 'Who']), sheetRow(2, ['Shop', 'Anna']), sheetRow(3, [null, 'Ben'])]
    const [[, text] = []] = await tables(rows.join(''), { after: `<mergeCells>${merged}</mergeCells>` })
    expect(text).toBe('| Team | Who |\n| --- | --- |\n| Shop | Anna |\n| Shop | Ben |')
  })

  test('rows beyond the limit are recorded', async () => {
    const wide = `<row>${'<c><v>1</v></c>'.repeat(1_000)}</row>`
    const { skips } = await read({ sheets: [sheet(wide.repeat(503))] })
    expect(skips).toEqual([{ reason: 'limit', count: 3, detail: '3 rows beyond the limit' }])
  })

  test('a secret in a cell is redacted', async () => {
    const rows = sheetRow(1, ['Where', 'Token']) + sheetRow(2, ['GitHub', `ghp_${'a1B2'.repeat(9)}`])
    const { text, skips } = await read({ sheets: [sheet(rows)] })
    expect(text).not.toContain('ghp_')
    expect(skips).toMatchObject([{ reason: 'secret_redacted' }])
  })

  test('a binary workbook is refused with the remedy', async () => {
    await expect(parsed(zipped({ '[Content_Types].xml': '<x/>', 'xl/workbook.bin': 'x' }))).rejects.toMatchObject({
      message: /xlsb.*save it as/,
    })
  })
})

describe('an OpenDocument spreadsheet', () => {
  const cell = (text: string, attributes = 'office:value-type="string"') =>
    `<table:table-cell ${attributes}><text:p>${text}</text:p></table:table-cell>`

  test('shows what it shows, with dates in one form, repeated and merged cells written out', async () => {
    const body = `<table:table table:name="Costs"><table:table-column table:number-columns-repeated="16384"/>
      <table:table-row>${cell('Who')}${cell('Day')}<table:table-cell table:number-columns-repeated="3"/>${cell('Costs', 'office:value-type="string" table:number-columns-repeated="2"')}</table:table-row>
      <table:table-row>${cell('Anna', 'office:value-type="string" table:number-rows-spanned="2"')}${cell('04.03.26', 'office:value-type="date" office:date-value="2026-03-04"')}<table:table-cell table:number-columns-repeated="3"/>${cell('1.200,50 €', 'office:value-type="currency" office:value="1200.5"')}${cell('10 %', 'office:value-type="percentage" office:value="0.1"')}</table:table-row>
      <table:table-row><table:covered-table-cell/>${cell('05.03.26 10:30', 'office:value-type="date" office:date-value="2026-03-05T10:30:00"')}<table:table-cell table:number-columns-repeated="3"/>${cell('7<office:annotation><text:p>hm</text:p></office:annotation>')}<table:table-cell/></table:table-row>
      <table:table-row table:number-rows-repeated="1048570"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>
      </table:table><table:table table:name="Empty"/>`
    const document = await parsed(openDocument({ kind: 'spreadsheet', body }), { fileName: 'a.ods' })
    expect(document.meta).toEqual({ title: 'a.ods' })
    expect(blockTexts(document)).toEqual([
      ['heading', 'Costs'],
      [
        'table',
        '| Who | Day | Costs | Costs |\n| --- | --- | --- | --- |\n| Anna | 2026-03-04 | 1.200,50 € | 10 % |\n| Anna | 2026-03-05 10:30 | 7 |  |',
      ],
    ])
  })

  test('what a formula failed with is left out', async () => {
    const error =
      'xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0" office:value-type="string" office:string-value="" calcext:value-type="error"'
    const row = (...cells: string[]) => `<table:table-row>${cells.join('')}</table:table-row>`
    const body = `<table:table table:name="x">${row(cell('Who'), cell('Rate'))}${row(cell('Anna'), cell('#DIV/0!', error))}${row(cell('Ben'), cell('5'))}</table:table>`
    expect(blockTexts(await parsed(openDocument({ kind: 'spreadsheet', body })))[1]?.[1]).toBe(
      '| Who | Rate |\n| --- | --- |\n| Anna |  |\n| Ben | 5 |',
    )
  })

  test('a row has no more columns than a sheet, however often its cells are repeated', async () => {
    const wide = cell('a', 'office:value-type="string" table:number-columns-repeated="16384"').repeat(5_000)
    const body = `<table:table table:name="x"><table:table-row>${wide}</table:table-row></table:table>`
    const { skips, text } = await parsed(openDocument({ kind: 'spreadsheet', body }))
    expect(skips).toEqual([])
    expect(text.match(/\ba\b/g)).toHaveLength(16_384)
  })

  test('a row that is repeated a million times is cut at the limit', async () => {
    const body = `<table:table table:name="x"><table:table-row table:number-rows-repeated="1048576">${cell('a')}${cell('b')}</table:table-row></table:table>`
    const { skips } = await parsed(openDocument({ kind: 'spreadsheet', body }))
    expect(skips).toEqual([{ reason: 'limit', count: 798_576, detail: '798576 rows beyond the limit' }])
  })
})

describe('CSV', () => {
  test.each([
    ['guests.csv', 'Guest,Said\n"Anna, of Rome","fine\nindeed"\nBen,"a ""b"""\n'],
    ['guests.csv', '\ufeffGuest;Said\r\n"Anna, of Rome";fine indeed\r\nBen;"a ""b"""\r\n'],
    ['guests.tsv', 'Guest\tSaid\nAnna, of Rome\tfine indeed\nBen\ta "b"\n'],
  ])('%s becomes a table: %j', async (fileName, body) => {
    const document = await parsed(body, { fileName })
    expect(document.meta).toEqual({ title: fileName })
    expect(blockTexts(document)).toEqual([
      ['table', '| Guest | Said |\n| --- | --- |\n| Anna, of Rome | fine indeed |\n| Ben | a "b" |'],
    ])
  })

  test('a header is not most of the text, however long it is', async () => {
    const header = 'What did you like most? '.repeat(35).trim()
    const { text } = await parsed(`${header},b\n${'1,2\n'.repeat(20_000)}`, { fileName: 'x.csv' })
    expect(text.split(header)).toHaveLength(2)
    expect(text.length).toBeLessThan(1_000_000)
  })

  test.each(['a\nb\nc\n', 'Guest,Said\n"Anna,fine\nBen,good\n', 'Guest,Said\n'])('%j stays data', async (body) => {
    expect(blockTexts(await parsed(body, { fileName: 'x.csv' }))).toEqual([['code', body.trim()]])
  })

  test('what neither name nor content type calls CSV is left alone', async () => {
    expect((await parsed('Anna, Ben\nEve, Bob\n')).kind).toBe('note')
  })
})
