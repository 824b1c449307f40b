import { Document, Packer, Paragraph } from 'docx'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from '../../../../src/pipeline/parse/parse.ts'
import { drawn, officePackage, openDocument, pptx, shape, slideTable, zipped } from '../../../lib/office-files.ts'
import { blockTexts, parsed } from './parse-source-file.ts'

afterAll(() => parse.close())

const PROPERTIES = { title: 'Launch plan', author: 'Anna Berg', modified: '2026-03-04T10:00:00Z' }
const META = {
  title: 'Launch plan',
  author: 'Anna Berg',
  when: { start: new Date('2026-03-04T10:00:00Z'), precision: 'day' },
}

describe('a PowerPoint presentation', () => {
  test('is read in the order of its slides: title, levels, tables and notes', async () => {
    const document = await parsed(
      pptx(
        [
          { shapes: shape('ctrTitle', [[0, 'Opening the shop']]) + shape('subTitle', [[0, 'for the team']]) },
          {
            shapes:
              shape('title', [[0, 'Who does what']]) +
              shape('body', [
                [0, 'Anna buys the register'],
                [1, 'until Friday &amp; not later'],
                [0, 'Ben paints the sign'],
              ]) +
              slideTable([
                ['Who', 'Costs'],
                ['Anna', '120'],
              ]) +
              shape(undefined, [[0, 'Only a draft']]) +
              shape('sldNum', [[0, '2']]),
            notes: 'Say that the bank has agreed.',
          },
        ],
        PROPERTIES,
      ),
      { fileName: 'x.pptx' },
    )
    expect(document.kind).toBe('document')
    expect(document.meta).toEqual(META)
    expect(blockTexts(document)).toEqual([
      ['heading', 'Slide 1: Opening the shop'],
      ['paragraph', 'for the team'],
      ['heading', 'Slide 2: Who does what'],
      ['list', '- Anna buys the register\n  - until Friday & not later\n- Ben paints the sign'],
      ['table', '| Who | Costs |\n| --- | --- |\n| Anna | 120 |'],
      ['paragraph', 'Only a draft'],
      ['paragraph', 'Notes:\nSay that the bank has agreed.'],
    ])
    expect(document.skips).toEqual([])
  })

  test('hidden slides are marked, diagrams are read, pictures and charts are counted', async () => {
    const alternate = `<mc:AlternateContent xmlns:mc="m"><mc:Choice>${shape(undefined, [[0, 'said once']])}</mc:Choice><mc:Fallback>${shape(undefined, [[0, 'said once']])}</mc:Fallback></mc:AlternateContent>`
    const diagram = `<dgm:dataModel xmlns:dgm="d" xmlns:a="a"><dgm:ptLst><dgm:pt><dgm:t>${drawn([[0, 'First buy']])}</dgm:t></dgm:pt><dgm:pt><dgm:t>${drawn([[0, 'then sell']])}</dgm:t></dgm:pt></dgm:ptLst></dgm:dataModel>`
    const document = await parsed(
      pptx([
        {
          hidden: true,
          shapes: `${alternate}<p:pic/><p:graphicFrame><c:chart xmlns:c="c"/></p:graphicFrame>`,
          more: [['diagramData', 'diagrams/data1.xml', diagram]],
        },
      ]),
    )
    expect(blockTexts(document)).toEqual([
      ['heading', 'Slide 1 (hidden)'],
      ['paragraph', 'said once'],
      ['paragraph', 'First buy'],
      ['paragraph', 'then sell'],
    ])
    expect(document.skips.map(({ detail }) => detail)).toEqual(['1 image', '1 chart'])
  })

  test('its first title names it, unless it has one of its own', async () => {
    const shapes = shape('title', [[0, 'Opening']])
    expect((await parsed(pptx([{ shapes }], { title: 'PowerPoint Presentation' }))).meta).toEqual({ title: 'Opening' })
  })

  test('without words is refused with the remedy', async () => {
    await expect(parsed(pptx([{ shapes: '<p:pic/>' }]))).rejects.toMatchObject({
      code: 'unreadable',
      message: /PowerPoint presentation holds no text; upload/,
    })
  })
})

