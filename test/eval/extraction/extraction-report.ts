import { tableRow } from '../table.ts'
import { extractionTable, extractionTableHead } from './extraction-table.ts'
import { hasFacts, LABEL_PARTS, type LabelledPassage, readLabelledPassages } from './labelled-passages.ts'
import type { PassageOutcome } from './measure-extraction.ts'
import { goalRow, memoryTable, memoryTableHead } from './memory-table.ts'

const introduction = (passages: readonly LabelledPassage[]) => `# Extraction quality

Written by \`npm run eval -- --extraction\`. Passages written for this project (\`extraction/labels/*/*.yaml\`) go through the whole pipeline
without a model, and the output is compared with their labels, which were written before any output was seen. Rules may be tuned on
\`labels/tuned\`. \`labels/held\` is only measured: if you change a rule because of a held passage, move the passage to \`tuned\` and write a new one.
\`labels/final\` is measured once, at the end of a change of the rules, with \`--final\`, which prints figures and no failures. \`--failures 20\` prints
failures of tuned passages only. Of the ${passages.length} passages, ${passages.filter(hasFacts).length} have labelled facts: ${LABEL_PARTS.map((part) => `${passages.filter((one) => one.part === part && hasFacts(one)).length} ${part}`).join(', ')},
in English, German, French, Spanish, Japanese and Chinese. The final ones were written before the narrative rules were rewritten. There are few passages of each kind: one more or less is one or two points.
`

const RUBRIC = `## Memories

A memory should be true, informative and readable. Rules measure this, coarsely: they compare words, not meaning. The sheet at the end is for
reading what they miss.

All figures are percent of memories, unless stated otherwise.

- **true**: every clause of the narrative has evidence. Its content words (stems; past forms as their base verb; without reporting words such as
  "said" or "meeting", titles, headings, speakers and days) occur in one sentence of the source and its two neighbours, or the clause occurs in the
  source word for word. One of three or four words may be missing, none of fewer; of pairs of Japanese or Chinese characters two of five.
  Capitalised words within a sentence, and numbers, occur in the source. Days occur there too, in any format, or follow from a label
  or a time of the source. A reported speaker is the speaker of the sentence that contains most of the words, or is named in it.
  Nothing that the labels forbid occurs outside of quotation marks.
- **useful**: of memories of passages with labelled facts, those whose narrative contains one of them, or a labelled name in a sentence with a verb, and
  which are not half chatter. Quoting everything would be useful by this rule, so read it together with **readable**.
- **readable**: none of these in the narrative: more than one \`X said: "…"\`; an English sentence without a verb (a list of 450 verbs; other
  languages are exempt); an open quotation mark or bracket; filler ("um", "you know,", "lol", "+1", "ähm", "euh", "えっと", "嗯") or a
  greeting that opens a sentence; markup (headings, bold, tables, tags, entities, links, fences, mentions, emoji codes); a sentence of more than
  40 words, or 120 characters in Japanese or Chinese; \`I have a document "…" that says\` at the beginning; a word cut off by an ellipsis.
- **chatter kept**: of labelled sentences that belong in no memory, those that occur in a narrative word for word. Lower is better.
- **headline right**: it contains one of the labelled facts of the passage, has at most 90 characters, and is no fragment: not cut off, not the middle of
  a sentence, not somebody's "I" after a name, no \`Re:\`, no filler, markup or open quotation mark.
- **typed R/P**: names with the labelled type, of labelled names, and of those that were found with a type: person (participants too), organization, place,
  product, project, repository, ticket, file, date (its day) and amount. Spelled like the label, or like another name of the same person.
- **complete**: of labelled facts, those that one narrative contains: all their words, or their alternatives, and their days as days.
- **first person**: of memories of what the owner took part in, those that say "I" or "we" outside of quotation marks, and do not name the owner.
- **dates resolved**: of memories with a labelled "tomorrow", "next week" or "Friday", those that name the date, next to the word or instead of it.
- **owed**: of labelled promises and tasks, those for which one narrative states who owes what by when.
- **people**: of people whose names are written in several ways, those that get one name, the first of the label.
`

