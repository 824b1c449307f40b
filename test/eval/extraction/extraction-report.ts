import { tableRow } from '../table.ts'
import { extractionTable, extractionTableHead } from './extraction-table.ts'
import { hasFacts } from './labelled-passages.ts'
import type { PassageOutcome } from './measure-extraction.ts'
import { goalRow, memoryTable, memoryTableHead } from './memory-table.ts'

const INTRODUCTION = `# What extraction is worth

Written by \`npm run eval -- --extraction\`. Passages written for this project (\`extraction/labels/*/*.yaml\`) go through the whole pipeline,
without a model, and what comes out is compared with their labels. Labels were written before any output was seen. \`labels/tuned\` is what
rules may be tuned on. \`labels/held\` is only measured: whoever changes a rule because of it moves the passage to \`tuned\` and writes a new one.
\`labels/final\` is measured once, at the end of a change of the rules, with \`--final\`, which prints figures and no failures. \`--failures 20\` prints
what is wrong with tuned passages, and never with others. Of the 478 passages, 260 have labelled facts: 124 tuned, 45 held, 91 final, of 22 kinds,
in English, German, French, Spanish, Japanese and Chinese; but for 78 tuned ones, which were added for small talk, weekdays and types,
they were written before anybody rewrote how narratives are made.
Few of a kind: one passage more or less is one or two points.
`

const RUBRIC = `## Memories

A memory is judged by what a person would ask of it: is it true, does it tell something, does it read well? Rules count it, so they are coarse:
they see words, not meaning. What they cannot see, the sheet at the end shows.

All figures are percent: of memories, but where it says otherwise.

- **true**: every clause of the narrative has evidence. Its content words (stems; past forms as their base verb; without words of telling such as
  "said" or "meeting", titles, headings, speakers and days) stand in one sentence of the source and its two neighbours, or the clause stands in the
  source word by word; of four words one may be missing, of three one, of fewer none; of pairs of Japanese or Chinese characters two of five.
  Capitalised words within a sentence, and numbers, stand in the source. Days stand there too, in any way to write them, or follow from a label
  or a time of the source. Whoever is said to have said something is the speaker of the sentence that holds most of its words, or is named in it.
  Nothing that the labels forbid stands outside of quotation marks.
- **useful**: of memories of passages with labelled facts, those whose narrative holds one of them, or a labelled name in a sentence with a verb, and
  which are not half chatter. Whoever quotes everything is useful by this rule: it means something together with **readable**.
- **readable**: none of these in the narrative: more than one \`X said: "…"\`; an English sentence without a verb (a list of 450 verbs; other
  languages are not judged in this); an open quotation mark or bracket; filler ("um", "you know,", "lol", "+1", "ähm", "euh", "えっと", "嗯") or a
  greeting that opens a sentence; markup (headings, bold, tables, tags, entities, links, fences, mentions, emoji codes); a sentence of more than
  40 words, or 120 characters in Japanese or Chinese; \`I have a document "…" that says\` at the beginning; a word cut off by an ellipsis.
- **chatter kept**: of labelled sentences that belong in no memory, those that stand in a narrative word by word. Lower is better.
- **headline right**: it holds one of the labelled facts of the passage, has at most 90 characters, and is no cut-out: not cut off, not the middle of
  a sentence, not somebody's "I" behind a name, no \`Re:\`, no filler, markup or open quotation mark.
- **typed R/P**: names with the labelled type, of labelled names, and of those that were found with a type: person (participants too), organization, place,
  product, project, repository, ticket, file, date (its day) and amount. Spelled like the label, or like another name of the same person.
- **complete**: of labelled facts, those that one narrative holds: all their words, or their alternatives, and their days as days.
- **first person**: of memories of what the owner took part in, those that say "I" or "we" outside of quotation marks, and do not name the owner.
- **dates resolved**: of memories with a labelled "tomorrow", "next week" or "Friday", those that name its day, next to the word or instead of it.
- **owed**: of labelled promises and tasks, those that one narrative holds with who owes what by when.
- **people**: of people who are written in several ways, those that come out under one name, the first of the label.
`

/** Rows of the rubric measured when the rules were others; `final` was looked at once for each. */
const MEMORIES_BEFORE: readonly (readonly string[])[] = [
  ['extract@3, tuned', '68', '100', '96', '21', '77', '50', '52/93', '92', '80', '21', '83', '42'],
  ['extract@3, held', '66', '100', '94', '29', '84', '55', '49/97', '92', '83', '15', '94', '57'],
  ['extract@3, final', '121', '98', '98', '23', '81', '56', '50/97', '93', '86', '22', '94', '62'],
  ['extract@4, final', '136', '95', '96', '77', '31', '77', '70/93', '89', '84', '82', '77', '76'],
  ['extract@5, final', '139', '95', '96', '80', '18', '79', '71/93', '89', '85', '87', '75', '76'],
  ['extract@6, final', '138', '96', '97', '80', '14', '80', '76/93', '89', '85', '87', '75', '76'],
]

const COLUMNS = `## Labels of the first kind

All figures are percent. P/R: precision and recall, over distinct names of an item. **participants**: by display name; **exact**: items whose
participants are those of the label, no more and no fewer. **dates**: days and months that the text names, a range by both ends. **entities**:
names besides participants, letter by letter; what only the title or the place of a document names counts neither way; **types**: of the names found and typed, those of the labelled type, and of all labelled names,
those found with it (\`term\` is no type). **when**: the day of the memory. **voice**: items told in the first person of the account's owner,
with what must be said, without anybody's "I" in another's mouth. **headline**: items of which a headline holds the labelled words, and none is
empty, too long, a greeting or said twice. **grammar**: items without a slip of a list, outside of quotation marks. **body**: items whose bodies
stand in the source word by word. **kept**: items with the expected number of memories and skips.

The rules that came before these; and these on passages that nobody had looked at yet, which is the fairest account of them (those 218
passages, written by the hand that wrote the rules; three labels that turned out to be wrong were corrected; the last row is of those with
labelled facts, which are longer and of more kinds):
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
  [
    'extract@3, final, first look',
    '91',
    '93/94',
    '88',
    '97/84',
    '85/64',
    '85/29',
    '100',
    '86',
    '98',
    '100',
    '99',
    '100',
  ],
]

/**
 * The whole of EXTRACTION.md.
 *
 * @param sheet some memories to read, in Markdown
 */
export function extractionReport(outcomes: readonly PassageOutcome[], sheet: string): string {
  const memories = (['tuned', 'held'] as const).map((part) => {
    const some = outcomes.filter(({ passage }) => passage.part === part && hasFacts(passage))
    return `### ${part}: ${some.length} passages\n\n${memoryTable(some)}\n`
  })
  const before = [...memoryTableHead(), ...MEMORIES_BEFORE.map(tableRow), goalRow()].join('\n')
  const older = [...extractionTableHead(), ...BEFORE.map(tableRow)].join('\n')
  return [
    INTRODUCTION,
    RUBRIC,
    before,
    '',
    ...memories,
    COLUMNS,
    older,
    '',
    extractionTable(outcomes).replace(/^## /gm, '### '),
    `## Memories to read\n\nDrawn by chance from the tuned and held passages (\`npm run eval -- --extraction --sheet 30 --seed 7\`).\n\n${sheet}\n`,
  ].join('\n')
}
