import { tableHead, tableRow } from '../table.ts'
import type { MemoryVerdict } from './judge-memory.ts'
import type { PassageOutcome } from './measure-extraction.ts'
import type { Tally } from './tally.ts'

/** All figures in percent, but `memories`; `undefined` where there was nothing to judge. */
export interface MemoryFigures {
  readonly memories: number
  readonly true: number | undefined
  readonly useful: number | undefined
  readonly readable: number | undefined
  /** Of sentences that no narrative should hold: lower is better. */
  readonly chatterKept: number | undefined
  readonly headlineRight: number | undefined
  readonly typedRecall: number | undefined
  readonly typedPrecision: number | undefined
  readonly complete: number | undefined
  readonly firstPerson: number | undefined
  readonly datesResolved: number | undefined
  readonly owed: number | undefined
  readonly people: number | undefined
}

/** What is to be reached. */
export const MEMORY_GOALS = {
  true: 99,
  useful: 85,
  readable: 85,
  chatterKept: 3,
  headlineRight: 95,
  typedRecall: 80,
  typedPrecision: 92,
} as const satisfies Partial<MemoryFigures>

const HEAD = [
  'source',
  'memories',
  'true',
  'useful',
  'readable',
  'chatter kept',
  'headline right',
  'typed R/P',
  'complete',
  'first person',
  'dates resolved',
  'owed',
  'people',
]

/** @param outcomes whose labels say which facts there are */
export function memoryFigures(outcomes: readonly PassageOutcome[]): MemoryFigures {
  const verdicts = outcomes.flatMap(({ rubric }) => rubric.memories)
  const good = (judge: (verdict: MemoryVerdict) => boolean | undefined) => {
    const judged = verdicts.map(judge).filter((one) => one !== undefined)
    return share(judged.filter((one) => one).length, judged.length)
  }
  const sum = (name: 'must' | 'owed' | 'chatter' | 'typed' | 'people', part: keyof Tally) =>
    outcomes.reduce((total, { rubric }) => total + rubric[name][part].length, 0)
  const recall = (name: 'must' | 'owed' | 'chatter' | 'typed' | 'people') =>
    share(sum(name, 'right'), sum(name, 'expected'))
  return {
    memories: verdicts.length,
    true: good(({ untrue }) => untrue.length === 0),
    useful: good(({ isUseful }) => isUseful),
    readable: good(({ unreadable }) => unreadable.length === 0),
    chatterKept: recall('chatter'),
    headlineRight: good(({ headline }) => headline && headline.length === 0),
    typedRecall: recall('typed'),
    typedPrecision: share(sum('typed', 'right'), sum('typed', 'found')),
    complete: recall('must'),
    firstPerson: good(({ isFirstPerson }) => isFirstPerson),
    datesResolved: good(({ bareDays }) => bareDays && bareDays.length === 0),
    owed: recall('owed'),
    people: recall('people'),
  }
}

/** Markdown: a row for every source and one for all. */
export function memoryTable(outcomes: readonly PassageOutcome[]): string {
  const sources = [...new Set(outcomes.map(({ passage }) => passage.source))].toSorted()
  const rows = sources.map((source) => {
    const some = outcomes.filter(({ passage }) => passage.source === source)
    return memoryRow(source, some)
  })
  return [...memoryTableHead(), ...rows, memoryRow('**all**', outcomes)].join('\n')
}

export function memoryTableHead(): string[] {
  return tableHead(HEAD)
}

export function memoryRow(name: string, outcomes: readonly PassageOutcome[]): string {
  const f = memoryFigures(outcomes)
  const one = (value: number | undefined) => value?.toFixed(0) ?? '-'
  const typed = `${one(f.typedRecall)}/${one(f.typedPrecision)}`
  const first = [f.true, f.useful, f.readable, f.chatterKept, f.headlineRight].map(one)
  const last = [f.complete, f.firstPerson, f.datesResolved, f.owed, f.people].map(one)
  return tableRow([name, f.memories, ...first, typed, ...last])
}

/** The goals as a row below such a head. */
export function goalRow(): string {
  const g = MEMORY_GOALS
  const first = [g.true, g.useful, g.readable, `at most ${g.chatterKept}`, g.headlineRight]
  return tableRow(['goal', '', ...first, `${g.typedRecall}/${g.typedPrecision}`, '', '', '', '', ''])
}

/** What is wrong with each memory of an item, and what it lacks; for whoever works on the rules. */
export function memoryFaults({ passage, rubric }: PassageOutcome): string[] {
  const missing = ({ right, expected }: Tally) => expected.filter((one) => !right.includes(one))
  const lines = [
    ...rubric.memories.flatMap(({ memory, untrue, unreadable, headline, isUseful, isFirstPerson, bareDays }) => {
      const faults = [
        ...untrue,
        ...unreadable,
        ...(headline ?? []).map((fault) => `headline: ${fault}`),
        ...(isUseful === false ? ['not useful'] : []),
        ...(isFirstPerson === false ? ['not in the first person'] : []),
        ...(bareDays ?? []).map((words) => `bare: ${words}`),
      ]
      const { headline: title = '', narrative = '' } = memory.content
      return faults.length > 0 ? [`${title}\n    ${narrative}\n    ! ${faults.join('\n    ! ')}`] : []
    }),
    ...missing(rubric.must).map((fact) => `lacks ${fact}`),
    ...missing(rubric.owed).map((fact) => `lacks owed ${fact}`),
    ...rubric.chatter.found.map((sentence) => `keeps ${sentence}`),
    ...missing(rubric.typed).map((name) => `-${name}`),
    ...rubric.typed.found.filter((name) => !rubric.typed.right.includes(name)).map((name) => `+${name}`),
    ...missing(rubric.people).map((name) => `not one person: ${name}`),
  ]
  return lines.length > 0 ? [`${passage.id} (${passage.source})\n  ${lines.join('\n  ')}`] : []
}

function share(part: number, whole: number): number | undefined {
  return whole === 0 ? undefined : (100 * part) / whole
}
