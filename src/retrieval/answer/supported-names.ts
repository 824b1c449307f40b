import { analyze, hashTerm } from '../../lib/analyze.ts'
import type { ChunkRow } from '../../store/search/search.ts'
import { neighbor } from '../recall/features.ts'
import type { ReadChunk } from '../recall/read-chunks.ts'
import type { Evidence } from './evidence/evidence.ts'
import type { ReadSentences } from './evidence/read-sentences.ts'

/** Passages of an answer. */
const READ = 5
/** Number of chunks before and after a passage that give it context. */
const AROUND = [-2, -1, 0, 1, 2]
const NAME = /(?<=[\p{L}\p{N},;:'"’)] )\p{Lu}[\p{L}\p{M}\p{N}]+/gu
const FULL_NAME = new RegExp(`${NAME.source}(?: \\p{Lu}[\\p{L}\\p{M}\\p{N}]+)*`, 'gu')
/** `3a`, `C3`: which one of several; not `5pm`, `8g` or `2x`. */
const WHICH_ONE = /(?<![\p{L}\p{N}.:#/-])(?:\d{1,2}[abcef]|\p{Lu}\d{1,3})(?![\p{L}\p{N}.:/-])/gu
/** Capitalized words that are not names. */
const NO_NAME =
  /^(?:I|January|February|March|April|May|June|July|August|September|October|November|December|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|PRs?|MRs?|Slack|GitHub|Gmail|Outlook|Claude|Cursor|Codex|YouTube|Asana|Teams|What|When|Where|Who|Why|How|Which|Is|Are|Did|Does|Do)$/u

/** Whether the names in a question occur in the part of a document that answers it, or next to it: another may be about anything. */
export function isAboutNamed(
  question: string,
  { read, sentences: [sentence] }: Pick<ReadSentences, 'read' | 'sentences'>,
  { ranking: { rows } }: Evidence,
  userName = '',
): boolean {
  const best = sentence && read[sentence.passage]
  if (best === undefined || best.row.sourceType !== 'technical_docs') return true
  return areHeld(namesIn(question, userName), wordsAround([best], rows))
}

/**
 * Whether the names in a question occur in the passages of its answer, or next to them. A restaurant elsewhere does not
 * answer `Which restaurant in Paris?`.
 */
export function holdsNames(question: string, { ranking: { rows }, found }: Evidence, userName = ''): boolean {
  const best = found.slice(0, READ).map(({ one }) => one)
  return areHeld(namesIn(question, userName), wordsAround(best, rows))
}

/** `on WhatsApp`, `in a Signal group`: by what people talked. */
const BY_WHAT = /\b(?:on|via|over|through|in an?) $/i

/** Whether a part of each name in a question, such as the given name, is among the hashes of words. */
export function holdsNamesInPart(question: string, held: ReadonlySet<number>, userName = ''): boolean {
  const own = new Set(analyze(userName))
  return [...question.matchAll(FULL_NAME)]
    .filter(({ index }) => !BY_WHAT.test(question.slice(0, index)))
    .map(([name]) => name.split(' ').filter((part) => !NO_NAME.test(part)))
    .map((parts) => parts.flatMap((part) => analyze(part)))
    .every((terms) => terms.length === 0 || terms.some((term) => own.has(term) || held.has(hashTerm(term))))
}

/** The terms of each name, without the owner's. */
function namesIn(question: string, userName: string): string[][] {
  const own = new Set(analyze(userName))
  const names = [...(question.match(NAME) ?? []), ...(question.match(WHICH_ONE) ?? [])].filter(
    (name) => !NO_NAME.test(name),
  )
  return names.map((name) => analyze(name).filter((term) => !own.has(term))).filter(({ length }) => length > 0)
}

/** Hashes of the words of chunks, of their titles and of those next to them. */
function wordsAround(chunks: readonly ReadChunk[], rows: readonly ChunkRow[]): ReadonlySet<number> {
  const held = new Set<number>()
  for (const one of chunks) {
    for (const hash of analyze(one.passage.title ?? '').map(hashTerm)) held.add(hash)
    for (const distance of AROUND) {
      const row = rows[distance === 0 ? one.position : neighbor(rows, one.position, distance)]
      for (const hash of row?.bodyHashes ?? []) held.add(hash)
      for (const hash of row?.metaHashes ?? []) held.add(hash)
    }
  }
  return held
}

function areHeld(wanted: readonly (readonly string[])[], held: ReadonlySet<number>): boolean {
  // `Postgres` stands for `PostgreSQL`, but `SQL` doesn't for `MySQL`.
  return wanted.every(([name = '', ...parts]) =>
    [name, ...parts.filter((part) => name.startsWith(part))].some((term) => held.has(hashTerm(term))),
  )
}
