import { analyze, hashTerm } from '../../../lib/analyze.ts'
import { type AnswerKind, holdsKind } from '../../question/answer-kind.ts'
import { namedWordsOf } from '../../question/held-words.ts'
import { PATH } from '../../question/paths.ts'
import type { QueryTerm } from '../../question/query-terms.ts'
import { coveredWeight } from './covered-weight.ts'

/** Words of `Where is the key stored?`, which asks for a place in a file system or an app. */
const LOCATES = hashesOf('store stored save keep kept locate location located find put placed')
/** What asks for a kind of value, which states itself: `up to 20 MB` is a size limit, and what is in a file is stored there. */
const KIND_WORDS: Partial<Record<AnswerKind, ReadonlySet<number>>> = {
  size: hashesOf('size big large'),
  place: hashesOf('store stored save keep kept locate location located find look live put placed'),
  duration: hashesOf('long time'),
}
const LIMIT_WORDS = hashesOf('limit maximum max minimum min largest smallest longest shortest most least allow allowed')
const DEFAULT_WORDS = hashesOf('default')
/** `Default: 100`, `defaults to 100`, `is 100 by default` */
const DEFAULTS = /\bdefaults?\b[^.;|]{0,30}?(?:\bis\b|\bto\b|[:=]|\d)|\bby default\b/i
/** `at most 20`, `PDFs up to 20 MB` */
const LIMITS =
  /\b(?:up to|at (?:most|least)|no (?:more|less|longer|larger) than|limit(?:s|ed)? (?:to|of|is|are)|max(?:imum)?|min(?:imum)?)\b[^.;|]{0,40}\d/i
