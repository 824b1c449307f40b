import { describe, expect, it } from 'vitest'
import { findNamedDays } from '../../../../src/lib/dates/named-days.ts'
import { findEntities } from '../../../../src/pipeline/extract/entities.ts'
import { companionsIn } from '../../../../src/pipeline/extract/extract.ts'
import { readPeople, splitAddressee } from '../../../../src/pipeline/extract/people.ts'
import { daysOf } from '../../../eval/extraction/written-days.ts'
import { documentOf, extractFrom, fileOf, narrate, turns } from './extract-document-builder.ts'

/** Said on Wednesday, 18 March 2026. */
const WEDNESDAY = new Date('2026-03-18T10:00:00Z')
const daysIn = (text: string, at: Date | undefined = WEDNESDAY) =>
  findNamedDays(text, { at, timeZone: 'Europe/Berlin' }).flatMap((day) => daysOf(day, 'Europe/Berlin'))

describe('the days a text names', () => {
  it.each([
    ['We ship on 31 March.', ['2026-03-31']],
    ['Moved to the 1st of July', ['2026-07-01']],
    ['December 31, 2026 at the latest', ['2026-12-31']],
    ['from 24 December to 2 January', ['2025-12-24', '2026-01-02']],
    ['6 to 8 July 2026', ['2026-07-06', '2026-07-08']],
    ['by the 29th', ['2026-03-29']],
    ['due on 30.06.2026', ['2026-06-30']],
    ['at the end of April', ['2026-04']],
    ['the numbers of last May', ['2025-05']],
    ['next month', ['2026-04']],
    ['see you on Friday', ['2026-03-20']],
    ['I called them on Friday', ['2026-03-13']],
    ['last Monday, next Sunday', []],
    ['Training was moved to Monday', ['2026-03-23']],
    ['the day after tomorrow', ['2026-03-20']],
    ['am 14. April um 8 Uhr', ['2026-04-14']],
    ['Ich habe gestern telefoniert', ['2026-03-17']],
    ['à partir du 1er mai', ['2026-05-01']],
    ['el viernes pasado', ['2026-03-13']],
    ['22 de maio de 2026', ['2026-05-22']],
    ['до среды, 31 марта', ['2026-03-31']],
    ['明日、3月25日まで', ['2026-03-19', '2026-03-25']],
  ])('%s', (text, days) => {
    expect(daysIn(text)).toEqual(days)
  })

  it.each([
    'for 3 years, in a few days',
    'every Monday, on Tuesdays',
    '03/04/2026 is one of two days',
    'version 12.05.1 may fail, 2 out of 3',
    'on Wednesday',
    'Wir sind hier und jeden Morgen da',
  ])('leave open what is open: %s', (text) => {
    expect(daysIn(text)).toEqual([])
  })

  it('are only full dates where nobody knows when it was said', () => {
    expect(findNamedDays('tomorrow, on 3 May, on 4 May 2026', { at: undefined, timeZone: 'UTC' })).toHaveLength(1)
  })

  it('are no months where they are people', () => {
    const nameWords = new Set(['april', 'moss'])
    expect(findNamedDays('a comment by April', { at: WEDNESDAY, timeZone: 'UTC', nameWords })).toEqual([])
  })

  it('stand among the entities, without the day of the memory itself unless it is written', async () => {
    const { memories } = await extractFrom(
      documentOf('chat', turns(['Ann', 'Today I sign the lease, and on 12 May we move.'], ['Bob', 'Great news, Ann!'])),
    )
    const dates = memories.flatMap(({ content }) => content.other_entities ?? [])
    expect(dates.filter(({ entity_type }) => entity_type === 'date')).toEqual([
      { entity_name: '12 May 2026', entity_type: 'date' },
    ])
  })
})

