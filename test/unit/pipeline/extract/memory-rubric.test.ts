import { describe, expect, it } from 'vitest'
import type { IndexedItem } from '../../../../src/domain/document.ts'
import { hasVerb } from '../../../eval/extraction/english-verbs.ts'
import { holdsFact } from '../../../eval/extraction/holds-fact.ts'
import { judgeMemories } from '../../../eval/extraction/judge-memory.ts'
import { headlineFormFaults, readingFaults } from '../../../eval/extraction/judge-reading.ts'
import type { LabelledPassage } from '../../../eval/extraction/labelled-passages.ts'

const passage: LabelledPassage = {
  id: 'x',
  source: 'slack thread',
  part: 'tuned',
  sourceType: 'slack',
  fileName: 'x.txt',
  userName: 'Nora Feld',
  timeZone: 'Europe/Berlin',
  uploadedAt: new Date('2026-03-25T08:00:00Z'),
  text: 'Petra Novak: I moved the launch to Friday because the tests failed.\nNora Feld: lol ok, I will tell Velo Praha tomorrow.',
  expect: {
    who: ['Petra Novak', 'Nora Feld'],
    optional_who: [],
    dates: { tomorrow: '2026-03-26', Friday: '2026-03-27' },
    optional_dates: [],
    weeks: {},
    names: { 'Velo Praha': 'organization' },
    optional: [],
    headline: [],
    says: [],
    never: [],
    absent: [],
    memories: [1, 9],
    skips: [],
    chatter: ['lol ok'],
    must: ['Petra + launch + @2026-03-27', 'I + Velo Praha + @2026-03-26'],
    owed: [{ who: 'Nora Feld', what: 'Velo Praha', by: '2026-03-26' }],
    people: [['Petra Novak', 'Petra']],
    headline_fact: ['launch + Friday|27 March'],
  },
}

function itemWith(narrative: string, headline = 'Petra moved the launch to Friday'): IndexedItem {
  const chunk = { kind: 'turn', start: 0, end: 1, bodyTerms: '', metaTerms: '' } as const
  const indexed = {
    bodyHashes: new Uint32Array(),
    metaHashes: new Uint32Array(),
    tokens: new Uint16Array(),
    vector: new Float32Array(),
  }
  const [first = '', second = ''] = passage.text.split('\n').map((line) => line.replace(/^[^:]+: /, ''))
  const other_entities = [{ entity_name: 'Velo Praha', entity_type: 'organization' }]
  return {
    kind: 'chat',
    chunks: [
      { ...chunk, ...indexed, ordinal: 0, text: first, speaker: 'Petra Novak' },
      { ...chunk, ...indexed, ordinal: 1, text: second, speaker: 'Nora Feld' },
    ],
    memories: [
      {
        index: 0,
        content: { narrative, headline, participants: ['Petra Novak', 'Nora Feld'], other_entities },
        firstChunk: 0,
        lastChunk: 1,
      },
    ],
    qas: [],
    skips: [],
    spaceId: 's',
    pipelineVersion: 'p',
  }
}