/** Rows of the rubric measured when the rules were others; `final` was looked at once for each. */
const MEMORIES_BEFORE: readonly (readonly string[])[] = [
  ['extract@3, tuned', '68', '100', '96', '21', '77', '50', '52/93', '92', '80', '21', '83', '42'],
  ['extract@3, held', '66', '100', '94', '29', '84', '55', '49/97', '92', '83', '15', '94', '57'],
  ['extract@3, final', '121', '98', '98', '23', '81', '56', '50/97', '93', '86', '22', '94', '62'],
  ['extract@4, final', '136', '95', '96', '77', '31', '77', '70/93', '89', '84', '82', '77', '76'],
  ['extract@5, final', '139', '95', '96', '80', '18', '79', '71/93', '89', '85', '87', '75', '76'],
  ['extract@6, final', '138', '96', '97', '80', '14', '80', '76/93', '89', '85', '87', '75', '76'],
  ['extract@9, final', '138', '96', '97', '80', '14', '79', '76/93', '89', '85', '87', '75', '76'],
  ['extract@10, final', '138', '96', '98', '80', '14', '80', '76/93', '89', '85', '87', '75', '76'],
  ['extract@12, final', '137', '96', '98', '82', '13', '79', '76/93', '89', '92', '88', '77', '76'],
  ['extract@14, final', '137', '96', '98', '82', '13', '79', '76/93', '89', '92', '88', '77', '76'],
  ['extract@15, final', '137', '96', '98', '82', '13', '79', '76/93', '90', '92', '88', '77', '76'],
  ['extract@16, final', '137', '96', '98', '82', '13', '80', '76/93', '90', '93', '88', '78', '76'],
  ['extract@17, final', '137', '96', '98', '82', '13', '80', '76/93', '90', '93', '88', '78', '76'],
  ['extract@18, final', '140', '95', '98', '83', '13', '81', '76/93', '90', '93', '88', '79', '76'],
  ['extract@19, final', '140', '95', '98', '83', '13', '81', '76/93', '90', '93', '88', '79', '76'],
  ['extract@20, final', '140', '95', '98', '83', '13', '81', '76/93', '90', '93', '88', '81', '76'],
]

const COLUMNS = `## Labels of the first kind

All figures are percent. P/R: precision and recall, over distinct names of an item. **participants**: by display name; **exact**: items whose
participants are those of the label, no more and no fewer. **dates**: days and months that the text names, a range by both ends. **entities**:
names besides participants, exactly as written; names that occur only in the title or the place of a document don't count; **types**: of the names found and typed, those of the labelled type, and of all labelled names,
those found with it (\`term\` is no type). **when**: the day of the memory. **voice**: items told in the first person of the account's owner,
with the required statements, and with every "I" attributed to its speaker. **headline**: items of which a headline contains the labelled words, and
none is empty, too long, a greeting or a duplicate. **grammar**: items without a listed mistake outside of quotation marks. **body**: items whose
bodies occur in the source word for word. **kept**: items with the expected number of memories and skips.

Earlier versions of the rules, and each version at the first look at new passages, which is the fairest measurement (218 passages by
the author of the rules; three wrong labels were corrected; the last row has the passages with labelled facts, which are longer and of
more kinds):
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
    introduction(readLabelledPassages()),
    RUBRIC,
    before,
    '',
    ...memories,
    COLUMNS,
    older,
    '',
    extractionTable(outcomes).replace(/^## /gm, '### '),
    `## Memories to read\n\nRandomly drawn from the tuned and held passages (\`npm run eval -- --extraction --sheet 30 --seed 7\`).\n\n${sheet}\n`,
  ].join('\n')
}
