import { isEventSource } from '../domain/source-type.ts'
import { analyze, TOOL_MARK } from '../lib/analyze.ts'
import type { Embedder } from '../models/model.ts'
import type { ChunkRow } from '../store/search/search.ts'
import { type AnswerKind, answerKind } from './answer-kind.ts'
import { toAnswerPassages } from './answer-passage.ts'
import {
  type AnswerPassage,
  type AnswerSentence,
  type AskedQuestion,
  COUNTS,
  isComplete,
  rankSentences,
} from './answer-sentence.ts'
import { askedSpeakerFirst, isOfAsked, saidTerms } from './asked-speaker.ts'
import { askedFirst } from './asked-version.ts'
import { appointmentChanges } from './changed-appointment.ts'
import { asksWhatWasRun } from './code-lines.ts'
import { buildHistory, type History } from './history.ts'
import { askedLines, labelsFirst } from './labelled-lines.ts'
import { type LeadSentence, quotationText } from './lead-quotation.ts'
import { comparesAmounts } from './measure.ts'
import { movedFirst } from './moved-event.ts'
import type { Folded } from './near-duplicates.ts'
import { askedStatement, newestStatements } from './newest-statement.ts'
import { clipWords } from './quote-text.ts'
import type { Ranking } from './rank-chunks.ts'
import type { ReadChunk } from './read-chunks.ts'
import type { Reply } from './read-replies.ts'
import type { RecallInput } from './recall.ts'
import { asksAll, IS_GREETING, repliesFirst } from './replies-first.ts'
import { causeBeside } from './stated-cause.ts'
import { rejectedFirst } from './table-rows.ts'
import { suitedFirst } from './unsuited-sentences.ts'
import { DENIES } from './yes-or-no.ts'

/** Maximum sentences in a list answer. */
export const MOST_LISTED = 8
/** Number of passages whose sentences are compared. */
export const MOST_READ = 10
/** The same where amounts are compared. */
const MOST_COMPARED = 40
/** Maximum characters of a sentence with its neighbors. */
const MOST_WINDOW = 320
/** The same limit in a list. */
const MOST_LISTED_CHARACTERS = 140
/** Characters of one passage's sentences in a list. */
const MOST_LISTED_OF_ONE = 320
/** Maximum score differences of the sentences shown after and before the best one; the next often continues it. */
const AFTER_BELOW = { turn: 3, prose: 1 }
const BEFORE_BELOW = { turn: 1.2, prose: 1 }
/** The former after a sentence that repeats the question: `Last Friday I went to a council meeting for adoption.` */
const AFTER_ECHO = { turn: 4, prose: 2 }
/** Share of many new words below which a sentence repeats the question: fewer than six. */
const LEAST_NEWS = 0.7
const WHOLE = { after: Number.POSITIVE_INFINITY, before: Number.POSITIVE_INFINITY }
/** Minimum share of the question in a sentence, relative to the best sentence of its passage. */
const LEAST_COVERAGE = 1 / 3
/** Characters of all sentences of a list. */
export const MOST_LEAD_CHARACTERS = 900
/** Maximum score difference of a further sentence in a list. */
const LISTED_BELOW = 1.5
/** The same where it names what is listed. */
const NAMED_BELOW = 3.5
/** Passages quoted below the first line, and how much less than the best their best sentences may score. */
export const MOST_FURTHER = 3
const FURTHER_BELOW = 4
/** The least share of the best score that a further passage has. */
const FURTHER_SHARE = 0.5
/** The least share of the question in a further passage and the two before it. */
const FURTHER_AROUND = 0.15
/**
 * The first line has two sentences of different passages that score nearly alike: for an open answer within 1, for a value
 * within .5. A day, a yes or no, and a speaker are of one sentence.
 */
