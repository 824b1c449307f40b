import type { ExtractedMemory, IndexedItem } from '../../../src/domain/document.ts'
import { splitSentences } from '../../../src/lib/sentences.ts'
import { hasVerb } from './english-verbs.ts'
import { holdsFact, namesDay } from './holds-fact.ts'
import { bareDays, headlineFormFaults, isFirstPerson, readingFaults } from './judge-reading.ts'
import { readSource, untruths } from './judge-truth.ts'
import { hasFacts, type LabelledPassage } from './labelled-passages.ts'
import { type Tally, tally } from './tally.ts'
import { peopleTally, typedTally } from './typed-names.ts'

/** How one memory did: what is wrong with it, by the name of the rule; `undefined` where there was nothing to judge. */
export interface MemoryVerdict {
  readonly memory: ExtractedMemory
  readonly untrue: readonly string[]
  readonly isFirstPerson: boolean | undefined
  readonly bareDays: readonly string[] | undefined
  readonly unreadable: readonly string[]
  readonly isUseful: boolean | undefined
  readonly headline: readonly string[] | undefined
}

/** How the memories of one passage did. */
export interface RubricOutcome {
  readonly memories: readonly MemoryVerdict[]
  readonly must: Tally
  readonly owed: Tally
  /** Expected: sentences that no narrative should hold; found: those that one holds. */
  readonly chatter: Tally
  readonly typed: Tally
  /** Expected: people who are written in several ways; right: those that came out as one. */
  readonly people: Tally
}

/** Judges what became of a passage by the rules of EXTRACTION.md. */
export function judgeMemories(passage: LabelledPassage, item: IndexedItem): RubricOutcome {
  const { expect } = passage
  const source = readSource(passage, item)
  const narratives = item.memories.map(({ content }) => content.narrative ?? '')
  const told = (holds: (narrative: string, at: number) => boolean) => narratives.some(holds)
  const isOwed = ({ who, what, by }: LabelledPassage['expect']['owed'][number]) =>
    told((narrative, at) => {
      const isTheirs = aliasesOf(who, passage).some((name) => holdsFact(narrative, name))
      const memory = item.memories[at]
      const days = memory?.content.other_entities?.map(({ entity_name }) => entity_name).join('\n') ?? ''
      return (
        isTheirs && holdsFact(narrative, what) && (by === undefined || namesDay(`${narrative}\n${days}`, lastDay(by)))
      )
    })
  return {
    memories: item.memories.map((memory) => judgeMemory(memory, passage, untruths(memory, source))),
    must: tally(
      expect.must.filter((fact) => told((narrative) => holdsFact(narrative, fact))),
      expect.must,
      [],
    ),
    owed: tally(expect.owed.filter(isOwed).map(owedName), expect.owed.map(owedName), []),
    chatter: tally(
      expect.chatter.filter((sentence) => told((narrative) => holdsSentence(narrative, sentence))),
      expect.chatter,
      [],
    ),
    typed: typedTally(passage, item),
    people: peopleTally(passage, item),
  }
}

function judgeMemory(memory: ExtractedMemory, passage: LabelledPassage, untrue: readonly string[]): MemoryVerdict {
  const { narrative = '', headline = '' } = memory.content
  const { expect } = passage
  const isAboutIt = expect.headline_fact.some((fact) => holdsFact(headline, fact))
  return {
    memory,
    untrue,
    isFirstPerson: isFirstPerson(memory, passage),
    bareDays: bareDays(narrative, passage),
    unreadable: readingFaults(narrative, passage),
    isUseful: hasFacts(passage) ? isUseful(narrative, passage) : undefined,
    headline:
      expect.headline_fact.length === 0
        ? undefined
        : [...(isAboutIt ? [] : ['does not tell the fact']), ...headlineFormFaults(headline)],
  }
}

/** Whether a narrative holds a labelled fact, or a labelled name in a sentence with a verb, and is more than chatter. */
function isUseful(narrative: string, { expect }: LabelledPassage): boolean {
  const kept = expect.chatter.filter((sentence) => holdsSentence(narrative, sentence)).join('')
  if (kept.length > narrative.length / 2) return false
  if (expect.must.some((fact) => holdsFact(narrative, fact))) return true
  const names = Object.keys(expect.names)
  return splitSentences(narrative).some(
    (sentence) => tellsSomething(sentence) && names.some((name) => holdsFact(sentence, name.replaceAll('|', ' '))),
  )
}

/** Whether a sentence has a verb, or is of a language whose verbs are not known. */
function tellsSomething(sentence: string): boolean {
  return hasVerb(sentence) || !/\b(?:the|and|of|to|for|with|from|on|at)\b/i.test(sentence)
}

/** Whether a text holds a sentence word by word; punctuation, case and spaces do not matter. */
function holdsSentence(text: string, sentence: string): boolean {
  const [whole, part] = [bareWords(text), bareWords(sentence)]
  if (part !== '')
    return /[\p{Script=Han}\p{Script=Hiragana}]/u.test(part) ? whole.includes(part) : ` ${whole} `.includes(` ${part} `)
  // A face or a sign.
  return text.includes(sentence)
}

function bareWords(text: string): string {
  return (
    text
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/\+\d|[\p{L}\p{N}']+/gu) ?? []
  ).join(' ')
}

/** All ways to write somebody; me in the first person. */
function aliasesOf(who: string, { userName, expect }: LabelledPassage): readonly string[] {
  const group = expect.people.find((names) => names.includes(who)) ?? [who]
  const first = who.split(' ')[0] ?? who
  return who === userName ? ['I', "I'll", "I'm", 'me', 'my', 'ich', 'je', 'yo', 'we', '私', '我'] : [...group, first]
}

function owedName({ who, what, by }: LabelledPassage['expect']['owed'][number]): string {
  return [who, what, ...(by ? [by] : [])].join(': ')
}

function lastDay(range: string): string {
  return range.split('/').at(-1) ?? range
}