describe('an OpenDocument text', () => {
  const item = (body: string) => `<text:list-item>${body}</text:list-item>`
  const p = (text: string) => `<text:p text:style-name="P9">${text}</text:p>`

  test('keeps headings, lists, tables and notes; what was deleted stays out', async () => {
    const cell = (text: string) => `<table:table-cell>${p(text)}</table:table-cell>`
    const body = [
      `<text:tracked-changes><text:changed-region><text:deletion>${p('We never open.')}</text:deletion></text:changed-region></text:tracked-changes>`,
      '<text:p text:style-name="P1">Launch plan</text:p>',
      `<text:table-of-content><text:index-body>${p('Costs ... 1')}</text:index-body></text:table-of-content>`,
      '<text:h text:outline-level="2">Costs</text:h>',
      p(
        `We need<text:s text:c="2"/>120 <text:span>euros</text:span><text:note><text:note-citation>1</text:note-citation><text:note-body>${p('As of May.')}</text:note-body></text:note> for it<office:annotation><dc:creator>Ben</dc:creator><dc:date>2026-03-01T10:00:00</dc:date>${p('Is that all?')}</office:annotation>.`,
      ),
      `<text:list>${item(`${p('first')}<text:list>${item(p('deeper'))}</text:list>`)}${item(p('second') + p('goes on'))}</text:list>`,
      `<table:table><table:table-header-rows><table:table-row>${cell('Who')}${cell('Costs')}</table:table-row></table:table-header-rows><table:table-row>${cell('Anna')}${cell('120')}</table:table-row></table:table>`,
      p(`One line<text:line-break/>and another<draw:frame><draw:image/><svg:desc>a picture</svg:desc></draw:frame>`),
    ].join('')
    const styles = '<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Title"/>'
    const document = await parsed(openDocument({ kind: 'text', body, styles, properties: PROPERTIES }))
    expect(document.meta).toEqual(META)
    expect(blockTexts(document)).toEqual([
      ['heading', 'Launch plan'],
      ['heading', 'Costs'],
      ['paragraph', 'We need 120 euros for it.'],
      ['paragraph', 'Note: As of May.'],
      ['paragraph', 'Comment by Ben: Is that all?'],
      ['list', '- first\n  - deeper\n- second\n  goes on'],
      ['table', '| Who | Costs |\n| --- | --- |\n| Anna | 120 |'],
      ['paragraph', 'One line\nand another'],
    ])
    expect(document.skips.map(({ detail }) => detail)).toEqual(['1 image', '1 table of contents'])
  })

  test('a heading that is numbered by a list stays a heading', async () => {
    const body = `<text:list>${item('<text:h text:outline-level="1">Costs</text:h>')}</text:list>${p('We need 120 euros.')}`
    expect(blockTexts(await parsed(openDocument({ kind: 'text', body })))).toEqual([
      ['heading', 'Costs'],
      ['paragraph', 'We need 120 euros.'],
    ])
  })

  test('with a password is refused with the remedy', async () => {
    await expect(parsed(openDocument({ kind: 'text', body: p('x'), encrypted: true }))).rejects.toMatchObject({
      code: 'unreadable',
      message: /OpenDocument text is protected by a password; save a copy/,
    })
  })
})

