import type { PassageOutcome, Tally } from './measure-extraction.ts'

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
const PARTS = { tuned: 'Rules were tuned on these', held: 'Rules were not tuned on these' } as const
const INTRODUCTION = `# What extraction is worth

Written by \`npm run eval\`. Passages written for this project (\`extraction/labels/*.yaml\`) go through the whole pipeline, without a model, and
what comes out is compared with their labels. Labels were written before any output was seen, by the hand that wrote the rules; three that turned
out to be wrong were corrected. \`labels/tuned\` is what rules may be tuned on. \`labels/held\` is only measured: whoever changes a rule because
of it moves the passage to \`tuned\` and writes a new one, as was done with four. Few of a kind: one passage more or less is one or two points.

All figures are percent. P/R: precision and recall, over distinct names of an item. **participants**: by display name; **exact**: items whose
participants are those of the label, no more and no fewer. **dates**: days and months that the text names, a range by both ends. **entities**:
names besides participants, letter by letter; **types**: of the names found and typed, those of the labelled type, and of all labelled names,
those found with it (\`term\` is no type). **when**: the day of the memory. **voice**: items told in the first person of the account's owner,
with what must be said, without anybody's "I" in another's mouth. **headline**: items of which a headline holds the labelled words, and none is
empty, too long, a greeting or said twice. **grammar**: items without a slip of a list, outside of quotation marks. **body**: items whose bodies
stand in the source word by word. **kept**: items with the expected number of memories and skips.

The rules that came before these; and these on passages that nobody had looked at yet, which is the fairest account of them:

BEFORE
`
const BEFORE = [
  ['extract@1, first half', '82', '94/97', '88', '100/5', '83/83', '97/44', '96', '95', '94', '95', '100', '100'],
  ['extract@1, second half', '78', '95/97', '91', '100/17', '83/79', '100/43', '96', '88', '95', '99', '99', '100'],
  [
    'extract@2, second half, first look',
    '78',
    '100/100',
    '100',
    '100/98',
    '93/89',
    '100/59',
    '98',
    '96',
    '96',
    '100',
    '99',
    '100',
  ],
  [
    'extract@2, held, first look',
    '53',
    '97/99',
    '98',
    '96/98',
    '94/96',
    '100/64',
    '100',
    '94',
    '98',
    '100',
    '98',
    '100',
  ],
]

/** The whole of EXTRACTION.md. */
export function extractionReport(outcomes: readonly PassageOutcome[]): string {
  const before = [line(HEAD), line(HEAD.map(() => '---')), ...BEFORE.map(line)].join('\n')
  return `${INTRODUCTION.replace('BEFORE', before)}\n${extractionTable(outcomes)}`
}

/** Markdown: for each part a table with a row for every source and one for all. */
export function extractionTable(outcomes: readonly PassageOutcome[]): string {
  const parts = (['tuned', 'held'] as const).map((part) => {
    const some = outcomes.filter(({ passage }) => passage.part === part)
    const sources = [...new Set(some.map(({ passage }) => passage.source))]
    const rowOf = (source: string) =>
      row(
        source,
        some.filter(({ passage }) => passage.source === source),
      )
    const head = [line(HEAD), line(HEAD.map(() => '---'))]
    return [`## ${PARTS[part]}`, '', ...head, ...sources.map(rowOf), row('**all**', some), ''].join('\n')
  })
  return parts.join('\n')
}

function row(name: string, outcomes: readonly PassageOutcome[]): string {
  const f = extractionFigures(outcomes)
  const one = (value: number | undefined) => (value === undefined ? '-' : value.toFixed(0))
  const two = (a: number | undefined, b: number | undefined) => `${one(a)}/${one(b)}`
  return line([
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

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}
