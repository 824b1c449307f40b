import { describe, expect, it } from 'vitest'
import { blockTexts, parsed, turns } from './parse-source-file.ts'

describe('the head of a note', () => {
  it('names it, its day, its people and its place', async () => {
    const { kind, meta } = await parsed(
      'Planning — Q2\nDate: 6 May 2026, 10:00–11:00\nAttendees: Ann Lee, Bob Marsh (guest)\nLocation: Room Tulip\n\nBob writes the job ads.',
    )
    expect(kind).toBe('note')
    expect(meta).toEqual({
      title: 'Planning — Q2',
      when: { start: new Date('2026-05-06T08:00:00Z'), end: new Date('2026-05-06T09:00:00Z'), precision: 'minute' },
      where: 'Room Tulip',
      participants: ['Ann Lee', 'Bob Marsh'],
    })
  })

  it('lists the people who were there, without those who sent apologies in the same line', async () => {
    const { meta } = await parsed(
      'Board, 25 August 2026\nPresent: Ann Lee, Bob Marsh (staff rep). Apology: Deepak Shah\n\nThe roof is done in May.',
    )
    expect(meta.participants).toEqual(['Ann Lee', 'Bob Marsh'])
  })

  it('is the name in the first line of a card', async () => {
    expect((await parsed('Name: Svea Holm\nCompany: Nordlicht AB')).meta).toEqual({ title: 'Svea Holm' })
  })

  it('is read in other scripts', async () => {
    const { meta } = await parsed(
      '2026年4月18日 团队会议纪要\n\n参会人：王芳、李强。会议地点：北京办公室。\n\n李强汇报了进展，预计五月底上线。',
    )
    expect(meta).toMatchObject({
      title: '2026年4月18日 团队会议纪要',
      where: '北京办公室',
      participants: ['王芳', '李强'],
    })
  })

  it.each([
    'Saturday, 14 March 2026',
    'March 14, 2026',
    '14. März 2026',
    '2026-03-14',
    '14 de marzo de 2026',
    '14 марта 2026',
    '2026年3月14日',
  ])('is a day alone on its line: %s', async (line) => {
    const { meta } = await parsed(`${line}\n\nWe went to the lake and Tim jumped into the water.`)
    expect(meta).toEqual({ when: { start: new Date('2026-03-13T23:00:00Z'), precision: 'day' } })
  })

  it.each([
    'We met the landlord today.\n\nHe repairs the heating, and pays for it.',
    'milk, eggs,\n\nand bread for the weekend with the children',
    'Hi Ann,\n\nthe parcel is at the neighbours, please fetch it.',
  ])('is no sentence, list or greeting: %j', async (text) => {
    expect((await parsed(text)).meta).toEqual({})
  })

  it('front matter goes before it', async () => {
    const { meta } = await parsed('---\ntitle: Mine\n---\nOther title\n\nA text that is longer than its title.')
    expect(meta.title).toBe('Mine')
  })

  it('days above several entries of a diary are headings', async () => {
    const document = await parsed('12 March 2026\nPlanted tomatoes.\n\n13 March 2026\n\nRain all day.')
    expect(document.kind).toBe('note')
    expect(blockTexts(document)).toEqual([
      ['heading', '12 March 2026'],
      ['paragraph', 'Planted tomatoes.'],
      ['heading', '13 March 2026'],
      ['paragraph', 'Rain all day.'],
    ])
  })
})

describe('front matter that YAML refuses', () => {
  it('is read line by line when nothing in it is nested', async () => {
    const { meta, text } = await parsed('---\ntitle: Crash: a space\nparticipants: [ann, bot[bot]]\n---\nIt crashes.')
    expect(meta).toMatchObject({ title: 'Crash: a space', participants: ['ann', 'bot[bot]'] })
    expect(text).toBe('It crashes.')
  })
})

describe('pictures', () => {
  it('badges and embedded data are left out and counted', async () => {
    const document = await parsed(
      `# Harbor\n\n![Build](https://img.test/b.svg) ![Logo](data:image/png;base64,${'A'.repeat(500)}) [![npm](https://img.test/n.svg)](https://npm.test)\n\nA registry for images.`,
    )
    expect(blockTexts(document)).toEqual([
      ['heading', 'Harbor'],
      ['paragraph', 'A registry for images.'],
    ])
    expect(document.text).not.toContain('AAAA')
    expect(document.skips.map(({ detail }) => detail)).toEqual(['1 embedded file', '1 line of pictures and badges'])
  })

  it('a picture that is described in words stays', async () => {
    const document = await parsed('# Plan\n\n![The gateway stands before all clients](plan.png)')
    expect(blockTexts(document)[1]?.[1]).toContain('The gateway stands')
  })
})