test('an OpenDocument presentation is read like one of PowerPoint', async () => {
  const frame = (role: string, body: string) =>
    `<draw:frame presentation:class="${role}"><draw:text-box>${body}</draw:text-box></draw:frame>`
  const item = (text: string) => `<text:list-item><text:p>${text}</text:p></text:list-item>`
  const page = (style: string, body: string) =>
    `<draw:page draw:name="p" draw:style-name="${style}">${body}</draw:page>`
  const body =
    page(
      'dp1',
      frame('title', '<text:p>Opening</text:p>') +
        frame('outline', `<text:list>${item('Anna buys')}${item('Ben paints')}</text:list>`) +
        frame('page-number', '<text:p>1</text:p>') +
        `<presentation:notes>${frame('notes', '<text:p>Say it slowly.</text:p>')}</presentation:notes>`,
    ) + page('dp2', '<draw:custom-shape><text:p>Left over</text:p></draw:custom-shape>')
  const styles =
    '<style:style style:name="dp2" style:family="drawing-page"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>'
  const document = await parsed(openDocument({ kind: 'presentation', body, styles }))
  expect(document.meta).toEqual({ title: 'Opening' })
  expect(blockTexts(document)).toEqual([
    ['heading', 'Slide 1: Opening'],
    ['list', '- Anna buys\n- Ben paints'],
    ['paragraph', 'Notes:\nSay it slowly.'],
    ['heading', 'Slide 2 (hidden)'],
    ['paragraph', 'Left over'],
  ])
})

test('a Word document has the title, author and day that it says of itself', async () => {
  const children = [new Paragraph('We open in May.')]
  const body = await Packer.toBuffer(
    new Document({ title: 'Launch plan', creator: 'Anna Berg', sections: [{ children }] }),
  )
  const { meta } = await parsed(body)
  expect(meta).toMatchObject({ title: 'Launch plan', author: 'Anna Berg', when: { precision: 'day' } })
})

describe('what is refused', () => {
  test.each(['WordDocument', 'Workbook', 'PowerPoint Document'])(
    'an old binary file with a stream %s',
    async (stream) => {
      const body = Buffer.concat([
        Buffer.from('d0cf11e0a1b11ae1', 'hex'),
        Buffer.alloc(600),
        Buffer.from(stream, 'utf16le'),
      ])
      await expect(parsed(body)).rejects.toMatchObject({
        code: 'unreadable',
        message: /save it as .docx, .xlsx or .pptx/,
      })
    },
  )

  test('an Office document with a password', async () => {
    const body = Buffer.concat([
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      Buffer.alloc(5_000),
      Buffer.from('EncryptedPackage', 'utf16le'),
    ])
    await expect(parsed(body)).rejects.toMatchObject({
      code: 'unreadable',
      message: /protected by a password; save a copy/,
    })
  })

  test('a package without its main part', async () => {
    await expect(parsed(officePackage('ppt/other.xml', 'x', { 'ppt/nothing.xml': '<a/>' }))).rejects.toMatchObject({
      code: 'unreadable',
      message: /PowerPoint presentation is damaged/,
    })
  })

  test('a package whose XML is no XML, or wants an entity of its own', async () => {
    for (const shapes of ['<p:sp>', '&lol;']) {
      await expect(parsed(pptx([{ shapes }]))).rejects.toMatchObject({ message: /is damaged/ })
    }
  })

  test('a zip of something else', async () => {
    await expect(parsed(zipped({ 'word/notes.txt': 'x' }))).rejects.toMatchObject({ message: /Files of this type/ })
    await expect(parsed(zipped({ mimetype: 'application/epub+zip' }, ['mimetype']))).rejects.toMatchObject({
      message: /upload text, .*PPTX/,
    })
  })
})

test.each(['2026-03-04T00:30:00.123456789', '2026-03-04'])(
  'the time %s without a zone, as in OpenDocument, is that on the wall of the person',
  async (modified) => {
    const body = '<text:p>Launch in May.</text:p>'
    const file = openDocument({ kind: 'text', body, properties: { modified } })
    const dayIn = async (timeZone: string) => {
      const { when } = (await parsed(file, { timeZone })).meta
      return when?.start.toLocaleDateString('sv-SE', { timeZone })
    }
    expect([await dayIn('Pacific/Auckland'), await dayIn('America/Los_Angeles')]).toEqual(['2026-03-04', '2026-03-04'])
  },
)
