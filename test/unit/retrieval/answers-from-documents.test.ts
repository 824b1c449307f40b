import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { analyze, hashTerm } from '../../../src/lib/analyze.ts'
import type {
  AnswerPassage,
  AnswerSentence,
  AskedQuestion,
} from '../../../src/retrieval/answer/sentences/answer-sentence.ts'
import { linesApart } from '../../../src/retrieval/answer/sentences/lines-apart.ts'
import { yesOrNo } from '../../../src/retrieval/answer/sentences/yes-or-no.ts'
import { createQueryTerm } from '../../../src/retrieval/question/query-terms.ts'
import { quoteText } from '../../../src/retrieval/recall/quote-text.ts'
import { openToldMemory, type ToldMemory } from '../../lib/told-memory.ts'

const MANUAL = `# Tidepool

Tidepool is a shared calendar for boats. It runs as one process and needs no cloud, no account and no phone.

## Behind a proxy

A proxy on the same machine reaches Tidepool through its bridge, which \`compose.yaml\` lists. The bridge follows the file, so a
change by hand needs no restart.

## Threads

| main thread | export thread | garbage |
|---|---|---|
| 8.8 ms | 3.0 ms | 1.4 ms |

There are no export threads yet, because two cores gain nothing from them.

## Databases

Boats and bookings are stored in PostgreSQL. Any SQL client can read them.

## Replicas

Without Pgpool, use one server. A trial showed that Pgpool loses sessions.
`
const CHATTER = ['the mooring fee', 'the winter cover', 'the new engine', 'the outboard', 'the paint'].map(
  (topic, i) => `# Log ${i}\n\nAnn and Ben discuss ${topic}. They discuss it again on Friday, and discuss who pays.\n`,
)
const RULES =
  '# Rules\n\nThe members decide in spring. A member who wants to decide must be there. They decide by a show of hands.\n'
const RADIO = '# Harbour radio\n\nBen wants a radio with a loud speaker. Ann finds the old radio good enough.\n'

describe('an answer from documents', () => {
  let memory: ToldMemory

  beforeAll(async () => {
    const texts = [MANUAL, RADIO, RULES, ...CHATTER]
    memory = await openToldMemory(
      [],
      texts.map((text, i) => ({
        itemId: `doc-${i}`,
        text,
        fileName: `doc-${i}.md`,
        contentType: 'text/markdown',
        sourceType: 'technical_docs',
      })),
    )
  })
  afterAll(() => memory.close())

  const ask = (text: string) => memory.ask(text, 'Tess Moreau')

  test('is not the head of a table', async () => {
    expect((await ask('why are there no export threads?')).response).toMatch(/^“There are no export threads yet/)
  })

  test('is about the name that is all a question for a decision has', async () => {
    expect((await ask('What did we decide about Pgpool?')).response).toMatch(/^“Without Pgpool, use one server/)
  })

  test('is not given where a part of a name is all that is found of it', async () => {
    expect(await ask('Can any client read MySQL?')).toMatchObject({ abstained: true })
    expect(await ask('Can any client read PostgreSQL?')).toMatchObject({ abstained: false })
  })

  test('is about the subject of a question and not about its reporting verb', async () => {
    const { citations } = await ask('What did Ann and Ben discuss about the radio?')
    expect(citations[0]?.quote).toContain('radio')
  })
})

