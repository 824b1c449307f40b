import { isEventSource } from '../../../domain/source-type.ts'
import { analyze, hashTerm } from '../../../lib/analyze.ts'
import { LEFT_OUT, sentencesOf } from '../../../lib/sentences.ts'
import { heldShare, isSameRoot, wordsOf } from '../../question/held-words.ts'
import { withVerbs } from '../../question/irregular-verbs.ts'
import { asksHow } from '../../question/question-form.ts'
import { commandSentences, isCode } from '../../recall/code-lines.ts'
import { statedText } from '../../recall/pointing-lines.ts'
import { isChat, isOfMail } from '../../recall/provenance.ts'
import { clipWords } from '../../recall/quote-text.ts'
import type { ReadChunk } from '../../recall/read-chunks.ts'
import type { Evidence } from '../evidence/evidence.ts'
import { fittingSentences, type LeadSentence } from '../lead-quotation.ts'
import { type AskedQuestion, contentTerms } from '../sentences/answer-sentence.ts'
import { entriesSource, type NoteAnswer } from './note-answer.ts'

/** The verb of `How do I revoke a key?`, `how to properly revoke a key`. */
const ASKED_VERB = /^\W*(?:\p{L}+ )?how (?:\p{L}+ (?:I|we|you|one)|to) (?:\p{L}+ly )?(\p{L}+)/iu
/** Verbs and nouns that say next to nothing about the task. */
const EMPTY = new Set(analyze('make do get have use work go set create way best properly correctly own'))
const STEP = /^\s*\d{1,2}[.)]\s+\S/
/** A path in a command, not an address. */
const FILE = /(?<!\S)(?:~|\.{0,2})\/\S+/g
const LEAST_STEPS = 2
const MOST_CHARACTERS = 500
/** Least share of the task in a command that needs no sentence in front of it. */
const CLEAR_COMMAND = 0.25

/**
 * The section that a how-to question is about, by its title and headings: `How do I restore a backup?` under “Backup and
 * restore”. Its steps, else its commands, else its first sentences. The headings or what is shown must have the verb: `How do I
 * remove a user?` is not answered by the steps that add one.
 */
export function howTo(question: AskedQuestion, { found, paired }: Evidence): NoteAnswer | undefined {
  // Somebody answered this very question.
  if (!asksHow(question.text) || paired.length > 0) return undefined
  const content = contentTerms(question.terms, question.people).filter(({ term, typed = term }) => !EMPTY.has(typed))
  if (content.length === 0) return undefined
  const headed = found.flatMap(({ one }) => (isHeaded(one, content) ? [one] : []))
  const parts = partsOfBest(headed, content)
  const verb = askedVerb(question.text, content)
  const stepped = parts.map((one) => ({ one, lead: stepsOf(one, content, verb) }))
  const opening = parts.slice(0, 1).map((one) => ({ one, lead: isOfVerb(one, verb) ? openingOf(one) : [] }))
  const [best] = [...stepped, ...opening].filter(({ lead }) => lead.length > 0)
  if (best === undefined) return undefined
  const { title = '' } = best.one.passage
  const isTitled = analyze(title).some((term) => content.some(({ hash }) => hash === hashTerm(term)))
  return { kind: 'guide', sources: [entriesSource(best.one, best.lead)], ...(isTitled && { title }) }
}

/** The stem of the verb of what is to be done, unless it says next to nothing; of a misspelled one, the stored word. */
function askedVerb(question: string, content: AskedQuestion['terms']): string | undefined {
  const [stem] = analyze(ASKED_VERB.exec(question)?.[1] ?? '')
  if (stem === undefined || EMPTY.has(stem)) return undefined
  return content.find(({ typed }) => typed === stem)?.term ?? stem
}

/** Whether the headings of a section have the verb, if there is one. */
function isOfVerb({ row }: ReadChunk, verb: string | undefined): boolean {
  return verb === undefined || row.metaHashes.includes(hashTerm(verb))
}