const MOST_ALIKE = 2
const OPEN: ReadonlySet<AnswerKind> = new Set(['other', 'reason'])
const OPEN_BELOW = 1
const VALUE_BELOW = 0.5
const OF_ONE: ReadonlySet<AnswerKind> = new Set(['time', 'yes-no', 'speaker'])
const ASKS_ABOUT_PAST = /\b(?:before|previous(?:ly)?|used to|originally|at first|initial(?:ly)?|old|earlier|first)\b/i
/** A greeting at the start of a mail, with what follows it in the same sentence, or alone. */
const GREETING = /^(?:hello|hi|hey|dear|good (?:morning|evening|afternoon))\b[^,!.?]{0,40}[,!]\s+(?=\S)/i
/** `restaurants` of `which Italian restaurants`. */
const LISTED =
  /\b(?:which|what|how many|all (?:the|my|our)) (?:(?:kinds?|types?|sorts?) of )?(?:[\p{L}-]+ ){0,2}?(\p{L}+s)\b/iu
const NAME = /(?<!^\W*)\b\p{Lu}[\p{L}\p{M}]+/gu

/** The evidence for an answer. */
export interface Evidence {
  readonly ranking: Ranking
  /** The stored pair that asks the same question, unless a newer statement replaced it. */
  readonly paired: readonly Source[]
  readonly isSettled: boolean
  readonly found: readonly Folded<ReadChunk>[]
  /** Replies to questions among the best chunks, if they were not found themselves. */
  readonly replies: readonly Reply[]
  /** See `closestParts`. */
  readonly parts: readonly ReadChunk[]
  /** Later mails in the threads of the best chunks that move or cancel something. */
  readonly changes: readonly ReadChunk[]
  readonly history: History<number>
}

/** A chunk to show, or the part that answers. */
export interface Source {
  readonly row: ChunkRow
  readonly position: number
  /** Shown instead of the whole chunk. */
  readonly answer?: string
  /** The sentences of `answer`. */
  readonly lead?: readonly LeadSentence[]
  /** Time of the latest statement that this one replaces, in milliseconds since the epoch. */
  readonly replacedAt?: number
  /** Whether this version of the leading statement is the older or the newer one. */
  readonly isOtherVersion?: 'earlier' | 'later'
  /** One of consecutive turns, which are quoted one after another. */
  readonly isOfRun?: boolean
}

/** The best sentences with their neighbors: one, or for a list several of different passages. */
export function leadingSources(evidence: Evidence, ranked: ReadSentences): Source[] {
  const { read, passages, newest } = ranked
  const sentences = askedFirst(onSubject(ranked.sentences), ranked, evidence)
  const { most, below, characters: window } = leadLimits(ranked)
  const isList = asksForSeveral(ranked)
  const leading: Source[] = []
  const isNear = (sentence: AnswerSentence) => sentence.score >= sentences[0]!.score - below
  const isEntry = (one: AnswerSentence) =>
    one === sentences[0] ||
    ((isNear(one) || isListed(one, ranked)) && isOfAsked(one, passages[one.passage]!, ranked.question))
  const near = sentences.filter(isList ? isEntry : isNear)
  let total = 0
  for (const sentence of near) {
    const { row, position } = read[sentence.passage]!
    if (leading.length === most) break
    const same = leading.findIndex((source) => source.row.chunkId === row.chunkId)
    if (same >= 0) {
      if (isList && isNear(sentence)) leading[same] = withSentence(leading[same]!, sentence)
      continue
    }
    // What held before has a line of its own.
    if (leading.length > 0 && newest.currentOf(row.chunkId) !== undefined) continue
    const { text: whole } = passages[sentence.passage]!
    // A short event stays whole.
    if (isEventSource(row.sourceType) && whole.length <= MOST_WINDOW && leading.length === 0)
      return [{ row, position, ...replacedTime(row.chunkId, evidence) }]
    // A replacement often takes two sentences: one about the old state, and one about the new.
    const replaced = replacedTime(row.chunkId, evidence)
    const isChange = replaced.replacedAt !== undefined
    const isWithoutReason = ranked.question.kind === 'reason' && sentence.features.holdsKind === 0
    const limits = besideLimits(sentence, row.kind)
    const beside = isChange ? WHOLE : isWithoutReason ? { ...limits, after: WHOLE.after } : limits
    const isAlone = row.kind === 'prose' && isComplete(sentence) && !isChange
    const characters = isAlone ? 0 : window
    const lead = sentenceWindow(sentence, sentences, { characters, ...beside, isWhy: isWithoutReason })
    const narrowed = lead.map((one) => ({ ...one, text: askedLines(one.text, ranked.question) }))
    const answer = quotationText(narrowed)
    // Different passages can have the same sentence.
    if (leading.some((source) => source.answer === answer)) continue
    total += answer.length
    if (leading.length > 0 && total > MOST_LEAD_CHARACTERS) break
    leading.push({ row, position, answer, lead: narrowed, ...replaced })
  }
  return leading
}

