import { describe, expect, it } from 'vitest'
import { parsed, turns } from './parse-source-file.ts'

const TEXT = 'We met Jan and talked about the boiler.\n'
const front = (...lines: readonly string[]) => ['---', ...lines, '---', TEXT].join('\n')
const dayStart = new Date('2026-03-03T23:00:00Z')

describe('the time in front matter', () => {
  it.each([
    ['date: 2026-03-04', 'day', '2026-03-03T23:00:00.000Z'],
    ['date: 20260304', 'day', '2026-03-03T23:00:00.000Z'],
    ['date: 2026-03-04 10:00:00 +0100', 'minute', '2026-03-04T09:00:00.000Z'],
    ['date: 2026-03-04T10:00:00Z', 'minute', '2026-03-04T10:00:00.000Z'],
    ['day: 2026-03-04', 'day', '2026-03-03T23:00:00.000Z'],
    ['created: 2026-03-04T10:12', 'minute', '2026-03-04T09:12:00.000Z'],
    ['updated: 2026-03-04', 'day', '2026-03-03T23:00:00.000Z'],
    ['modified: 2026-03-04', 'day', '2026-03-03T23:00:00.000Z'],
    ['lastmod: 4 March 2026', 'day', '2026-03-03T23:00:00.000Z'],
  ])('may be %s', async (line, precision, start) => {
    const { meta, text, skips } = await parsed(front(line))
    expect(meta.when).toEqual({ start: new Date(start), precision })
    expect(text.trim()).toBe(TEXT.trim())
    expect(skips).toEqual([])
  })

  it.each([
    ['when goes before date', ['date: 2026-05-01', 'when: 2026-03-04']],
    ['date goes before created', ['created: 2026-05-01', 'date: 2026-03-04']],
    ['created goes before updated', ['updated: 2026-05-01', 'created: 2026-03-04']],
    [
      'what cannot be read does not count',
      ['date: "{{date}}"', 'published: true', 'day: Monday', 'updated: 2026-03-04'],
    ],
  ])('%s', async (_, lines) => {
    expect((await parsed(front(...lines))).meta.when?.start).toEqual(dayStart)
  })

  it.each([
    ['tags: [home, boiler]', 'aliases:', '  - Jan'],
    ['layout: post', 'title: Jan', 'categories: home', 'draft: false', 'permalink: /jan'],
  ])('what programs keep there for themselves is left out silently: %s', async (...lines) => {
    const { text, skips, meta } = await parsed(front(...lines))
    expect(text.trim()).toBe(TEXT.trim())
    expect(skips).toEqual([])
    expect(meta.when).toBeUndefined()
  })
})

it('may be the TOML of Hugo', async () => {
  const toml = '+++\ntitle = "Trip"\ndate = 2026-03-04T10:00:00Z\ntags = ["a"]\n\n[params]\nx = 1\n+++\n'
  const { meta, text, skips } = await parsed(`${toml}${TEXT}`)
  expect(meta).toEqual({ title: 'Trip', when: { start: new Date('2026-03-04T10:00:00Z'), precision: 'minute' } })
  expect(text.trim()).toBe(TEXT.trim())
  expect(skips).toEqual([])
})

describe('a day in a name', () => {
  it.each([
    '2026-03-04 standup.md',
    '2026-03-04.md',
    '2026-03-04-standup.md',
    'standup_2026_03_04.txt',
    '20260304_notes.md',
    'GMT20260304-101200_Recording.txt',
    'Meeting 4 March 2026.md',
    'Sitzung vom 4. März 2026.md',
    'Protokoll 04.03.2026.txt',
  ])('is that of the file: %s', async (fileName) => {
    expect((await parsed(TEXT, { fileName })).meta.when).toEqual({ start: dayStart, precision: 'day' })
  })

  it('of the title goes before that of the file', async () => {
    const { meta } = await parsed(`# Meeting 4 March 2026\n\n${TEXT}`, { fileName: '2026-05-01.md' })
    expect(meta).toMatchObject({ title: 'Meeting 4 March 2026', when: { start: dayStart, precision: 'day' } })
  })

  it.each([
    'upload.md',
    'report due 2026-03-04.md',
    '2026-03-04 to 2026-03-06.md',
    'v2026.03.04.md',
    'a20260304f.md',
    '12026030409.md',
    '2026-13-45.md',
    'March 2026.md',
  ])('is none in %s', async (fileName) => expect((await parsed(TEXT, { fileName })).meta.when).toBeUndefined())

  it.each([
    ['front matter', `---\nwhen: 2026-05-01T10:00:00Z\n---\n${TEXT}`],
    ['the head of a note', `1 May 2026\n\n${TEXT}`],
  ])('counts less than %s', async (_, text) => {
    const { meta } = await parsed(text, { fileName: '2026-03-04.md' })
    expect(meta.when?.start.toISOString()).toMatch(/^2026-(?:05-01|04-30)/)
  })

  it('dates the clock times of a chat', async () => {
    const document = await parsed('[10:12] Ann: I met Jan.\n[10:13] Ben: Good.', { fileName: '2026-03-04 standup.txt' })
    expect(turns(document).map(([, at]) => at)).toEqual(['2026-03-04T09:12:00.000Z', '2026-03-04T09:13:00.000Z'])
    expect(document.meta.when).toEqual({ start: dayStart, precision: 'day' })
  })

  it('is when a chat was saved, where its turns have other days', async () => {
    const chat = '[2023-05-01 10:12] Ann: I met Jan.\n[2023-05-01 10:13] Ben: Good.'
    expect((await parsed(chat, { fileName: '2026-03-04 export.txt' })).meta.when).toBeUndefined()
  })

  it('is not when a mail was sent', async () => {
    const mail = 'From: a@acme.test\nTo: b@acme.test\nSubject: Meeting 4 March 2026\nMIME-Version: 1.0\n\nSee you.\n'
    expect((await parsed(mail)).meta).toEqual(expect.not.objectContaining({ when: expect.anything() }))
  })
})