describe('a memory', () => {
  it('is good when it tells what happened, in the first person, with its days', () => {
    const narrative =
      'Petra Novak moved the launch to Friday, 27 March 2026 because the tests failed. I will tell Velo Praha tomorrow (26 March 2026).'
    const { memories, must, owed, chatter, typed, people } = judgeMemories(passage, itemWith(narrative))
    const [verdict] = memories
    expect(verdict).toMatchObject({ untrue: [], unreadable: [], headline: [], bareDays: [] })
    expect(verdict).toMatchObject({ isUseful: true, isFirstPerson: true })
    expect([must.right.length, owed.right.length, chatter.found]).toEqual([2, 1, []])
    expect(people.right).toEqual(['Petra Novak'])
    expect(typed.right).toContain('organization: velo praha')
    expect(typed.expected).toContain('date: 2026-03-26')
  })

  it.each([
    ['I moved the launch to Friday because the budget exploded.', 'no evidence'],
    ['Petra moved the launch to Friday and told Zenith Corp.', 'not in the source: Zenith'],
    ['Petra moved the launch to Friday, 12 May 2026.', 'not in the source: 12 May 2026'],
    ['I said that I moved the launch to Friday because the tests failed.', 'I did not say'],
    ['Petra said that she will tell Velo Praha tomorrow.', 'Petra did not say'],
  ])('is untrue when the source does not say it: %s', (narrative, fault) => {
    expect(judgeMemories(passage, itemWith(narrative)).memories[0]?.untrue.join('\n')).toContain(fault)
  })

  it.each([
    'Am 27. März 2026 sagte Petra Novak, the launch moved because the tests failed.',
    'On 26 March 2026, I will tell Velo Praha.',
    'Petra said: "I moved the launch to Friday because the tests failed."',
  ])('is true in other words: %s', (narrative) => {
    expect(judgeMemories(passage, itemWith(narrative)).memories[0]?.untrue).toEqual([])
  })

  it('keeps chatter, leaves days bare and is not useful', () => {
    const { memories, must, owed, chatter } = judgeMemories(passage, itemWith('I said: "lol ok." She comes tomorrow.'))
    expect(chatter.found).toEqual(['lol ok'])
    expect([must.right, owed.right]).toEqual([[], []])
    expect(memories[0]).toMatchObject({ isUseful: false, bareDays: ['tomorrow'] })
  })
})

describe('a labelled fact', () => {
  it.each([
    ['We meet on 18 March 2026.', '@2026-03-18', true],
    ['We meet on March 18th.', '@2026-03-18', true],
    ['Treffen am 18. März', 'Treffen + @2026-03-18', true],
    ['le 18 mars à Lyon', '@2026-03-18', true],
    ['el 18 de marzo', '@2026-03-18', true],
    ['3月18日に会う', '会う + @2026-03-18', true],
    ['7 and 8 September', '@2026-09-07', true],
    ['1-5 July', '@2026-07-05', true],
    ['We meet on 18 May.', '@2026-03-18', false],
    ['in March', '@2026-03', true],
    ['Petra promised it', 'Petra + promis', true],
    ['an illness', 'ill', false],
    ['Rosa paid', 'Rosa + sold|paid', true],
    ['Rosa paid', 'Rosa + sold', false],
  ])('%s: %s', (text, fact, holds) => {
    expect(holdsFact(text, fact)).toBe(holds)
  })
})

describe('a narrative that reads badly', () => {
  it.each([
    ['Petra said: "Yes." Ola said: "No."', ['a chain of quotations']],
    ['I noted it. Dentist at noon.', ['no verb']],
    ['I noted: "Dentist.', ['open quotation mark or bracket']],
    ['Petra told me that the beam is, you know, too thin.', ['filler']],
    ['I noted that **all** is well.', ['markup']],
    [`I noted ${'that it is so and '.repeat(12)}done.`, ['a long sentence']],
    ['I have a document "Runbook", section "A", that says: "Drain it."', ['a document that says']],
    ['Petra moved the lau…', ['a word cut off']],
    ['Petra moved the launch to Friday.', []],
    ['Petra schrieb, dass die Tests liefen.', []],
  ])('%s', (narrative, faults) => {
    expect(readingFaults(narrative, passage)).toEqual(faults)
  })
})

describe('a headline', () => {
  it.each([
    ['Re: Offer', 'a subject line'],
    ['Priya: I ordered two cartridges', "somebody's words"],
    ['The schedule puts the loft on the wrong…', 'cut off'],
    ['Petra moved the launch to the', 'cut off'],
    ['because the tests failed', 'a piece of a sentence'],
    ['x'.repeat(91), 'long'],
  ])('is no cut-out: %s', (headline, fault) => {
    expect(headlineFormFaults(headline)).toContain(fault)
  })

  it('may be a plain sentence', () => {
    expect(headlineFormFaults('Petra moved the launch to Friday')).toEqual([])
  })
})

describe('an English sentence', () => {
  it.each([
    ['They sent it.', true],
    ["It's late.", true],
    ['60 badges with the new logo.', false],
    ['Platform team, morning.', false],
  ])('%s', (sentence, has) => {
    expect(hasVerb(sentence)).toBe(has)
  })
})