/** Other words of a question that a form of value states: `at most 20`, `127.0.0.1:8080`, `(MIT)`. */
const FORMS: readonly (readonly [RegExp, ReadonlySet<number>])[] = [
  [LIMITS, LIMIT_WORDS],
  [/(?:[\p{L}\d]:|\bport\W{1,3})\d{2,5}\b/iu, hashesOf('port')],
  [/\b(?:MIT|Apache[- ](?:License )?2|BSD|[AL]?GPL|MPL|ISC|CC[- ]BY|Unlicense)/, hashesOf('license licence')],
]
/** `stored in Redis`, `~/.cache/app` */
const PLACES = new RegExp(`${PATH.source}|\\b(?:stored|kept|saved) in (?:the )?\\p{Lu}\\p{L}`, 'u')
const NO_WORDS: ReadonlySet<number> = new Set()
const CELLS = ' | '
/** A row of a table, whose cells say what it is about. */
export const IS_ROW = / \| .* \| /
/** The words of a path say where something is, not what. */
const CODE_PATH = /`[^`\s]*\/[^`\s]*`/g
/** Terms in the first cell of a row. */
const LONGEST_LABEL = 4
/** A row of this many cells states several things. */
const LEAST_CELLS = 3

/** Words of a question that a sentence of documentation holds by having the kind of value that they ask for. */
function wordsOfValue(kind: AnswerKind, sentence: string): ReadonlySet<number> {
  const words = KIND_WORDS[kind]
  const own = words !== undefined && holdsDocumented(kind, sentence) ? words : NO_WORDS
  return FORMS.reduce((held, [form, named]) => (form.test(sentence) ? held.union(named) : held), own)
}

/** As `holdsKind`, but a place in documentation is a file, a folder, a page of an app or what something is stored in, not any name. */
function holdsDocumented(kind: AnswerKind, sentence: string): boolean {
  return kind === 'place' ? PLACES.test(sentence) : holdsKind(kind, sentence, 0)
}

/** What a row of a table states: its first cell with each of the others. Any other sentence is one statement. */
function statementsOfRow(sentence: string): readonly string[] {
  const [first = '', ...others] = sentence.split(CELLS)
  return others.length + 1 < LEAST_CELLS ? [sentence] : others.map((cell) => `${first}${CELLS}${cell}`)
}

/** What a word for a kind of what is asked for counts in a document, as a share of the word itself: less than a note with that title. */
export const KIND_SHARE = 0.75

/** Token match of a sentence of documentation, whose headings are matched, too; a row is matched by its words only. */
export function documentedSoft(sentence: string, soft: number, coverage: number): number {
  return IS_ROW.test(sentence) ? coverage : Math.max(soft, coverage)
}

/** Whether one of the sentences is a row whose first cell has a word of the question. */
export function hasAskedRow(sentences: readonly string[], terms: readonly QueryTerm[]): boolean {
  const cells = sentences.filter((sentence) => sentence.includes(CELLS)).map((row) => row.split(CELLS)[0]!)
  return cells.some((cell) => {
    const held = new Set(analyze(cell).map(hashTerm))
    return terms.some(({ hash }) => held.has(hash))
  })
}

/** Whether the first cell of a row, or of what it states, is what a question asks about: `Uploads | PDFs up to 20 MB` */
export function isRowOf(sentence: string, question: string, kind: AnswerKind): boolean {
  const at = sentence.indexOf(CELLS)
  const cell = sentence.slice(0, Math.max(0, at)).toLowerCase()
  if (isQuoted(cell, question)) return true
  // A row about one `database` doesn't list them.
  if (kind === 'list' && !question.toLowerCase().includes(cell)) return false
  const label = analyze(cell)
  return label.length > 0 && label.length <= LONGEST_LABEL && new Set(label).isSubsetOf(new Set(analyze(question)))
}

const QUOTED = /["“`]([^"“”`]{4,80})["”`]/u

/** Whether a row is about the words that a question quotes, such as an error message. */
export function isQuoted(cell: string, question: string): boolean {
  const quoted = QUOTED.exec(question)?.[1]?.toLowerCase()
  return quoted !== undefined && cell.toLowerCase().includes(quoted)
}

/** What a sentence of documentation states of what is asked. */
interface Documented {
  /** Weight of the terms that it covers. */
  readonly covered: number
  /** Whether it has the place or the limit that is asked for; absent where neither is. */
  readonly holdsValue?: boolean
}

/** Where a sentence of documentation stands. */
interface Surroundings {
  /** Hashes of the words in its headings. */
  readonly headings: ReadonlySet<number>
  readonly label?: string | undefined
  /** Whether a row of its passage is of what is asked about, see `hasAskedRow`. */
  readonly isBesideAsked?: boolean
}

/** What a sentence of documentation states below its headings; of a row of a table, one of its statements. */
export function readDocumented(
  sentence: string,
  kind: AnswerKind,
  terms: readonly QueryTerm[],
  { headings, label, isBesideAsked = false }: Surroundings,
): Documented {
  const named = label === undefined ? NO_WORDS : new Set(analyze(label).map(hashTerm))
  const asksFor = (words: ReadonlySet<number>) => terms.some(({ hash }) => words.has(hash))
  const value =
    kind === 'place' && asksFor(LOCATES)
      ? PLACES
      : asksFor(LIMIT_WORDS)
        ? LIMITS
        : asksFor(DEFAULT_WORDS)
          ? DEFAULTS
          : undefined
  // The limit of downloads is none of uploads, which have a row of their own.
  const isOfOther = isBesideAsked && sentence.includes(CELLS) && !hasAskedRow([sentence], terms)
  const stated = statementsOfRow(sentence).map((part): Documented => {
    const held = namedWordsOf(part.replaceAll(CODE_PATH, ' '), terms)
    const words = isOfOther ? named : wordsOfValue(kind, part).union(named)
    const covered = coveredWeight(terms, held, { kindShare: KIND_SHARE, headings, stated: words })
    return { covered, ...(value && { holdsValue: value.test(part) || (value === DEFAULTS && IS_ROW.test(sentence)) }) }
  })
  return stated.toSorted((a, b) => b.covered - a.covered)[0]!
}

/**
 * The most that `readDocumented` may find covered in a sentence.
 * @param held see `createHeldHashes`
 */
export function mostDocumented(
  kind: AnswerKind,
  terms: readonly QueryTerm[],
  held: ReadonlySet<number>,
  headings: ReadonlySet<number>,
): number {
  const stated = FORMS.reduce((words, [, named]) => words.union(named), KIND_WORDS[kind] ?? NO_WORDS)
  return coveredWeight(terms, held, { kindShare: KIND_SHARE, headings, stated })
}

function hashesOf(words: string): ReadonlySet<number> {
  return new Set(analyze(words).map(hashTerm))
}