describe('a sentence of a document', () => {
  const decide = (question: string, text: string, headings = '') => {
    const terms = [...new Set(analyze(question))].map((term) => createQueryTerm(term, 100, 1))
    const none: ReadonlySet<string> = new Set()
    const passage: AnswerPassage = {
      text,
      speaker: undefined,
      share: 1,
      sourceType: 'technical_docs',
      isTurn: false,
      before: new Set(),
      near: new Set(),
      headings: new Set(analyze(headings).map(hashTerm)),
      subject: new Set(),
      recency: 0,
    }
    const features = { isQuestion: 0 } as AnswerSentence['features']
    const sentence = {
      passage: 0,
      position: 0,
      text,
      score: 1,
      isAboutAsked: true,
      isOfDocument: false,
      isOfSubject: false,
      features,
    }
    const asked: AskedQuestion = { text: question, kind: 'yes-no', terms, names: none, asked: none, people: none }
    return yesOrNo(asked, [{ sentence, passage }])
  }

  test('that denies nothing has to state what is asked to answer a question with "without"', () => {
    const question = 'does recalld work without a network?'
    expect(decide(question, 'A proxy reaches the container through the network.', 'recalld')).toBeUndefined()
    expect(decide(question, 'recalld works only with a network.')).toBe('No')
    expect(decide(question, 'recalld works with no network.')).toBe('Yes')
  })

  test('denies only what is in the clause that denies', () => {
    const question = 'does recalld need a language model?'
    const beside = 'recalld reads the language model from a file, so a change needs no restart.'
    expect(decide(question, beside)).not.toBe('No')
    expect(decide(question, 'recalld needs no language model, no account and no network.')).toBe('No')
  })

  test('that has none of something else denies nothing', () => {
    const question = 'Does recalld run on Windows?'
    expect(decide(question, 'Windows has no installer yet: let Task Scheduler run recalld up.')).not.toBe('No')
    expect(decide(question, 'recalld does not run on Windows without an installer.')).toBe('No')
    expect(decide(question, 'recalld runs on Linux, but there is no Windows version that it can run on.')).toBe('No')
  })
})

test('a quoted table has its rows apart', () => {
  const table =
    'Measured twice:\n\n| what | before | after |\n|---|--:|--:|\n| service | 5.0 ms | 4.2 ms |\n| writer | 1.3 ms | 0.8 ms |\n'
  expect(quoteText(table, [], false).words).toBe(
    'Measured twice: what | before | after; service | 5.0 ms | 4.2 ms; writer | 1.3 ms | 0.8 ms',
  )
})

test('a long table is quoted by the rows that have words of the question', () => {
  const rows = ['NZ SUPER | 1,076', 'KAMO PHARMACY | -22', 'PURIRI COURT | -3,024', 'HEATHER | 250', 'POWER | -140']
  const table = `| particulars | amount |\n|---|--:|\n${rows.map((row) => `| ${row} |\n`).join('')}`
  const asked = [createQueryTerm('puriri', 100, 2)]
  expect(quoteText(table, asked, false).words).toBe('particulars | amount; … PURIRI COURT | -3,024; …')
  expect(quoteText(table, [], false).words).toBe(
    'particulars | amount; NZ SUPER | 1,076; KAMO PHARMACY | -22; PURIRI COURT | -3,024; …',
  )
})

test('the second table of a text is cut by its own columns', () => {
  const rows = (names: string, cells: readonly string[]) =>
    `| ${names} |\n|---|---|\n${cells.map((row) => `| ${row} |\n`).join('')}`
  const machines = rows('Machine | Year', ['Saw | 2019', 'Drill | 2020', 'Lathe | 2021', 'Press | 2022'])
  const tools = rows('Tool | Owner', ['Nail gun | Carla'])
  const { words } = quoteText(`${machines}\nBorrowed:\n\n${tools}`, [createQueryTerm('lath', 100, 2)], false)
  expect(words).toBe('Machine | Year; … Lathe | 2021; … Borrowed: Tool | Owner; Nail gun | Carla')
})

test.each([
  ['The caterer is\nBistro Rosa', 'The caterer is Bistro Rosa'],
  ['Bring the bag please\nbecause it rains', 'Bring the bag please because it rains'],
  ['Bring the bag\nginger 2 tsp', 'Bring the bag; ginger 2 tsp'],
])('lines are separated only where one ends: %s', (lines, shown) => {
  const filler = 'The last line of the note is so long that each word above it would have found its place there, too'
  expect(linesApart(lines.replace('\n', ' '), `${lines}\n${filler}`)).toBe(shown)
})

test('a quotation separates lines that their writer ended', async () => {
  const note = `Mum's feijoa chutney, dictated in May, the vinegar is unsure
1 kg feijoas, 500 g onions, 300 g raisins, 500 g brown sugar
vinegar: she said 1 litre, Heather says 750 ml
ginger 2 tsp, cloves a bit
Simmer it for an hour and a half and stir, since the raisins burn easily, and the jars have to be hot when you fill them
`
  const memory = await openToldMemory([], [{ itemId: 'chutney', text: note, fileName: 'chutney.txt' }])
  onTestFinished(() => memory.close())
  const { response } = await memory.ask('How much vinegar goes into the chutney?')
  expect(response).toContain('500 g brown sugar; vinegar: she said 1 litre, Heather says 750 ml; ginger 2 tsp')
})
