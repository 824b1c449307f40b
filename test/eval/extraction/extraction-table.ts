import { tableHead, tableRow } from '../table.ts'
import type { LabelPart } from './labelled-passages.ts'
import type { PassageOutcome } from './measure-extraction.ts'
import type { Tally } from './tally.ts'

/** All figures in percent, but `passages`; `undefined` where there was nothing to judge. */
export interface ExtractionFigures {
  readonly passages: number
  readonly participantsPrecision: number | undefined
  readonly participantsRecall: number | undefined
  /** Passages whose participants are exactly those of the labels. */
  readonly participantsExact: number | undefined
  readonly datesPrecision: number | undefined
  readonly datesRecall: number | undefined
  readonly entitiesPrecision: number | undefined
  readonly entitiesRecall: number | undefined
  readonly typedPrecision: number | undefined
  readonly typedRecall: number | undefined
  readonly when: number | undefined
  readonly voice: number | undefined
  readonly headline: number | undefined
  readonly grammar: number | undefined
  readonly body: number | undefined
  readonly kept: number | undefined
}

export function extractionFigures(outcomes: readonly PassageOutcome[]): ExtractionFigures {
  const sum = (pick: (outcome: PassageOutcome) => Tally, part: keyof Tally) =>
    outcomes.reduce((total, outcome) => total + pick(outcome)[part].length, 0)
  const precision = (pick: (outcome: PassageOutcome) => Tally) => share(sum(pick, 'right'), sum(pick, 'found'))
  const recall = (pick: (outcome: PassageOutcome) => Tally) => share(sum(pick, 'right'), sum(pick, 'expected'))
  const clean = (pick: (outcome: PassageOutcome) => readonly string[]) =>
    share(outcomes.filter((outcome) => pick(outcome).length === 0).length, outcomes.length)
  const timed = outcomes.filter(({ when }) => when !== undefined)
  const isExact = ({ participants: { found, right, expected } }: PassageOutcome) =>
    found.length === right.length && right.length === expected.length
  return {
    passages: outcomes.length,
    participantsPrecision: precision((outcome) => outcome.participants),
    participantsRecall: recall((outcome) => outcome.participants),
    participantsExact: share(outcomes.filter(isExact).length, outcomes.length),
    datesPrecision: precision((outcome) => outcome.dates),
    datesRecall: recall((outcome) => outcome.dates),
    entitiesPrecision: precision((outcome) => outcome.entities),
    entitiesRecall: recall((outcome) => outcome.entities),
    typedPrecision: precision((outcome) => outcome.typed),
    typedRecall: share(
      sum((outcome) => outcome.typed, 'right'),
      sum((outcome) => outcome.entities, 'expected'),
    ),
    when: share(timed.filter(({ when }) => when).length, timed.length),
    voice: clean((outcome) => outcome.voice),
    headline: clean((outcome) => outcome.headline),
    grammar: clean((outcome) => outcome.slips),
    body: clean((outcome) => outcome.body),
    kept: clean((outcome) => outcome.kept),
  }
}

function share(part: number, whole: number): number | undefined {
  return whole === 0 ? undefined : (100 * part) / whole
}

const HEAD = [
  'source',
  'passages',
  'participants P/R',
  'exact',
  'dates P/R',
  'entities P/R',
  'types P/R',
  'when',
  'voice',
  'headline',
  'grammar',
  'body',
  'kept',
]
const PARTS = {
  tuned: 'Rules were tuned on these',
  held: 'Rules were not tuned on these',
  final: 'Nobody looked at these',
} as const
/** Markdown: for each part a table with a row for every source and one for all. */
export function extractionTable(
  outcomes: readonly PassageOutcome[],
  parts: readonly LabelPart[] = ['tuned', 'held'],
): string {
  const tables = parts.map((part) => {
    const some = outcomes.filter(({ passage }) => passage.part === part)
    const sources = [...new Set(some.map(({ passage }) => passage.source))]
    const rowOf = (source: string) =>
      row(
        source,
        some.filter(({ passage }) => passage.source === source),
      )
    return [`## ${PARTS[part]}`, '', ...extractionTableHead(), ...sources.map(rowOf), row('**all**', some), ''].join(
      '\n',
    )
  })
  return tables.join('\n')
}

export function extractionTableHead(): string[] {
  return tableHead(HEAD)
}

function row(name: string, outcomes: readonly PassageOutcome[]): string {
  const f = extractionFigures(outcomes)
  const one = (value: number | undefined) => (value === undefined ? '-' : value.toFixed(0))
  const two = (a: number | undefined, b: number | undefined) => `${one(a)}/${one(b)}`
  return tableRow([
    name,
    String(f.passages),
    two(f.participantsPrecision, f.participantsRecall),
    one(f.participantsExact),
    two(f.datesPrecision, f.datesRecall),
    two(f.entitiesPrecision, f.entitiesRecall),
    two(f.typedPrecision, f.typedRecall),
    ...[f.when, f.voice, f.headline, f.grammar, f.body, f.kept].map(one),
  ])
}
