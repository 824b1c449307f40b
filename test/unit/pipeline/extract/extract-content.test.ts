import { describe, expect, it } from 'vitest'
import { sentencesOf } from '../../../../src/lib/sentences.ts'
import { findEntities } from '../../../../src/pipeline/extract/entities.ts'
import { documentOf, extractFrom, turns } from './extract-document-builder.ts'

const typesIn = (text: string, persons: string[] = []) =>
  Object.fromEntries(
    findEntities(text, { persons, nameWords: new Set(persons.flatMap((name) => name.toLowerCase().split(' '))) }).map(
      (entity) => [entity.entity_name, entity.entity_type],
    ),
  )

describe('entities', () => {
  it('are typed by their form', () => {
    expect(
      typesIn(
        'See https://acme.test/a?b=1. Mail ops@acme.test about OPS-1423 and acme/shop#12: src/pay.ts costs $1,200.50 since v2.4.1, see DB_POOL_SIZE and chargeCard().',
      ),
    ).toEqual({
      'https://acme.test/a?b=1': 'url',
      'ops@acme.test': 'email',
      'OPS-1423': 'ticket',
      'acme/shop#12': 'repository',
      'src/pay.ts': 'file',
      '$1,200.50': 'money',
      'v2.4.1': 'version',
      DB_POOL_SIZE: 'identifier',
      'chargeCard()': 'identifier',
    })
  })

  it('are terms where only the capital tells', () => {
    expect(typesIn('We moved to Helm Charts. Nobody at Payline minds. Then Monday came.')).toEqual({
      'Helm Charts': 'term',
      Payline: 'term',
    })
  })

  it('are persons when the structure says so, or a given name', () => {
    expect(typesIn('Ann met Bob Ray and Wulf Ray in Paris.', ['Ann Lee'])).toEqual({
      'Ann Lee': 'person',
      'Bob Ray': 'person',
      'Wulf Ray': 'person',
      Paris: 'place',
    })
  })

  it('take formats that look like tickets for what they are', () => {
    expect(typesIn('The file is in UTF-8 and hashed with SHA-256.')).not.toMatchObject({ 'UTF-8': 'ticket' })
  })
})

describe('sentences', () => {
  it('are whole although their lines were wrapped', () => {
    expect(sentencesOf('The first sentence goes\nover two lines. The second\ndoes too.')).toEqual([
      'The first sentence goes over two lines.',
      'The second does too.',
    ])
  })

  it('keeps code between backticks in one sentence, and lines with labels apart', () => {
    expect(sentencesOf('I changed it to `a?.b() ?? c` there. All pass.')).toEqual([
      'I changed it to `a?.b() ?? c` there.',
      'All pass.',
    ])
    expect(sentencesOf('Don`t forget the keys. The code is 4711. It`s by the door.')).toHaveLength(3)
    expect(
      sentencesOf(
        'Check-in: Thursday, 19 November 2026, from 15:00\nAddress: Rua da Prata 81, 1100-415 Lisboa, Portugal',
      ),
    ).toEqual([
      'Check-in: Thursday, 19 November 2026, from 15:00',
      'Address: Rua da Prata 81, 1100-415 Lisboa, Portugal',
    ])
  })

  it('do not end at abbreviations, versions or file names', () => {
    expect(sentencesOf('Use e.g. Dr. Who with v1.2.3 in a.ts now. Done.')).toEqual([
      'Use e.g. Dr. Who with v1.2.3 in a.ts now.',
      'Done.',
    ])
  })

  it('leave out code and Markdown', () => {
    expect(sentencesOf('Do **this**:\n```\nx = 1. Y\n```\n- [link](http://a.test)\n- [x] item')).toEqual([
      'Do this: […]',
      'link',
      'item',
    ])
  })
})