/** A sentence as an entry of a list, with its neighbors while they fit. */
export function listEntry(
  sentence: AnswerSentence,
  all: readonly AnswerSentence[],
  { row, position }: Pick<ReadChunk, 'row' | 'position'>,
): Source {
  const limits = { characters: MOST_LISTED_CHARACTERS, ...besideLimits(sentence, row.kind) }
  const lead = sentenceWindow(sentence, all, limits)
  return { row, position, answer: quotationText(lead), lead }
}

/** How much less than a sentence those after and before it may score to be shown with it. */
function besideLimits({ features }: AnswerSentence, kind: ChunkRow['kind']): { after: number; before: number } {
  const isEcho = features.newWords < LEAST_NEWS && features.holdsKind === 0
  return { after: (isEcho ? AFTER_ECHO : AFTER_BELOW)[kind], before: BEFORE_BELOW[kind] }
}

/** How many passages the first line is of, how much less the others may score, and the characters of each. */
function leadLimits(ranked: ReadSentences): { most: number; below: number; characters: number } {
  const { kind } = ranked.question
  if (asksForSeveral(ranked)) return { most: MOST_LISTED, below: LISTED_BELOW, characters: MOST_LISTED_CHARACTERS }
  const below = OPEN.has(kind) ? OPEN_BELOW : VALUE_BELOW
  return { most: OF_ONE.has(kind) ? 1 : MOST_ALIKE, below, characters: MOST_WINDOW }
}

/** Whether a sentence names what a list is of, and scores less than others for other words only. */
function isListed({ text, score, features }: AnswerSentence, { question, sentences }: ReadSentences): boolean {
  const noun = LISTED.exec(question.text)?.[1]
  if (noun === undefined || features.isQuestion === 1 || score < sentences[0]!.score - NAMED_BELOW) return false
  return new Set(analyze(text)).isSupersetOf(new Set(analyze(noun)))
}

/** Whether a list is asked for, or how many there are where no sentence says it. */
export function asksForSeveral({ question: { kind, text }, sentences: [best] }: ReadSentences): boolean {
  return kind === 'list' || (kind === 'number' && COUNTS.test(text) && best?.features.holdsKind === 0)
}

/** The passages of the next best sentences, best first. */
export function furtherSources(
  evidence: Evidence,
  { read, sentences }: ReadSentences,
  leading: readonly Source[],
): Source[] {
  const known = new Set(leading.map(({ row }) => row.chunkId))
  const further: Source[] = []
  for (const sentence of sentences) {
    const { row, position } = read[sentence.passage]!
    if (further.length === MOST_FURTHER || sentence.score < sentences[0]!.score - FURTHER_BELOW) break
    if (known.has(row.chunkId) || sentence.features.share < FURTHER_SHARE) continue
    if (sentence.features.around < FURTHER_AROUND) continue
    known.add(row.chunkId)
    further.push({ row, position, ...replacedTime(row.chunkId, evidence) })
  }
  return further
}

/** A further sentence of a passage that is already listed. */
function withSentence(source: Source, { text, position }: AnswerSentence): Source {
  const { lead = [] } = source
  const both = [...lead, { text: clipWords(text), position }]
  const answer = quotationText(both)
  const isKnown = lead.some((one) => one.position === position)
  if (lead.length === 0 || isKnown || answer.length > MOST_LISTED_OF_ONE) return source
  return { ...source, lead: both, answer }
}

