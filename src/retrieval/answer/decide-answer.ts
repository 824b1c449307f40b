import { isEventSource } from '../../domain/source-type.ts'
import type { Embedder } from '../../models/model.ts'
import type { RecallInput } from '../recall/recall.ts'
import { weighEvidence } from './answer-confidence.ts'
import { leadVerdict, pairedVerdict } from './answer-verdict.ts'
import { decidingSentenceFirst, statementsOf } from './deciding-sentence.ts'
import type { Evidence, Source } from './evidence/evidence.ts'
import { questionFirst } from './evidence/question-first.ts'
import type { ReadSentences } from './evidence/read-sentences.ts'
import { decidedPoints } from './forms/decided-points.ts'
import { definition } from './forms/definition.ts'
import { gatheredSources } from './forms/gathered-list.ts'
import { howTo } from './forms/how-to.ts'
import type { NoteAnswer } from './forms/note-answer.ts'
import { openBoxes } from './forms/open-boxes.ts'
import { titledEntry, titledNote } from './forms/titled-note.ts'
import { isHeldBySynonyms } from './held-by-synonyms.ts'
import { leadingSources } from './leading-sources.ts'
import { isLikely, isOfNamesake, isSuited, STATES_QUESTION } from './likely-answer.ts'
import { isOfOtherDay, timedRecords } from './sentences/timed-records.ts'
import { holdsValue } from './sentences/value-answer.ts'
import { isPremiseDenied } from './sentences/yes-or-no.ts'
import { isAboutNamed } from './supported-names.ts'

/** What answers a question, if anything does, and what the first line is made of. */
export interface Decision {
  /**
   * Why there is an answer: a note lists it or says how, a verdict decides for yes or no or compares amounts, a stored pair
   * asks the same, or the best sentences state it.
   */
  readonly kind: 'note' | 'verdict' | 'pair' | 'sentence' | 'none'
  /** The sentences with the one that answers at the start. */
  readonly read: ReadSentences
  /** What the first line quotes, best first; without an answer, what comes closest. */
  readonly leading: readonly Source[]
  /** The note that `leading` is of. */
  readonly note: NoteAnswer | undefined
  /** Before the first line: `No: `, `The longest of 3: `, or nothing; `undefined` if nothing is decided. */
  readonly verdict: string | undefined
}

/** Who asks, and how further sentences are compared with the question. */
interface Asking extends Pick<RecallInput, 'timeZone' | 'userName' | 'now'> {
  readonly embedder: Embedder
}

/** @param ranked the sentences, best first */
export async function decideAnswer(ranked: ReadSentences, evidence: Evidence, asking: Asking): Promise<Decision> {
  const { userName } = asking
  const { read, verdict: decided } = decidingSentenceFirst(ranked, evidence, userName)
  const { isNamed, isClear } = judgeBest(ranked, read, evidence, asking)
  const note = noteThatAnswers(read, evidence, isClear)
  const leading = await firstSources(note, read, evidence, { ...asking, isClear })
  const verdict = decided ?? pairedVerdict(read.question, evidence.paired) ?? leadVerdict(read, leading, userName)
  // A verdict answers, however unlikely the words make that; one of the first line only if it is about who is named.
  const isDecided = verdict !== undefined && (decided !== undefined || isNamed)
  const isStated = isClear && (verdict !== undefined || statesAnswer(ranked, { read, leading }, evidence, userName))
  const kind = isStated ? (evidence.paired.length > 0 ? 'pair' : 'sentence') : 'none'
  return { kind: note ? 'note' : isDecided ? 'verdict' : kind, read, leading, note, verdict }
}

/** Whether the best sentence is about what the question names, and whether it, or a stored pair, clearly answers. */
function judgeBest(
  ranked: ReadSentences,
  read: ReadSentences,
  evidence: Evidence,
  { userName, timeZone, now }: Asking,
) {
  const { ranking, isSettled } = evidence
  const { text } = read.question
  const weighed = weighEvidence(text, evidence, ranked, userName, read.sentences[0])
  // A restaurant elsewhere doesn't answer a question about one in Paris.
  const isNamed = weighed.holdsNames === 1 && isAboutNamed(text, read, evidence, userName)
  const isOfAsked =
    isNamed &&
    !isOfNamesake(read) &&
    !isHeldBySynonyms(read) &&
    !isOfOtherDay(read, ranking, timeZone) &&
    !isAhead(read, now)
  return { isNamed, isClear: isSettled || (isOfAsked && isLikely(read, weighed, ranking, userName)) }
}

/** `How did the inspection go?`; not `Where did we book it?`, which is known before. */
const ASKS_OUTCOME =
  /^\W*(?:and |so )?(?:how (?:did|was|were)\b|what (?:happened|(?:was|were) (?:said|decided|agreed|found|the (?:results?|outcome)))\b)(?!.*\b(?:again|book|going to)\b)|\bdid\b.* (?:go|work out|pass|happen)(?: well| ok(?:ay)?)?\W*$/i

/** Whether the best sentence is of an event that is still ahead, where the question asks how it was. */
function isAhead({ question, read, sentences: [best] }: ReadSentences, now: Date): boolean {
  const row = best && read[best.passage]?.row
  if (row === undefined || !isEventSource(row.sourceType) || question.kind === 'time') return false
  return (row.at ?? 0) > now.getTime() && ASKS_OUTCOME.test(question.text)
}

/** The section that says how, or a note with entries, unless a sentence clearly states all that is asked about. */
function noteThatAnswers(read: ReadSentences, evidence: Evidence, isClear: boolean): NoteAnswer | undefined {
  const { question, sentences } = read
  const [best] = sentences
  const stated = isClear && best !== undefined && best.features.coverage >= STATES_QUESTION ? best.text : undefined
  const guide = howTo(question, evidence) ?? definition(question, evidence, stated)
  if (guide !== undefined) return guide
  if (stated !== undefined) return undefined
  return (
    decidedPoints(question, evidence) ??
    openBoxes(question, evidence) ??
    titledNote(question, evidence) ??
    titledEntry(question, evidence)
  )
}

/** What the first line quotes: the entries of a note, or the best sentences, for a list from every conversation. */
async function firstSources(
  note: NoteAnswer | undefined,
  read: ReadSentences,
  evidence: Evidence,
  { isClear, timeZone, embedder, userName }: Asking & { readonly isClear: boolean },
): Promise<readonly Source[]> {
  if (evidence.isSettled) return []
  if (note !== undefined) return questionFirst(note.sources, read)
  const nearest = timedRecords(leadingSources(evidence, read), evidence.ranking, read, timeZone)
  const gathered = isClear ? await gatheredSources(evidence, read, nearest, { embedder, userName }) : []
  return questionFirst([...nearest, ...gathered], read)
}

/** Whether the first line states what is asked for, and nothing denies what the question takes for granted. */
function statesAnswer(
  ranked: ReadSentences,
  { read, leading }: Pick<Decision, 'read' | 'leading'>,
  { isSettled }: Evidence,
  userName: string | undefined,
): boolean {
  if (isPremiseDenied(ranked.question, statementsOf(ranked), userName)) return false
  return isSettled || (isSuited(read, userName) && holdsValue(read, leading))
}
