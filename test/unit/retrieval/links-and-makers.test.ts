import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ASKS_MAKER, saysMaker } from '../../../src/retrieval/answer/sentences/asked-maker.ts'
import { saysOpposite } from '../../../src/retrieval/answer/sentences/denials.ts'
import { statedText } from '../../../src/retrieval/recall/pointing-lines.ts'
import { openToldMemory, type ToldMemory } from '../../lib/told-memory.ts'

const stated = (text: string) => statedText({ kind: 'prose', sourceType: 'technical_docs' }, text)

test.each([
  '[quill-docs]: https://quill.example/docs',
  '[Deck]: #deck',
  '[src](https://code.example/quill/deck.ts#L8)',
  '- [Limits of a deck](#limits)',
  '2. [Limits](#limits)',
])('a line that only says where something else is: %s', (line) => {
  expect(stated(`Decks hold cards.\n\n${line}\n`)).toBe('Decks hold cards.\n\n')
})

test.each([
  'See [Limits](#limits).',
  '[Limits](#limits) are checked at night.',
  '- [Limits](#limits): 20 cards',
  '- [Piano lessons](https://piano.example)',
  '- [Ottolenghi](https://books.example/ottolenghi)',
  '[^1]: https://quill.example is down on Sundays',
  '[Ann]: the deck is full',
  '[The talk about decks](https://talks.example)',
  '[ ]: https is missing',
  '![Deck](deck.png)',
])('a line that states something stays: %s', (line) => {
  expect(stated(`[Home](https://quill.example)\n\n${line}`)).toContain(line)
})

test('a link of one word in a paragraph stays', () => {
  const text = 'A card has the\n[structure](https://quill.example/structure)\nof a deck.'
  expect(stated(text)).toBe(text)
})

test.each([
  'Quill was created by Ada Marsh in 2019.',
  'Maintained by the harbor team.',
  'Ada Marsh wrote Quill for her choir.',
  'The core team maintains it.',
  'Ada created Quill in 2019.',
  'Author: Ada Marsh',
  'We built it for our own library.',
  '@adamarsh (maintainer)',
])('tells who made something: %s', (sentence) => expect(saysMaker(sentence)).toBe(true))

test.each([
  'Creating a TypeScript Quill Plugin',
  'A scope is created for each deck.',
  'Quill even knows the Deck Viewer by name.',
  'Decks made with Quill Studio are larger.',
  'The name differs, because no new scope is created.',
  'Releases remain the prerogative of the maintainer.',
  'Designed for Deck Viewer and Card Box.',
  'When a deck is started, Card Box reads it.',
  'Plugins created earlier are loaded first.',
  'Quill runs on Linux and Mac OS.',
])('does not tell who made something: %s', (sentence) => expect(saysMaker(sentence)).toBe(false))

test.each([
  ['Who created Quill?', true],
  ['Who originally designed it?', true],
  ['Who has access to the deck?', false],
  ['Who can create a deck?', false],
  ['Who is the maintainer?', false],
  ['When was Quill created?', false],
])('asks who made something: %s %s', (question, is) => expect(ASKS_MAKER.test(question)).toBe(is))

test.each([
  ['Is the cache enabled by default?', 'The cache is disabled by default.', true],
  ['Are hints disabled?', 'Hints are always enabled.', true],
  ['Is the cache enabled by default?', 'It is disabled on the server and enabled on the client.', false],
  ['Is the cache enabled by default?', 'The cache is disabled if a deck is large.', false],
  ['Is the cache enabled?', 'The cache can be disabled.', false],
  ['Can I enable the cache?', 'The cache is disabled by default.', false],
  ['Is the cache enabled?', 'A disabled cache holds no cards.', false],
])('says the opposite: %s %s %s', (question, sentence, is) => expect(saysOpposite(question, sentence)).toBe(is))

const PAGES: Readonly<Record<string, string>> = {
  Quill: `A card box for choirs.

**Note**: This module does not work in the browser. The client is a program of its own.

## quill.Deck
[src](https://code.example/quill/deck.ts#L8)

Holds the cards of a choir.

## quill.shuffle
[src](https://code.example/quill/shuffle.ts#L8)
`,
  Fife: 'A player for scores. It works on a phone and in the browser, and reads every score of a choir.',
  Transposing: `## Keys

Fife transposes a score into another key, one staff at a time and without the words below it.

[transposing]: https://fife.example/transposing-a-score
[the keys of a score]: https://fife.example/which-keys-fife-transposes-a-score-into
`,
  Plugins: `## Creating a Quill Plugin

As Card Studio shows, Quill reads the names of Deck Viewer.
`,
}

describe('a page of documentation', () => {
  let memory: ToldMemory
  const ask = async (text: string) => memory.ask(text, 'Tess Moreau')

  beforeAll(async () => {
    memory = await openToldMemory(
      [],
      Object.entries(PAGES).map(([title, body], i) => ({
        itemId: `page-${i}`,
        text: `# ${title}\n\n${body}`,
        fileName: `${title}.md`,
        contentType: 'text/markdown',
        sourceType: 'technical_docs' as const,
      })),
    )
  })
  afterAll(() => memory.close())

  test('is not answered from by the words of a link', async () => {
    for (const question of ['How do I shuffle with quill?', 'What is quill.Deck?'])
      expect((await ask(question)).response).not.toContain('src')
  })

  test('is neither answered from nor quoted with its definitions of links', async () => {
    for (const question of [
      'Which keys does Fife transpose a score into?',
      'transposing a score',
      'What is Fife?',
      'Does Fife read a score of a choir?',
    ])
      expect((await ask(question)).response).not.toContain('https://fife.example')
  })

  test('does not tell who made something by the names in a heading', async () => {
    expect((await ask('Who created Quill?')).abstained).toBe(true)
  })

  test('denies by what it says of its own subject', async () => {
    expect((await ask('Does Quill work in the browser?')).response).toMatch(/^No: /)
  })

  test('and not what another page is asked about', async () => {
    expect((await ask('Does Fife work in the browser?')).response).not.toMatch(/^No/)
  })
})