describe('names and their types', () => {
  const typesIn = (text: string, isProse = true) =>
    Object.fromEntries(
      findEntities(text, { persons: [], isProse }).map(({ entity_name, entity_type }) => [entity_name, entity_type]),
    )

  it.each([
    ['Krall GmbH and Brandt & Lee Ltd. pay.', { 'Krall GmbH': 'organization', 'Brandt & Lee Ltd.': 'organization' }],
    ['We fly from Berlin to Lisbon.', { Berlin: 'place', Lisbon: 'place' }],
    [
      'CHF 540, 8,900 SEK, 12k EUR, 30万円',
      { 'CHF 540': 'money', '8,900 SEK': 'money', '12k EUR': 'money', '30万円': 'money' },
    ],
    ['Runs at 600 RPM and 5 MHz', { RPM: 'term', MHz: 'term' }],
    ['Mme Garnier, Aunt Ruth and 田中さん', { 'Mme Garnier': 'person', 'Aunt Ruth': 'person', 田中さん: 'person' }],
    ['Closes #412 on 30.06.2026', { '#412': 'ticket' }],
    ['the certificate of shop.acme.test', { 'shop.acme.test': 'url' }],
    ['said Karin Ek of Payline', { 'Karin Ek': 'person', Payline: 'term' }],
    ['She wants a BluePad.', { BluePad: 'term' }],
  ])('%s', (text, types) => {
    expect(typesIn(text)).toEqual(types)
  })

  it('take a word with capitals inside for code where code is spoken of', () => {
    expect(typesIn('Rename UserStore.', false)).toEqual({ UserStore: 'identifier' })
  })
})

describe('who is meant', () => {
  it('whom a note says to have met took part in it', () => {
    expect(companionsIn('Lunch with Priya at noon. Met Jonas K. and Jonas W. in Leipzig, call with the bank.')).toEqual(
      ['Priya', 'Jonas K.', 'Jonas W.'],
    )
  })

  it('whom a note names by an office or a company took no part in it', () => {
    expect(companionsIn('Call with Voltaron support, then lunch with Calder Supplies and Ines.')).toEqual(['Ines'])
  })

  it('a name at the beginning is spoken to or spoken of', () => {
    const people = readPeople(fileOf(), documentOf('chat', turns(['Ann', 'a'], ['Bob', 'b'])))
    expect(splitAddressee('Bob, can you look?', people)).toEqual({ to: 'Bob', text: 'can you look?' })
    expect(splitAddressee('Bob has the rope', people)).toEqual({ to: undefined, text: 'Bob has the rope' })
  })

  it('a mail to my first name is to me, unless two have it', async () => {
    const mail = (participants: string[]) =>
      narrate(
        documentOf('email', [['The contract is ready for you.', { type: 'paragraph' }]], {
          author: 'Bob',
          participants,
        }),
      )
    expect(await mail(['mara@acme.test'])).toContain('Bob wrote to me.')
    expect(await mail(['mara@acme.test', 'Mara Stein <m.stein@acme.test>'])).not.toContain('to me')
  })

  it.each([
    ['They moved the meeting.', '"They moved the meeting."'],
    ['He fails since Monday.', '"He fails since Monday (2 March 2026)."'],
    ['Because it was full.', '"Because it was full."'],
    ['If you want to, feel free to change it.', '"If you want to, feel free to change it."'],
    ['From now on always write commit messages in English.', '"From now on always write commit messages in English."'],
    ['My friends came, and we stayed long.', '"My friends came, and we stayed long."'],
  ])('what would change its meaning is quoted: %s', async (text, quote) => {
    expect(await narrate(documentOf('chat', turns(['Bob', text], ['Mara Lindqvist', 'I saw it.'])))).toContain(quote)
  })

  it("a headline says whose words it is when somebody else's I is in it", async () => {
    const chat = documentOf(
      'chat',
      turns(['Bob', 'How are you today?'], ['Bob', 'I like the fence behind the garage.']),
    )
    const { memories } = await extractFrom(chat)
    expect(memories.map(({ content }) => content.headline)).toContain('Bob likes the fence behind the garage')
  })

  it('a headline has a question with its answer, and no id for a title', async () => {
    const chat = documentOf('chat', turns(['Ann', 'When does the new oven arrive?'], ['Bob', 'On Thursday at nine.']), {
      title: '96b21f6c',
    })
    const { memories } = await extractFrom(chat)
    expect(memories[0]?.content.headline).toBe('When does the new oven arrive? On Thursday at nine')
    expect(memories[0]?.content.narrative).not.toContain('96b21f6c')
  })

  it('a headline tells what somebody did as the narrative does', async () => {
    const chat = documentOf('chat', turns(['Bob', 'I repaired the fence behind the garage.']))
    const { memories } = await extractFrom(chat)
    expect(memories.map(({ content }) => content.headline)).toEqual(['Bob repaired the fence behind the garage'])
  })
})