describe('files of code and data', () => {
  it.each([
    ['main.py', 'import os\n\nprint(os.environ["HOME"])\n'],
    ['upload.txt', '{"name": "harbor", "version": "2.1.0"}'],
    ['server.txt', '2026-05-04 10:00:01,123 INFO started\n2026-05-04 10:00:05,456 WARN slow query: 2310 ms'],
  ])('are one block of code, titled by the name: %s', async (fileName, text) => {
    const document = await parsed(text, { fileName })
    expect(document).toMatchObject({ kind: 'document', meta: { title: fileName } })
    expect(blockTexts(document)).toEqual([['code', text.trim()]])
  })
})

describe('tables of HTML', () => {
  it('that only arrange a page are taken apart, and those of data stay', async () => {
    const document = await parsed(
      '<html><body><table><tr><td><table><tr><td><h2>Build failed</h2><p>The test failed for a commit.</p></td></tr></table></td></tr></table><table><tr><td>Day</td><td>Topic</td></tr><tr><td>Tuesday</td><td><p>Tour</p></td></tr></table></body></html>',
    )
    const blocks = blockTexts(document)
    expect(blocks.slice(0, 2)).toEqual([
      ['heading', 'Build failed'],
      ['paragraph', 'The test failed for a commit.'],
    ])
    expect(blocks[2]?.[0]).toBe('table')
    expect(blocks[2]?.[1]).toMatch(/\| Tuesday +\| Tour +\|/)
  })

  it('that are never closed lose nothing', async () => {
    const document = await parsed('<html><body><table><tr><td>The parcel<td>arrived on Monday</body></html>')
    expect(document.text).toMatch(/The parcel[\s\S]*arrived on Monday/)
  })
})

describe('small conversations', () => {
  it('two lines with names and a question are one', async () => {
    const document = await parsed('Mum: Are you coming on Sunday?\nTom: Yes, with the kids.')
    expect(document.kind).toBe('chat')
    expect(turns(document).map(([speaker]) => speaker)).toEqual(['Mum', 'Tom'])
  })

  it.each(['Budget: 300\nVenue: town hall', 'Open point: who pays?\nVenue: town hall'])(
    'labelled values are none: %j',
    async (text) => {
      expect((await parsed(text)).kind).toBe('note')
    },
  )

  it('what the chat program reports belongs to nobody', async () => {
    const document = await parsed(
      '03/05/2026, 18:02 - Messages are end-to-end encrypted.\n03/05/2026, 18:02 - Jana: Hello\n03/05/2026, 18:03 - Jana added Tom\n03/05/2026, 18:05 - Tom: Hi all',
    )
    expect(turns(document).map(([speaker, , text]) => [speaker, text])).toEqual([
      ['Jana', 'Hello'],
      ['Tom', 'Hi all'],
    ])
  })

  it('text below a heading between two turns is kept', async () => {
    const document = await parsed(
      'Ann [2026-05-04 09:12]: The release is out.\nBob [2026-05-04 09:14]: Great.\n\n## Decisions\n\nWe release on Mondays.\n\nAnn [2026-05-04 09:20]: Noted.',
    )
    expect(blockTexts(document)).toEqual([
      ['turn', 'The release is out.'],
      ['turn', 'Great.'],
      ['heading', 'Decisions'],
      ['paragraph', 'We release on Mondays.'],
      ['turn', 'Noted.'],
    ])
  })

  it('mail and issues that look like chats are what their source says', async () => {
    const text = 'Ann [2026-05-04 09:12]: The release is out.\nBob [2026-05-04 09:14]: Great.'
    expect((await parsed(text, { sourceType: 'email' })).kind).toBe('email')
    expect((await parsed(text, { sourceType: 'asana' })).kind).toBe('issue')
  })
})

describe('other furniture', () => {
  it('how to join a video call is no part of an event', async () => {
    const line = `-::~${':~'.repeat(20)}::-`
    const document = await parsed(
      `BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART:20260511T170000Z\nSUMMARY:Review\nDESCRIPTION:Filters\\n\\n${line}\\nJoin with Google Meet\\n${line}\nEND:VEVENT\nEND:VCALENDAR`,
    )
    expect(document.text).toContain('Filters')
    expect(document.text).not.toMatch(/Join|::~/)
  })

  it('the title of a page loses the name of its site, and the page its cookie banner', async () => {
    const document = await parsed(
      '<!doctype html><html><head><title>Descaling - Bean &amp; Co</title></head><body><div>We use cookies. Accept all</div><h1>Descaling</h1><p>Use citric acid.</p></body></html>',
    )
    expect(document.meta.title).toBe('Descaling')
    expect(document.text.includes('citric')).toBe(true)
    expect(blockTexts(document).map(([, text]) => text)).toEqual(['Descaling', 'Use citric acid.'])
  })

  it('a Codex session that ends before its first message is a session without memories', async () => {
    const document = await parsed(
      '{"timestamp":"2026-05-13T09:00:00.000Z","type":"turn_context","payload":{"model":"m"}}\n{"timestamp":"2026-05-13T09:01:00.000Z","type":"event_msg","payload":{"type":"token_count"}}',
      { sourceType: 'codex' },
    )
    expect(document).toMatchObject({ kind: 'agent', text: '', skips: [{ reason: 'too_short' }] })
  })
})