/** The sentences of the best passages, best first, and the question they were compared with. */
export interface ReadSentences {
  readonly read: readonly ReadChunk[]
  /** One for each of `read`. */
  readonly passages: readonly AnswerPassage[]
  readonly question: AskedQuestion
  readonly sentences: readonly AnswerSentence[]
  /** See `newestStatements`. */
  readonly newest: History<number>
  /** Whether the best sentence replies to somebody who asked nearly the same. */
  readonly isReplied: boolean
}

/** @param userName the account's owner, whom exports of messages call `Me` */
export async function readSentences(
  text: string,
  evidence: Evidence,
  embedder: Embedder,
  { timeZone, userName }: Pick<RecallInput, 'timeZone' | 'userName'>,
): Promise<ReadSentences> {
  const { ranking } = evidence
  const current = currentChunks(evidence, text)
  const stated = asksWhatWasRun(text) ? current : current.filter(({ row }) => !row.metaHashes.includes(TOOL_MARK))
  const best = (stated.length > 0 ? stated : current).slice(0, comparesAmounts(text) ? MOST_COMPARED : MOST_READ)
  const known = new Set(best.map(({ row }) => row.chunkId))
  const asksPast = ASKS_ABOUT_PAST.test(text)
  const parts = evidence.parts.filter(({ row }) => asksPast || evidence.history.currentOf(row.chunkId) === undefined)
  const beside = [...evidence.replies, ...parts, ...evidence.changes]
  const once = new Map(beside.filter(({ row }) => !known.has(row.chunkId)).map((one) => [one.row.chunkId, one]))
  const read = [...best, ...once.values()]
  const passages = toAnswerPassages(read, ranking, userName)
  const question = askedQuestion(text, ranking, passages, userName)
  const times = new Map(read.map(({ row }) => [row.chunkId, row.at ?? 0]))
  const scored = await rankSentences(question, passages, embedder)
  const suited = suitedFirst(labelsFirst(scored, question, passages), question, passages)
  const asked = rejectedFirst(askedSpeakerFirst(suited, text, passages, userName), question)
  const ranked = movedFirst(asked, question, read, passages)
  const isAsked = question.kind !== 'other' || /[?？]/.test(text)
  const sentences = isAsked ? repliesFirst(ranked, read, question, ranking, evidence.replies) : ranked
  const links = [...newestStatements(text, read, ranking), ...appointmentChanges(question, sentences, read, timeZone)]
  const newest = buildHistory(links.map((link) => ({ ...link, at: times.get(link.newer)! })))
  const isReplied = sentences !== ranked && asksAll(ranked, read, evidence.replies)
  return { read, passages, question, sentences, newest, isReplied }
}

/** The chunks, best first, with current statements in place of replaced ones, unless the question is about the past. */
function currentChunks({ found, history }: Evidence, text: string): ReadChunk[] {
  const chunks = new Map(found.map(({ one }) => [one.row.chunkId, one]))
  if (ASKS_ABOUT_PAST.test(text)) return [...chunks.values()]
  const current = found.map(({ one }) => ({
    ...chunks.get(history.currentOf(one.row.chunkId) ?? one.row.chunkId)!,
    share: one.share,
  }))
  const once = new Map<number, ReadChunk>()
  for (const chunk of current) if (!once.has(chunk.row.chunkId)) once.set(chunk.row.chunkId, chunk)
  return [...once.values()]
}

/**
 * Sentences with far less of the question than the best of their passage come last, unless they have the requested kind of
 * answer: `The invoice is over 89,900 kr` beside `The heat pump runs`.
 */
function onSubject(sentences: readonly AnswerSentence[]): AnswerSentence[] {
  const most = new Map<number, number>()
  for (const { passage, features } of sentences) {
    most.set(passage, Math.max(most.get(passage) ?? 0, features.coverage))
  }
  const least = (passage: number) => LEAST_COVERAGE * most.get(passage)!
  const held = sentences.filter(
    ({ passage, features }) => features.coverage >= least(passage) || features.holdsKind === 1,
  )
  return [...held, ...sentences.filter((sentence) => !held.includes(sentence))]
}

