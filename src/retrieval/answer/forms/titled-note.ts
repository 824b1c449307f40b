import { fileNameWords } from '../../../domain/file-name-words.ts'
import { isEventSource } from '../../../domain/source-type.ts'
import { analyze, hashTerm } from '../../../lib/analyze.ts'
import { sentencesOf } from '../../../lib/sentences.ts'
import { withVerbs } from '../../question/irregular-verbs.ts'
import { givenTitle, isChat, isOfMail } from '../../recall/provenance.ts'
import { clipWords } from '../../recall/quote-text.ts'
import type { ReadChunk } from '../../recall/read-chunks.ts'
import type { Evidence } from '../evidence/evidence.ts'
import type { LeadSentence } from '../lead-quotation.ts'
import { type AskedQuestion, contentTerms } from '../sentences/answer-sentence.ts'
import { entriesSource, listedEntries, type NoteAnswer } from './note-answer.ts'

/** `what is on the packing list`, `what's in the tool box`, `what are the costs in our budget` */
const ASKS_CONTENT =
  /^\W*(?:and |so )?what(?:(?:['’]s| is| was| are| were) (?:\w+ )?(?:on|in)| are| were) (?:the|my|our|all)\b/i
/** Words of titles that say only that it is a note. */
const GENERIC = new Set(
  analyze('list lists log logs note notes overview journal diary minutes plan plans ideas todo todos new my our the'),
)
/** Verbs that don't select among entries. */
const VERBS = new Set(
  analyze(`want need like love wish give gave get got have had take took bring brought buy bought make made do did go went
    plan planned put keep kept use used see saw read write wrote note noted still yet already so far`),
)
/** Minimum share of the question that the title, the headings and the text of a note hold. */
const LEAST_HELD = 0.5

/**
 * The note whose title matches a question for a list: `What is on the packing list for the cabin?` None of its lines
 * has words of the question, so no single sentence answers.
 */
export function titledNote(question: AskedQuestion, { found }: Evidence): NoteAnswer | undefined {
  if (question.kind !== 'list' && !ASKS_CONTENT.test(question.text)) return undefined
  const asked = new Set(analyze(question.text))
  const content = contentTerms(question.terms, question.people).filter(({ term }) => !GENERIC.has(term))
  const notes = found.flatMap(({ one }) => {
    if (!isTitled(one, asked)) return []
    const words = wordsOf(one)
    const held = heldShare(words, content)
    return held >= LEAST_HELD && holdsNames(words, question) ? [{ one, held }] : []
  })
  const [best] = notes.toSorted((a, b) => b.held - a.held)
  const title = best && givenTitle(best.one)
  if (best === undefined || title === undefined) return undefined
  return listedEntries(best.one, title, askedEntries(best.one, content))
}

/** `which book did I give up on` */
const ASKS_ENTRY = /^\W*(?:and |so )?(?:which|what) (\p{L}{3,})\b/iu

/**
 * The entry that matches a question about one thing, in a note with a matching title: `Which book did I give up on?` in
 * “Books”.
 */
export function titledEntry(question: AskedQuestion, { found }: Evidence): NoteAnswer | undefined {
  const noun = analyze(ASKS_ENTRY.exec(question.text)?.[1] ?? '')
  if (noun.length === 0) return undefined
  const content = contentTerms(question.terms, question.people)
  for (const { one } of found) {
    const title = givenTitle(one) ?? ''
    const { text } = one.passage
    if (!isTitled(one, new Set(noun))) continue
    const rest = content.filter(({ term }) => !noun.includes(term)).map(({ hash }) => hash)
    const held = entriesOf(text).filter((entry) =>
      new Set(analyze(withVerbs(entry.text)).map(hashTerm)).isSupersetOf(new Set(rest)),
    )
    const [lead] = held
    if (rest.length === 0 || lead === undefined || held.length > 1) continue
    return { kind: 'entries', title, sources: [entriesSource(one, [lead])], count: 1 }
  }
  return undefined
}

/** Whether a document has a title, or a file a name, of which every word is asked about. */
function isTitled(one: ReadChunk, asked: ReadonlySet<string>): boolean {
  const { kind, sourceType } = one.row
  const { fileName } = one.passage
  if (kind !== 'prose' || isEventSource(sourceType)) return false
  if (isOfMail(one) || isChat(sourceType) || sourceType === 'browser') return false
  const named = fileName === undefined ? '' : fileNameWords({ fileName, sourceType })
  return [givenTitle(one) ?? '', named].some((title) => {
    const words = analyze(title.replaceAll(/\d+/g, ' '))
    const own = words.filter((term) => !GENERIC.has(term))
    return own.length > 0 && own.every((term) => asked.has(term))
  })
}

/** Hashes of the words in the title, the headings and the text. */
function wordsOf({ row, passage }: ReadChunk): ReadonlySet<number> {
  return new Set([...row.metaHashes, ...analyze(passage.text).map(hashTerm)])
}

function heldShare(held: ReadonlySet<number>, content: AskedQuestion['terms']): number {
  const total = content.reduce((sum, { weight }) => sum + weight, 0)
  const weight = content.reduce((sum, term) => sum + (held.has(term.hash) ? term.weight : 0), 0)
  return total === 0 ? 0 : weight / total
}

function holdsNames(held: ReadonlySet<number>, { names, people }: AskedQuestion): boolean {
  return [...names.difference(people)].every((name) => held.has(hashTerm(name)))
}

/** The entries with words of the question that the title doesn't have, otherwise all. */
function askedEntries({ passage, row }: ReadChunk, content: AskedQuestion['terms']): readonly LeadSentence[] {
  const entries = entriesOf(passage.text)
  const titled = new Set(row.metaHashes)
  const further = new Set(
    content.filter(({ hash, term }) => !titled.has(hash) && !VERBS.has(term)).map(({ hash }) => hash),
  )
  const named = entries.filter((entry) => analyze(entry.text).some((term) => further.has(hashTerm(term))))
  return named.length > 0 ? named : entries
}

function entriesOf(text: string): readonly LeadSentence[] {
  return sentencesOf(text, 'joined').map((sentence, position) => ({ text: clipWords(sentence), position }))
}
