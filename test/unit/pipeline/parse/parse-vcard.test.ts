import { describe, expect, it } from 'vitest'
import { withinProcessorTime } from '../../../lib/processor-time.ts'
import { blockTexts, parsed } from './parse-source-file.ts'

function card(version: string, ...lines: readonly string[]): string {
  return ['BEGIN:VCARD', `VERSION:${version}`, ...lines, 'END:VCARD', ''].join('\r\n')
}

const MOSSIE = card(
  '3.0',
  'N:Garrihy;Michael;;;',
  'FN:Michael Garrihy "Sergeant"',
  'NICKNAME:Mossie,Moss',
  'ORG:Garda Síochána;Ennis',
  'TITLE:Sergeant\\, retired',
  'EMAIL;type=INTERNET;type=HOME;type=pref:mossie@example.org',
  'TEL;type=CELL;type=VOICE:+353 87 123 4567',
  'item1.TEL:065 123 456',
  'item1.X-ABLabel:_$!<HomeFAX>!$_',
  'item2.ADR;type=HOME:;;1 Main St\\, Upper;Ennistymon;Clare;V95;Ireland',
  'BDAY;X-APPLE-OMIT-YEAR=1604:1604-03-14',
  'item3.X-ABRELATEDNAMES:Breda Lynch',
  'item3.X-ABLabel:_$!<Sister>!$_',
  'item4.X-ABDATE:2009-08-08',
  'item4.X-ABLabel:Retirement',
  'IMPP;X-SERVICE-TYPE=Skype:skype:mossie47',
  'URL;type=HOME:https://mossie.example/a?b=1',
  'CATEGORIES:myContacts,Neighbours',
  'NOTE:Has a spare key to Mam\\, under\\nthe blue',
  '  pot\\; ring first.',
  'PHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQSkZJRgABAQAAAQABAAD/',
  ' 2wBDAAMCAgICAgMCAgIDAwMDBAYEBAQEBAgGBgUGCQgKCgkICQkKDA8MCgsOCwkJDRE=',
  'REV:2026-02-01T10:00:00Z',
)

describe('a contact of a vCard file', () => {
  it('is written as connectors write contacts, without its photo', async () => {
    const { kind, text, meta, skips } = await parsed(MOSSIE)
    expect(text).toBe(`Contact: Michael Garrihy "Sergeant"
Nickname: Mossie
Nickname: Moss
Works as: Sergeant, retired at Ennis, Garda Síochána
Email (home): mossie@example.org
Phone (mobile): +353 87 123 4567
Phone (home fax): 065 123 456
Address (home): 1 Main St, Upper, Ennistymon, Clare, V95, Ireland
Birthday: --03-14
Retirement: 2009-08-08
Sister: Breda Lynch
Skype: mossie47
Web (home): https://mossie.example/a?b=1
Groups: Neighbours
Notes: Has a spare key to Mam, under
the blue pot; ring first.`)
    expect(kind).toBe('note')
    expect(meta).toEqual({ title: 'Michael Garrihy "Sergeant"', participants: ['Michael Garrihy "Sergeant"'] })
    expect(skips).toEqual([{ reason: 'binary_part', count: 1, detail: '1 embedded file' }])
  })

  it('is read in version 2.1, with types without a name and quoted-printable', async () => {
    const { text } = await parsed(
      card(
        '2.1',
        'N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=',
        '=C3=B6rg;;Dr.;',
        'TEL;WORK;FAX:030 1',
        'NOTE;CHARSET=ISO-8859-1;QUOTED-PRINTABLE:Gr=FC=DFe=0D=0Aund mehr',
        'PHOTO;ENCODING=BASE64;JPEG:/9j/4AAQSkZJRgABAQAAAQ==',
        '',
        'X-ANDROID-CUSTOM:vnd.android.cursor.item/nickname;Jogi;1;;;;;;;;;;;;;',
      ),
    )
    expect(text).toBe('Contact: Dr. Jörg Müller\nNickname: Jogi\nPhone (work fax): 030 1\nNotes: Grüße\nund mehr')
  })

  it('is read in version 4.0, with addresses as URIs', async () => {
    const { text } = await parsed(
      card(
        '4.0',
        'FN:Niamh Ryan',
        'TEL;VALUE=uri;TYPE="voice,work":tel:+353-61-555',
        'ADR;LABEL="Main St; Ennis":;;;;;;',
        'BDAY:19750714',
        'ANNIVERSARY:20090808T1430-0500',
        'RELATED;TYPE=spouse;VALUE=text:Conor Ryan',
        'RELATED;TYPE=friend:urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6',
        'IMPP:xmpp:niamh@chat.test',
        'PHOTO:data:image/jpeg;base64,/9j/4AAQSkZJRgABAQAAAQ',
      ),
    )
    expect(text).toBe(`Contact: Niamh Ryan
Phone (work): +353-61-555
Address: Main St; Ennis
Birthday: 1975-07-14
Anniversary: 2009-08-08
Spouse: Conor Ryan
Jabber: niamh@chat.test`)
  })

  it.each([
    ['ORG:Lahinch Surgery', 'TEL:065 1', 'Contact: Lahinch Surgery\nPhone: 065 1'],
    ['N:;;;;', 'EMAIL:ann@example.org', 'Contact: ann@example.org\nEmail: ann@example.org'],
  ])('without a name is called by what is known: %s', async (...lines) => {
    expect((await parsed(card('3.0', ...lines.slice(0, 2)))).text).toBe(lines[2])
  })

  it('is read in the old encoding it names', async () => {
    const bytes = Buffer.from(card('2.1', 'N;CHARSET=ISO-8859-1:Müller;Jörg'), 'latin1')
    expect((await parsed(bytes)).text).toBe('Contact: Jörg Müller')
  })

  it('keeps the commas of a note that no program escaped', async () => {
    const { text } = await parsed(card('3.0', 'FN:Ann', 'NOTE:Neighbor, has a spare key, not on Mondays'))
    expect(text).toBe('Contact: Ann\nNotes: Neighbor, has a spare key, not on Mondays')
  })

  it('has all its jobs, and its gender', async () => {
    const jobs = ['TITLE:Midwife', 'TITLE:Teacher', 'ORG:St Luke', 'ORG:City College', 'GENDER:F']
    expect((await parsed(card('4.0', 'FN:Ann', ...jobs))).text).toBe(
      'Contact: Ann\nWorks as: Midwife at St Luke\nWorks as: Teacher at City College\nGender: female',
    )
    const open = ['TITLE:Midwife', 'TITLE:Teacher', 'ORG:St Luke', 'GENDER:O;intersex']
    expect((await parsed(card('4.0', 'FN:Ann', ...open))).text).toBe(
      'Contact: Ann\nWorks as: Midwife at St Luke\nWorks as: Teacher\nGender: intersex',
    )
  })

  it.each([
    ['2.1', ['AGENT:', 'BEGIN:VCARD', 'VERSION:2.1', 'FN:Susan Bell', 'END:VCARD']],
    ['3.0', ['AGENT:BEGIN:VCARD\\nVERSION:3.0\\nFN:Susan Bell\\nEND:VCARD\\n']],
  ])('names its agent, whose card it contains in version %s', async (version, agent) => {
    const { text } = await parsed(card(version, 'FN:Ann Lee', ...agent, 'TEL:065 1'))
    expect(text).toContain('Contact: Ann Lee\nPhone: 065 1\nAgent: Susan Bell')
  })

  it('keeps no secrets', async () => {
    const { text } = await parsed(card('3.0', 'FN:Router', 'NOTE:token ghp_0123456789abcdefghijABCDEFGHIJ012345'))
    expect(text).not.toContain('ghp_0123456789')
  })
})

