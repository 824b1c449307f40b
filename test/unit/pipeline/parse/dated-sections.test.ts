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
    'Day 2, 13 September',
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

describe('days without a year on either side of New Year', () => {
  const sections = (title: string, ...days: string[]) =>
    [`# ${title}`, ...days.map((day) => `## ${day}\n\nOn ${day}`)].join('\n\n')

  it('have the following year where their order goes on', async () => {
    expect(await days(sections('Baustelle 2025', '28.12.', '3.1.', '5.2.'))).toMatchObject({
      'On 28.12.': '2025-12-28',
      'On 3.1.': '2026-01-03',
      'On 5.2.': '2026-02-05',
    })
  })

  it('have the year of the title where the last one is first', async () => {
    expect(await days(sections('Baustelle 2025', '28.12.', '20.11.', '3.1.'))).toMatchObject({
      'On 3.1.': '2025-01-03',
    })
  })

  it('have none where they are in no order', async () => {
    const found = await days(sections('Baustelle 2025', '28.3.', '3.2.', '20.12.', '3.1.'))
    expect(found['On 3.1.']).toBeUndefined()
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

describe('a day in digits without a year', () => {
  it('has the year of the title', async () => {
    expect(await days('# Tagebuch 2026\n\n**14.9.**\nEins.\n\n**15.9.**\nZwei.')).toMatchObject({
      'Eins.': '2026-09-14',
      'Zwei.': '2026-09-15',
    })
  })

  it('has the year in which all days of the file had their weekdays', async () => {
    expect(await days('# Work log\n\nMon 3/11\n- One\n\nTue 3/12\n- Two\n\nWed 3/13\n- Three')).toMatchObject({
      '- One': '2024-03-11',
      '- Three': '2024-03-13',
    })
    expect(await days('Montag, 14. September\nEins.\n\nDienstag, 15. September\nZwei.')).toMatchObject({
      'Eins.': '2026-09-14',
    })
  })

  it.each([
    ['their weekdays are of years far apart', 'Mon 14 Sep\nOne.\n\nWed 15 Sep\nTwo.'],
    ['there is no weekday', '14 Sep\nOne.\n\n15 Sep\nTwo.'],
  ])('has none where %s', async (_, text) => {
    expect(Object.values(await days(text))).not.toContainEqual(expect.any(String))
  })

  it('is read in the only order that all days of the file allow', async () => {
    const file = (last: string) => `### 3/4/2026\n\nOne.\n\n### 3/5/2026\n\nTwo.\n\n### ${last}/2026\n\nThree.`
    expect(await days(file('3/14'))).toMatchObject({ 'One.': '2026-03-04', 'Three.': '2026-03-14' })
    expect((await days(file('4/10')))['Two.']).toBeUndefined()
  })
})

/** Behind each line with a day, which is then no short record. */
const MORE = ' It rained on the beans until late in the evening.'
const atLength = (text: string) => text.replace(/^.*\d.*[^\d\n]$/gm, `$&${MORE}`)

describe('lines that begin with a day', () => {
  it.each([
    ['a dash', '2026-09-12 - One.\n2026-09-13 - Two.\n2026-09-15 - Three.'],
    ['a colon', '2026-09-12: One.\n\n2026-09-13: Two.\n\n2026-09-15: Three.'],
    ['items of a list', '- 12 September 2026: One.\n- 13 September 2026: Two.\n- 15 September 2026: Three.'],
    ['German days below a title', 'Gartenbuch 2026\n12.9. One.\n13.9. Two.\n15.9. Three.'],
    ['times of day', '2026-09-12 08:30 - One.\n2026-09-13 14:00 - Two.\n2026-09-15 07:15 - Three.'],
    ['the last day first', '2026-09-15 | Three.\n2026-09-13 | Two.\n2026-09-12 | One.'],
  ])('are entries, each of its day: with %s', async (_, text) => {
    expect(await days(atLength(text))).toMatchObject({
      [`One.${MORE}`]: '2026-09-12',
      [`Two.${MORE}`]: '2026-09-13',
      [`Three.${MORE}`]: '2026-09-15',
    })
  })

  it.each([
    ['a plan', '- 12 May 2027: fly to Porto\n- 13 May 2027: boat on the Douro'],
    ['birthdays', '- 12 March: Mum\n- 3 May: Jonas\n- 14 September: Lena'],
    ['deadlines', '- 2026-09-12: due for Ann\n- 2026-09-13: due for Ben'],
    ['releases', '2026-09-12: 2.1.0 with exports\n2026-09-13: 2.1.1 with fixes'],
    ['measures of a recipe', 'Cake 2026\n\n1/2 lb: butter\n3/4 l: milk'],
    ['a list out of order', '2026-09-12: One.\n2026-09-10: Two.\n2026-09-11: Three.'],
    ['numbered clauses', 'Lease 2026\n\n1.1. The rent is 940 euros.\n1.2. The deposit is 2,400 euros.\n1.3. No pets.'],
    ['many numbered clauses', '# Lease 2026\n\n12.1. No pets.\n12.2. No smoke.\n13.1. No noise.\n13.2. No bikes.'],
    ['years of birth', 'Family\n\n14 March 1962: Mum, likes orchids.\n2 July 1965: Dad, likes cake.'],
    ['an illness over decades', '14 March 1998: Heart attack.\n2 July 2011: Hip replaced.\n19 October 2019: Allergy.'],
    ['part of a letter', `Dear Ann,\n\n${'We have to talk. '.repeat(20)}\n\n2014-03-12: One.\n2019-09-03: Two.`],
  ])('are no entries of a diary in %s', async (_, text) => {
    expect(Object.values(await days(atLength(text)))).not.toContainEqual(expect.any(String))
  })

  it('are entries of a diary at any distance', async () => {
    const text = atLength('Boiler log\n\n12 March 2019: One.\n2 July 2022: Two.')
    expect(await days(text)).toMatchObject({ [`Two.${MORE}`]: '2022-07-02' })
  })

  it('are one list if they are short', async () => {
    const text = '- 2026-09-12: first 6B+\n- 2026-09-13: first 6C, in the cave\n- 2026-09-15: only 5s'
    expect(await days(text)).toEqual({ [text]: undefined })
  })

  it('leave the line above them as the title', async () => {
    const { meta } = await parsed(atLength('Boiler\n2025-03-12: serviced.\n2026-03-14: serviced again.'), UTC)
    expect(meta.title).toBe('Boiler')
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