describe('headlines and tags', () => {
  const CHAT = turns(
    ['Ann', 'Hi all!'],
    ['Ann', 'The staging database ran out of disk space last night.'],
    ['Bob', 'I enlarged the disk of the database to 200 GB.'],
  )

  it('are the title where there is one, and the fact that weighs most', async () => {
    const { memories } = await extractFrom(documentOf('chat', CHAT, { title: 'Disk full' }))
    expect(memories[0]?.content.headline).toBe('Disk full: Bob enlarged the disk of the database to 200 GB')
  })

  it('leave out what another says of themselves behind a title, the Re: of a mail, and the end of a long sentence', async () => {
    const headlineOf = async (title: string, text: string) =>
      (await extractFrom(documentOf('email', [[text, { type: 'paragraph' }]], { title, author: 'Ann' }))).memories[0]
        ?.content.headline
    expect(await headlineOf('Re: Re: Roof', 'My roofer wants 9,000 euros. The roof is done on 4 May.')).toBe(
      'Roof: The roof is done on 4 May',
    )
    expect(
      await headlineOf(
        'Roof',
        'The roof is done on 4 May, unless the wind from the north comes back with rain and hail again.',
      ),
    ).toBe('Roof: The roof is done on 4 May')
    expect(await headlineOf('Roof', 'I like the old tiles a lot, I must say.')).toBe('Roof')
  })

  it('are the first sentence that says something in a channel', async () => {
    const { memories } = await extractFrom(documentOf('chat', CHAT, { title: '#ops', where: '#ops' }))
    expect(memories[0]?.content.headline).toBe('The staging database ran out of disk space last night')
    expect(memories[0]?.content.where).toBe('#ops')
  })

  it('pass over remarks and pictures, and end with a clause and not within a quotation', async () => {
    const headlineOf = async (...said: (readonly [string, string])[]) =>
      (await extractFrom(documentOf('chat', turns(...said)))).memories[0]?.content.headline
    expect(
      await headlineOf(
        ['Ann', 'Your new hair color looks amazing on you!'],
        ['Ann', '[shares a photo of a beach in the evening]'],
        ['Bob', 'The staging database ran out of disk space last night.'],
      ),
    ).toBe('The staging database ran out of disk space last night')
    const long = 'even though nobody who looked at the plan of the house had expected anything of the kind'
    expect(await headlineOf(['Ann', `Because the old roof leaks over the stairs, ${long}.`])).not.toBe(
      'Because the old roof leaks over the stairs',
    )
  })

  it('name title and section of a document', async () => {
    const document = documentOf(
      'document',
      [
        ['Backups', { type: 'heading', level: 2 }],
        ['They run every night.', { type: 'paragraph' }],
      ],
      { title: 'Handbook' },
    )
    expect((await extractFrom(document)).memories[0]?.content.headline).toBe('Handbook: Backups')
  })

  it('are words of the passage, without names and fillers', async () => {
    const { memories } = await extractFrom(documentOf('chat', CHAT))
    const tags = memories[0]?.content.tags ?? []
    expect(tags).toContain('database')
    expect(tags).toContain('disk')
    expect(tags.length).toBeLessThanOrEqual(5)
    expect(tags).not.toContain('ann')
  })

  it('are found in texts without spaces too', async () => {
    const text = '数据库的备份在晚上运行，数据库的硬盘满了。'
    const { memories } = await extractFrom(documentOf('note', [[text, { type: 'paragraph' }]]))
    expect(memories[0]?.content.tags).toContain('备份')
  })
})

describe('participants', () => {
  it('are those who spoke in the passage, me under my own name', async () => {
    const { memories } = await extractFrom(
      documentOf('chat', turns(['mara@acme.test', 'The disk is full again today.'], ['Bob', 'I enlarged the disk.']), {
        participants: ['Mara Lindqvist <mara@acme.test>', 'Bob', 'Eve'],
      }),
    )
    expect(memories[0]?.content.participants).toEqual(['Mara Lindqvist', 'Bob'])
  })
})