export function askedQuestion(
  text: string,
  { query }: Ranking,
  passages: readonly { readonly speaker: string | undefined }[],
  userName = '',
): AskedQuestion {
  const names = new Set((text.match(NAME) ?? []).flatMap((name) => analyze(name)))
  const speakers = new Set(passages.flatMap(({ speaker }) => (speaker === undefined ? [] : analyze(speaker))))
  const asked = names.intersection(speakers)
  const people = asked.union(new Set(analyze(userName)))
  return { text, kind: answerKind(text), terms: saidTerms(query.terms, text), names, asked, people }
}

/** The statement before the leading one; for a question about the past, the current one. */
export function otherVersion(lead: Source | undefined, ranked: ReadSentences): Source | undefined {
  const { newest, read, question, sentences } = ranked
  if (lead === undefined) return undefined
  const asked = askedStatement(question.text)
  const isPast = asked === 'before' || asked === 'original'
  const own = lead.row.chunkId
  const wanted = isPast ? newest.currentOf(own) : newest.replacedBy(own)[0]
  const found = read.find(({ row }) => row.chunkId === wanted)
  if (found === undefined) return undefined
  const { row, position } = found
  const stated = sentences.find(({ passage }) => read[passage] === found)
  // Of a mail, only what it says about the time.
  const isOne = question.kind === 'time' && row.kind === 'prose' && stated !== undefined
  const entry = isOne ? listEntry(stated, sentences, found) : { row, position }
  return { ...entry, isOtherVersion: isPast ? 'later' : 'earlier' }
}

/** The sentence with its neighbors, best first, while they fit. */
function sentenceWindow(
  chosen: AnswerSentence,
  all: readonly AnswerSentence[],
  limits: { readonly characters: number; readonly after: number; readonly before: number; readonly isWhy?: boolean },
): LeadSentence[] {
  const passage = all.filter((one) => one.passage === chosen.passage).toSorted((a, b) => a.position - b.position)
  let from = passage.indexOf(chosen)
  let to = from
  let length = chosen.text.length
  // `Mr Aydin does it` after `The heating is serviced on Friday`; `It starts on the 12th` after `It can't start in June`.
  const isAnswered = chosen.features.holdsKind === 1 && !DENIES.test(chosen.text)
  const held = isAnswered ? undefined : kindBeside(passage, from, limits.characters - length)
  const holder = held ?? (limits.isWhy ? causeBeside(passage, from, limits.characters - length) : undefined)
  if (holder !== undefined) {
    ;[from, to] = [Math.min(from, holder), Math.max(to, holder)]
    length += passage[holder]!.text.length + 1
  }
  for (;;) {
    const beside = [passage[to + 1], passage[from - 1]].filter((one) => one !== undefined)
    const fitting = beside.filter(
      ({ text, score, features, position }) =>
        length + text.length < limits.characters &&
        score >= chosen.score - (position > chosen.position ? limits.after : limits.before) &&
        !features.isQuestion &&
        !features.isChatter &&
        !IS_GREETING.test(text),
    )
    const [best] = fitting.toSorted((a, b) => b.score - a.score)
    if (best === undefined) break
    length += best.text.length + 1
    if (best === passage[to + 1]) to++
    else from--
  }
  return passage
    .slice(from, to + 1)
    .map(({ text, position }) => ({ text: clipWords(text.replace(GREETING, '')), position }))
}

/** Index of a neighbor with the requested kind of answer that fits: the next one, else the previous one. */
function kindBeside(passage: readonly AnswerSentence[], from: number, characters: number): number | undefined {
  return [from + 1, from - 1].find((i) => {
    const beside = passage[i]
    return beside?.features.holdsKind === 1 && beside.features.isQuestion === 0 && beside.text.length < characters
  })
}

export function replacedTime(chunkId: number, { found, history }: Evidence): { readonly replacedAt?: number } {
  const times = history
    .replacedBy(chunkId)
    .map((older) => found.find(({ one }) => one.row.chunkId === older)?.one.row.at ?? 0)
  return times.length > 0 ? { replacedAt: Math.max(...times) } : {}
}
