import type { SourceType } from '../../../domain/source-type.ts'
import { analyze } from '../../../lib/analyze.ts'
import type { QueryTerm } from '../../question/query-terms.ts'
import { type AnswerPassage, type AnswerSentence, ASKS_SAID, type AskedQuestion } from './answer-sentence.ts'
import { withFirst } from './with-first.ts'

const SAYS =
  '(?:say|said|tell|told|write|written|mention(?:ed)?|suggest(?:ed)?|propose[d]?|recommend(?:ed)?|ask(?:ed)?|answer(?:ed)?|reply|replied|explain(?:ed)?|advise[d]?|promise[d]?|offer(?:ed)?|request(?:ed)?|want(?:ed)? (?:you|claude|codex|cursor)|warn(?:ed)?)'
/** `what did I say about the pond`, `have I told Ravi` */
const BY_OWNER = new RegExp(`\\b(?:did|do|have|had) I (?:ever |already |just )?${SAYS}\\b`, 'i')
/** `what did you suggest`, `what has Claude said` */
const BY_AGENT = new RegExp(
  `\\b(?:did|do|have|had|has) (?:you|claude|codex|cursor|the (?:assistant|agent)) (?:ever |already |just )?${SAYS}\\b`,
  'i',
)
/** Names of agents in their sessions. */
export const AGENT = /^(?:claude|codex|cursor|copilot|gemini|chatgpt|assistant)\b/i
/** Agents work in sessions; elsewhere, somebody may be called Claude. */
const AGENT_SOURCES: ReadonlySet<SourceType> = new Set(['claude_code', 'codex', 'cursor', 'vscode', 'stream', 'text'])
/** A sentence by somebody else loses more than the weight of a whole question. */
const BY_OTHERS = 5
const ADDRESSES = /\byou(?:rs?|rsel(?:f|ves))?\b/i
const OF_ONESELF = /\b(?:I|my|mine|me|we|our|ours|us)\b/i

type AskedSpeaker = 'owner' | 'agent'

/** Whose words a question asks for: the asker's, or those of the agent in the question. */
export function askedSpeaker(question: string): AskedSpeaker | undefined {
  if (BY_OWNER.test(question)) return 'owner'
  return BY_AGENT.test(question) ? 'agent' : undefined
}

const SAYING = new Set(
  analyze('say said tell told write written mention ask asked claude codex cursor assistant agent'),
)

/** The terms of a question without its verbs of saying. */
export function saidTerms(terms: readonly QueryTerm[], question: string): readonly QueryTerm[] {
  const said = terms.filter(({ term }) => !SAYING.has(term))
  return askedSpeaker(question) === undefined || said.length === 0 ? terms : said
}

/** Ranks sentences by the requested speaker before those by others. */
export function askedSpeakerFirst(
  sentences: readonly AnswerSentence[],
  question: string,
  passages: readonly AnswerPassage[],
  userName: string | undefined,
): readonly AnswerSentence[] {
  const asked = askedSpeaker(question)
  if (asked === undefined) return sentences
  const weighed = sentences.map((sentence) => {
    const isTheirs = isBy(asked, passages[sentence.passage]!, userName)
    return isTheirs ? sentence : { ...sentence, score: sentence.score - BY_OTHERS }
  })
  return weighed.toSorted((a, b) => b.score - a.score)
}

/** `Yvonne said that`, which tells what somebody says without their words. */
export const REPORTS =
  /\b(?:says?|said|told|tells|thinks?|thought|wrote|writes|wants|wanted|asked|asks|suggest(?:s|ed)|recommend(?:s|ed)|mention(?:s|ed)|promised|offered|agreed|decided|reported)\b/i
/** The least share of the question around what somebody says. */
const LEAST_AROUND = 0.5

/** Puts what the person says at the start whose words a question asks for, where the best sentence is neither theirs nor tells of them. */
export function saidFirst(
  sentences: readonly AnswerSentence[],
  { text, asked }: AskedQuestion,
): readonly AnswerSentence[] {
  const [best] = sentences
  if (best === undefined || asked.size === 0 || !ASKS_SAID.test(text)) return sentences
  if (best.features.isByAsked === 1 || REPORTS.test(best.text)) return sentences
  const said = sentences.find(
    ({ features }) =>
      features.isByAsked === 1 && features.isQuestion + features.isChatter === 0 && features.around >= LEAST_AROUND,
  )
  return said === undefined ? sentences : withFirst(said, best.score, sentences)
}

/** Whether a passage is by the speaker; a note without one is its owner's. */
export function isBy(asked: AskedSpeaker, { speaker, sourceType }: AnswerPassage, userName = ''): boolean {
  if (asked === 'agent') return speaker !== undefined && AGENT.test(speaker) && AGENT_SOURCES.has(sourceType)
  if (speaker === undefined) return sourceType === 'text'
  return isNameOf(speaker, userName)
}

/** Whether a speaker has the owner's name, or a part of it. */
export function isNameOf(speaker: string, userName: string): boolean {
  const names = new Set(analyze(speaker))
  return names.size > 0 && names.isSubsetOf(new Set(analyze(userName)))
}

/**
 * Whether a sentence is by or about somebody whom a question for a list names, and of its speaker rather than of whom it
 * addresses: `Your trip sounds wonderful` is no trip of who says it.
 */
export function isOfAsked(
  { text, isAboutAsked }: AnswerSentence,
  { isTurn, speaker }: AnswerPassage,
  question: AskedQuestion,
): boolean {
  const isToOthers = isTurn && speaker !== undefined && ADDRESSES.test(text) && !OF_ONESELF.test(text)
  return !isToOthers && (question.asked.size === 0 || isAboutAsked)
}
