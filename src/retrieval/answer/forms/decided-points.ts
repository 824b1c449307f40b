import { analyze, hashTerm } from '../../../lib/analyze.ts'
import { sentencesOf } from '../../../lib/sentences.ts'
import { isOfMail } from '../../recall/provenance.ts'
import { clipWords } from '../../recall/quote-text.ts'
import type { ReadChunk } from '../../recall/read-chunks.ts'
import type { Evidence } from '../evidence/evidence.ts'
import type { LeadSentence } from '../lead-quotation.ts'
import { type AskedQuestion, contentTerms } from '../sentences/answer-sentence.ts'
import { listedEntries, type NoteAnswer } from './note-answer.ts'

const ASKS_DECISIONS =
  /^\W*(?:and |so )?(?:(?:what|which)\b.*\b(?:decide[ds]?|decisions?|agreed?|resolved?|resolutions?)\b|(?:list|show) .*\bdecisions?\b)/i
/** `Decisions:` on a line of its own, as minutes have it. */
const DECISIONS_LINE = /^\W*(?:decisions?|decided|agreed|resolutions?)\W*$/i
const LIST_LINE = /^\s*(?:[-*•]|\d+[.)])\s+\S/
/** Words of a question for decisions that its answer lacks. */
const ASKING = new Set(
  analyze('decide decided decision decisions agree agreed resolve resolved resolution make made take took meeting'),
)

/** The decisions that the minutes of a meeting list: `What did we decide at the kick-off?` */
export function decidedPoints(question: AskedQuestion, { found }: Evidence): NoteAnswer | undefined {
  if (!ASKS_DECISIONS.test(question.text)) return undefined
  const subject = contentTerms(question.terms, question.people).filter(({ term }) => !ASKING.has(term))
  if (subject.length === 0) return undefined
  for (const { one } of found) {
    const { title } = one.passage
    if (title === undefined || isOfMail(one)) continue
    const titled = new Set(analyze(title).map(hashTerm))
    const points = isAbout(one, titled, subject) ? pointsOf(one.passage.text) : []
    if (points.length === 0) continue
    const further = subject.filter(({ hash }) => !titled.has(hash))
    const named = points.filter(({ text }) => analyze(text).some((term) => further.some((one) => one.term === term)))
    return listedEntries(one, title, named.length > 0 ? named : points)
  }
  return undefined
}

/** Whether the title has a word of the question, and the text or the headings have all the others. */
function isAbout({ row, passage }: ReadChunk, titled: ReadonlySet<number>, subject: AskedQuestion['terms']): boolean {
  if (!subject.some(({ hash }) => titled.has(hash))) return false
  const held = new Set([...titled, ...row.metaHashes, ...analyze(passage.text).map(hashTerm)])
  return subject.every(({ hash }) => held.has(hash))
}

/** The sentences of the list below `Decisions:`. */
function pointsOf(text: string): readonly LeadSentence[] {
  const lines = text.split('\n')
  const start = lines.findIndex((line) => DECISIONS_LINE.test(line))
  if (start < 0) return []
  const below = lines.slice(start + 1).filter((line) => line.trim() !== '')
  const end = below.findIndex((line) => !LIST_LINE.test(line))
  const listed = new Set(sentencesOf(below.slice(0, end < 0 ? undefined : end).join('\n'), 'joined'))
  return sentencesOf(text, 'joined').flatMap((sentence, position) =>
    listed.has(sentence) ? [{ text: clipWords(sentence), position }] : [],
  )
}