describe('a vCard file', () => {
  it('has a section for each contact, also for two of one name', async () => {
    const document = await parsed(['FN:Ann', 'FN:Ben', 'FN:Ben'].map((name) => card('3.0', name)).join(''))
    expect(document.meta).toEqual({ participants: ['Ann', 'Ben'] })
    expect(blockTexts(document)).toEqual(
      ['Ann', 'Ben', 'Ben'].flatMap((name) => [
        ['heading', name],
        ['paragraph', `Contact: ${name}`],
      ]),
    )
  })

  it.each([
    ['an entry without its end', 'BEGIN:VCARD\nVERSION:3.0\nFN:Ben\n', 'Contact: Ben'],
    ['lines that are none', card('3.0', 'FN:Ben', 'no line', 'TEL;TYPE="home:1', ';:'), 'Contact: Ben'],
    ['an empty entry', card('3.0'), ''],
    ['a group', card('3.0', 'FN:Family', 'X-ADDRESSBOOKSERVER-KIND:group'), ''],
    ['a day that is none', card('3.0', 'FN:Ben', 'BDAY:in spring'), 'Birthday: in spring'],
  ])('loses no other contact to %s', async (_, damaged, expected) => {
    const { text } = await parsed(`${card('3.0', 'FN:Ann')}${damaged}${card('3.0', 'FN:Cleo')}`)
    expect(text).toContain('Contact: Ann')
    expect(text).toContain(expected)
    expect(text).toContain('Contact: Cleo')
    expect(text).not.toContain('Family')
  })

  it('counts damaged lines as unreadable', async () => {
    const { skips } = await parsed(card('3.0', 'FN:Ben', 'TEL:040 123', 'no line', 'TEL;TYPE="home:1'))
    expect(skips).toEqual([{ reason: 'unreadable', count: 2, detail: '2 unreadable lines' }])
  })

  it('is known by its name where its beginning is damaged', async () => {
    const text = `VERSION:3.0\nFN:Lost\nEND:VCARD\n${card('3.0', 'FN:Ann')}`
    expect((await parsed(text, { fileName: 'contacts.vcf' })).text).toBe('Contact: Ann')
    expect((await parsed(text)).text).toContain('BEGIN:VCARD')
  })

  it('without a contact is refused with the remedy', async () => {
    await expect(parsed(card('3.0'))).rejects.toMatchObject({
      code: 'unreadable',
      message: 'The file has no readable contact; export it again and upload that',
    })
  })

  it('is read up to its limit', async () => {
    const { blocks, skips } = await parsed(card('3.0', 'FN:Ann').repeat(10_002))
    expect(blocks).toHaveLength(20_000)
    expect(skips).toEqual([{ reason: 'limit', count: 2, detail: '2 contacts beyond the first 10000' }])
  })

  it.each([';TYPE=a', '"', '\n a', '=\n', ';', 'BEGIN:VCARD\n', 'NOTE;QUOTED-PRINTABLE:=\n'])(
    'of %j many times takes linear time',
    async (part) => {
      const text = `BEGIN:VCARD\nFN:Ann\nNOTE;QUOTED-PRINTABLE${part.repeat(200_000)}:a\n`
      expect((await withinProcessorTime(5, () => parsed(text))).text).toContain('Ann')
    },
  )
})