/** The parts of the best document in their order, of those whose headings say most: it begins with what is most important. */
function partsOfBest(headed: readonly ReadChunk[], content: AskedQuestion['terms']): readonly ReadChunk[] {
  const shareOf = ({ row }: ReadChunk) => heldShare(content, new Set(row.metaHashes))
  const most = Math.max(0, ...headed.map(shareOf))
  const best = headed.filter((one) => shareOf(one) === most)
  return best
    .filter(({ row }) => row.itemKey === best[0]?.row.itemKey)
    .toSorted((a, b) => a.row.chunkId - b.row.chunkId)
}

/** Least share of the task in the headings, and in the section with its headings: what is done, and nearly all of with what. */
const LEAST_HEADED = 0.5
const LEAST_HELD = 0.75

/** Whether the headings of a section of a document say what is done, and it has nearly all that is asked about. */
function isHeaded(one: ReadChunk, content: AskedQuestion['terms']): boolean {
  const { kind, sourceType, metaHashes, bodyHashes } = one.row
  if (kind !== 'prose' || isEventSource(sourceType) || isChat(sourceType) || sourceType === 'browser') return false
  if (isOfMail(one)) return false
  const headings = new Set(metaHashes)
  return (
    heldShare(content, headings) >= LEAST_HEADED &&
    heldShare(content, headings.union(new Set(bodyHashes))) >= LEAST_HELD
  )
}

/** The steps of a numbered list, else the commands with words of the question. */
function stepsOf(one: ReadChunk, content: AskedQuestion['terms'], verb: string | undefined): readonly LeadSentence[] {
  const { text } = one.passage
  const hasVerb = (lines: readonly LeadSentence[]) =>
    verb === undefined || isOfVerb(one, verb) || lines.some((line) => hasRoot(line.text, verb))
  const numbered = text.split('\n').filter((line) => STEP.test(line))
  const listed = new Set(sentencesOf(numbered.join('\n'), 'joined'))
  const steps = proseOf(one).filter((sentence) => listed.has(sentence.text))
  if (steps.length >= LEAST_STEPS && hasVerb(steps)) return upToLength(steps)
  const commands = commandSentences(text).map((line) => ({ line, held: heldShare(content, commandWords(line.text)) }))
  const most = Math.max(0, ...commands.map(({ held }) => held))
  if (most === 0) return []
  const named = commands.flatMap(({ line, held }) => (held > 0 ? [line] : []))
  // What is done stands first in a question: of several commands, those that do it.
  const doing = named.filter((line) => heldShare(content.slice(0, 1), commandWords(line.text)) > 0)
  const asked = doing.length > 0 ? doing : named
  if (!hasVerb(asked)) return []
  const opening = proseOf(one).slice(0, 1)
  const isIntroduced = opening.some((sentence) => sentence.text.endsWith(LEFT_OUT))
  return upToLength(isIntroduced || most < CLEAR_COMMAND ? [...opening, ...asked] : asked)
}

/** The words of a command but those of its files: `restore ~/backups/1.db` makes no backup. */
function commandWords(line: string): ReadonlySet<number> {
  return wordsOf(line.replaceAll(FILE, ' '))
}

function hasRoot(text: string, verb: string): boolean {
  return analyze(withVerbs(text)).some((term) => term === verb || isSameRoot(term, verb))
}

function openingOf(one: ReadChunk): readonly LeadSentence[] {
  return upToLength(proseOf(one))
}

function proseOf({ row, passage }: ReadChunk): readonly LeadSentence[] {
  return sentencesOf(statedText(row, passage.text), 'joined').flatMap((sentence, position) =>
    isCode(sentence) ? [] : [{ text: clipWords(sentence), position }],
  )
}

/** The first sentences that fit, and always one. */
function upToLength(lead: readonly LeadSentence[]): readonly LeadSentence[] {
  const fitting = fittingSentences(lead, MOST_CHARACTERS)
  return fitting.length > 0 ? fitting : lead.slice(0, 1)
}
