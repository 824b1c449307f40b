import { describe, expect, it } from 'vitest'
import type { SourceFile } from '../../../../src/domain/document.ts'
import { parsed } from './parse-source-file.ts'

const UTC = { timeZone: 'UTC' }

/** The day of each block that has one, behind its text. */
async function days(text: string, file: Partial<SourceFile> = {}): Promise<Record<string, string | undefined>> {
  const document = await parsed(text, { ...UTC, ...file })
  const entries = document.blocks.map(({ start, end, at }) => [
    document.text.slice(start, end),
    at?.toISOString().slice(0, 10),
  ])
  return Object.fromEntries(entries)
}

const under = (heading: string) => `# Diary 2026\n\nMine.\n\n## ${heading}\n\nRehearsed until ten.\n`

describe('the section of a day', () => {
  it.each([
    '2026-09-13',
    '13.09.2026',
    'Sunday, 13 September 2026',
    'September 13, 2026',
    'Sun 13 Sep 2026',
    '2026-09-13 (Sun)',
    '2026-09-13 18:30',
    '**2026-09-13**',
    '[[2026-09-13]]',
    'Sonntag, den 13. September 2026',
    'Dimanche 13 septembre 2026',
    'Le 13 septembre 2026',
    'Domingo, 13 de septiembre de 2026',
    '2026年9月13日',
    '2026年9月13日（日）',
    '13 September',
    'Sunday, September 13th',
    '9月13日',
    '2026-09-13 – rehearsal',
    '13 September: the rehearsal',
  ])('is headed by %s', async (heading) => {
    expect(await days(under(heading))).toMatchObject({ 'Mine.': undefined, 'Rehearsed until ten.': '2026-09-13' })
  })

  it.each([
    ['something that is on a day', 'Launch on 17 March 2026'],
    ['something before a dash', 'Launch – 17 March 2026'],
    ['a release', '2.1.0 (2026-09-13)'],
    ['a release behind its day', '2026-09-13 – 2.1.0'],
    ['a deadline', '2026-09-13 – deadline for the grant'],
    ['a stretch of days', '13 September – 17 September'],
    ['a stretch in one month', '13–17 September 2026'],
    ['a month', 'September 2026'],
    ['the third of April or the fourth of March', '03/04/2026'],
    ['a day that is planned', '13 December 2026'],
    ['a day of another year, by its weekday', 'Monday, 13 September'],
    ['a day that does not exist', '31.09.2026'],
  ])('is not headed by %s', async (_, heading) => {
    expect((await days(under(heading)))['Rehearsed until ten.']).toBeUndefined()
  })

  it('includes its subsections, and ends with the next section', async () => {
    const text = '# Log\n\n## 2026-09-13\n\nOne.\n\n### Evening\n\nTwo.\n\n## Ideas\n\nThree.\n\n## 2026-09-14\n\nFour.'
    expect(await days(text)).toMatchObject({
      'One.': '2026-09-13',
      'Two.': '2026-09-13',
      'Three.': undefined,
      'Four.': '2026-09-14',
    })
  })

  it('goes on below the section of another day inside of it', async () => {
    const text = '# Log\n\n## 2026-09-13\n\n### 2026-09-10\n\nOne.\n\n### Evening\n\nTwo.'
    expect(await days(text)).toMatchObject({ 'One.': '2026-09-10', 'Two.': '2026-09-13' })
  })

  it('leaves the other parts the day of the document', async () => {
    const document = await parsed(`---\nwhen: 2026-09-20\n---\n${under('2026-09-13')}`, UTC)
    expect(document.meta.when?.start).toEqual(new Date('2026-09-20'))
    expect(document.blocks.map(({ at }) => at?.toISOString().slice(0, 10))).toEqual([
      undefined,
      undefined,
      undefined,
      '2026-09-13',
    ])
  })
})

describe('the year of a day without one', () => {
  const entry = '13 September\n\nRehearsed until ten.'

  it.each([
    ['the title', '# Diary 2025\n\n', {}],
    ['the heading above', '# Diary\n\n## 2025\n\n#', {}],
    ['the front matter', '---\ndate: 2025-01-01\n---\n', {}],
    ['the file name', '', { fileName: 'old/diary-2025.md' }],
  ])('is that of %s', async (_, head, file) => {
    expect(await days(`${head}## ${entry}`, file)).toMatchObject({ 'Rehearsed until ten.': '2025-09-13' })
  })

  it.each([
    ['no year', '# Diary'],
    ['two years', '# Diary 2025 and 2026'],
    ['a season', '# Season 2025-26'],
  ])('is unknown with %s in the title', async (_, title) => {
    expect((await days(`${title}\n\n## ${entry}`))['Rehearsed until ten.']).toBeUndefined()
  })
})

describe('days on lines of their own', () => {
  it.each([
    ['in bold', '**2026-09-13**\n\nOne.\n\n**2026-09-14**\nTwo.'],
    ['in plain text', 'Sunday, 13 September 2026\nOne.\n\nMonday, 14 September 2026\nTwo.'],
    ['that look like items of lists', '13. September 2026\nOne.\n\n14. September 2026\n\nTwo.'],
    ['below a title with the year', 'Diary 2026\n\n13 September\nOne.\n\n14 September\nTwo.'],
    ['below a heading', '# Diary\n\n## Autumn\n\n**2026-09-13**\n\nOne.\n\n**2026-09-14**\n\nTwo.'],
  ])('date the entries below them: %s', async (_, text) => {
    expect(await days(text)).toMatchObject({ 'One.': '2026-09-13', 'Two.': '2026-09-14' })
  })

  it('are no sections where there is only one, as in a letter', async () => {
    expect((await days('# Letter\n\nDear Ann,\n\n13 September 2026\n\nOne.'))['One.']).toBeUndefined()
  })

  it('end with the section that they are in', async () => {
    const text = '# Log\n\n## Walks\n\n**2026-09-13**\n\nOne.\n\n**2026-09-14**\n\nTwo.\n\n## Ideas\n\nThree.'
    expect((await days(text))['Three.']).toBeUndefined()
  })
})

describe('a file of days only', () => {
  it('has no title, because its first day is not that of the others', async () => {
    const { meta } = await parsed('# 2026-09-13\n\nOne.\n\n# 2026-09-14\n\nTwo.', UTC)
    expect(meta).toEqual({})
  })

  it('with one day is titled with it', async () => {
    const { meta } = await parsed('# 2026-09-13\n\nOne.\n\n## Evening\n\nTwo.', UTC)
    expect(meta).toEqual({ title: '2026-09-13', when: { start: new Date('2026-09-13'), precision: 'day' } })
  })
})
