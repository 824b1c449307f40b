import { describe, expect, it } from 'vitest'
import type { SourceFile } from '../../../../src/domain/document.ts'
import { extract } from '../../../../src/pipeline/extract/extract.ts'
import { typeNames } from '../../../../src/pipeline/extract/names/name-types.ts'
import { isChatter } from '../../../../src/pipeline/extract/salience.ts'
import { segment } from '../../../../src/pipeline/segment/segment.ts'
import { parsed, sourceFile } from '../parse/parse-source-file.ts'
import { documentOf, narrate, turns } from './extract-document-builder.ts'

async function contents(body: string, file: Partial<SourceFile> = {}) {
  const source = { userName: 'Ann Lee', ...file }
  const document = await parsed(body, source)
  const chunks = await segment.run(document)
  const { memories } = await extract.run({ file: sourceFile(body, source), document, chunks })
  return memories.map(({ content }) => content)
}

const README = `# tapwater

tapwater copies tables of PostgreSQL into files on a schedule of one hour, which is what we use at Brunnwerk. It was written
in 2022 after the third outage of the old export, and it has run since then without a single lost row. Tables without a primary key are
skipped, and so are large objects, because nobody has ever needed them in the warehouse so far.

## Why not Kafka?

We tried it in 2024. It needs three more servers, and nobody here wanted to operate them for a handful of small tables, so the
team went back to plain files after two months and never missed anything of what the larger system had offered to us.

## Empty

### Contributing

Pull requests are welcome! Please run the tests first.
`

describe('accounts of documents', () => {
  it('begin with the topic, answer a heading that asks, and leave out headings without a text', async () => {
    const told = await contents(README, { sourceType: 'technical_docs', fileName: 'README.md' })
    const kafka = told.find(({ narrative }) => narrative?.includes('three more servers'))
    expect(kafka?.narrative).toMatch(/^"Why not Kafka\?" in my document "tapwater": "We tried it in 2024\./)
    expect(kafka?.headline).toBe('Why not Kafka? We tried it in 2024')
    const all = told.map(({ narrative }) => narrative).join('\n')
    expect(all).not.toContain('Empty:')
    expect(all).not.toContain('welcome')
    expect(told.flatMap(({ other_entities = [] }) => other_entities)).toContainEqual({
      entity_name: 'Brunnwerk',
      entity_type: 'organization',
    })
  })

  it('times at the end of a title are left out', async () => {
    const [first] = await contents('# Call with Norwood, 10:15, 14 min\n\nThey cover the crown from 3 March on.\n', {
      fileName: 'call.md',
    })
    expect(first?.narrative).toContain('"Call with Norwood"')
  })

  it('a list is listed', async () => {
    const [first] = await contents('# Packing\n\n- tent from Mia\n- two stoves\n- 40 m of rope\n', {
      sourceType: 'gdocs',
      fileName: 'packing.md',
    })
    expect(first?.narrative).toBe('My document "Packing" lists: "tent from Mia; two stoves; 40 m of rope"')
  })

  it('a letter is from its writer, without the letterhead', async () => {
    const [first] = await contents(
      'Oakfield School\n12 Mill Lane\n\nDear parents,\n\nthe school is closed on 3 March because of the storm.\n\nKind regards\nP. Hollis\nHeadteacher\n',
      { sourceType: 'pdf', fileName: 'letter.txt' },
    )
    expect(first?.narrative).toContain(
      'I received a letter from P. Hollis: "The school is closed on 3 March because of the storm."',
    )
  })
})

describe('accounts of conversations', () => {
  it('each notification lists its own sender only', async () => {
    const told = await contents(
      '[2026-11-19 08:12] N26: You paid 54.90 EUR\n[2026-11-19 11:45] DHL: Your parcel arrives at 14:00\n[2026-11-19 12:10] Monzo: You paid £3.20\n',
      { fileName: 'notifications.txt' },
    )
    const firms = told.map(({ other_entities = [] }) =>
      other_entities.flatMap((one) => (one.entity_type === 'organization' ? [one.entity_name] : [])),
    )
    expect(firms).toEqual([['N26'], ['DHL'], ['Monzo']])
  })

  it('a first sentence with "it" gets the question that names it', async () => {
    const chat = documentOf(
      'chat',
      turns(
        ['Ann', "So who's finished Piranesi?"],
        ['Ben', 'halfway'],
        ['Cleo', "I couldn't put it down"],
        ['Ben', 'The room has 12 seats.'],
      ),
    )
    expect(await narrate(chat)).toContain('question "So who\'s finished Piranesi?" Cleo couldn\'t put it down.')
  })

  it('code stays in what an agent said', async () => {
    const [first] = await contents(
      '## User\n\nFix the login.\n\n## Assistant\n\nThe button in `login.tsx` is now disabled until `/session` has answered.\n',
      { sourceType: 'claude_code', fileName: 'session.md' },
    )
    expect(first?.narrative).toContain(
      'It said that the button in `login.tsx` is now disabled until `/session` has answered.',
    )
  })
})

describe('what says nothing', () => {
  it.each([
    'Two things:',
    'There are three realistic options.',
    'Thank you for having us last Thursday, it was a pleasure to see the flat.',
    'Hello, welcome to Vodafone support!',
    'Wir verwenden Cookies.',
    'Mehr erfahren',
  ])('%s', (sentence) => {
    expect(isChatter(sentence)).toBe(true)
  })

  it.each([
    'Thank you for the offer, we take the oak.',
    'Thanks for bringing Tom Baker to the dinner.',
    'Two things are broken in the boiler.',
    'Mum rang in the evening.',
    'Welcome to the new rates: 12 euros.',
  ])('but not: %s', (sentence) => {
    expect(isChatter(sentence)).toBe(false)
  })
})

describe('names in passing', () => {
  it.each([
    ['It was paid by Vattenfall Europe Sales', 'Vattenfall Europe Sales', 'organization'],
    ['la serrurerie Bonnet est débordée', 'Bonnet', 'organization'],
    ['Ask at once. Owner: Dev Patel', 'Dev Patel', 'person'],
    ['no service between Alexanderplatz and the zoo', 'Alexanderplatz', 'place'],
  ])('%s', (text, name, type) => {
    expect(typeNames(text, { nameWords: new Set(), capitalsMean: true, isProse: true })).toContainEqual({ name, type })
  })
})
