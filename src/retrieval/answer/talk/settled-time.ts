import { analyze } from '../../../lib/analyze.ts'
import { sentencesOf } from '../../../lib/sentences.ts'
import { MONTH, WEEKDAY } from '../../question/calendar-names.ts'
import { isQuestion } from '../../question/question-form.ts'
import type { Turn } from '../evidence/turns-after.ts'
import { type SettlingTurn, statedIn, type TalkQuestion } from './settling-turn.ts'

/** `24` alone only where it can't count something: `24th`, `24 May`, `at 8`, `24, please`. */
const NUMBER_OF_TIME = `\\d{1,2}(?:st|nd|rd|th)|\\d{1,2}(?= ?(?:${MONTH}|[ap]m\\b|:\\d\\d|o['’]clock|[,.;!?)]|$|(?:please|it is|then|works|or)\\b))|(?<=\\b(?:at|by|${MONTH}) )\\d{1,2}`
const NAMED_TIME = new RegExp(`\\b(?:${NUMBER_OF_TIME}|${WEEKDAY}|${MONTH}|tomorrow|tonight)(?!\\p{L})`, 'giu')
const OFFERS_TWO = /\bor\b/i
/** What a sentence that picks a time has besides it: `Ok, Friday it is`, `24th please`, `the 3rd works for me`. */
const PICKING =
  /\b(?:ok(?:ay)?|yes|yeah|yep|great|good|fine|perfect|then|so|sure|deal|lets|do|say|take|make|it|is|are|go|for|with|on|at|the|of|in|please|works?|suits?|sounds?|better|best|me|us|again|morning|afternoon|evening|noon|am|pm)\b/gi
/** `I'll book the Thai for Friday`, `let's meet on Friday at five` */
const ARRANGES = new RegExp(
  `\\b(?:I|we)(?:['’]ll| will|['’]ve| have) (?:just )?(?:book|reserv|order|schedul|fix)\\p{L}*\\b.{0,80}?\\bfor (?:the |next )?(?:${NUMBER_OF_TIME}|${WEEKDAY}|tomorrow|tonight)|\\blet['’]s (?:meet|say|do|make it|go)\\b`,
  'iu',
)
/** `Let's do 6 December`, `I suggest the 3rd`, with a time of its own, whatever others proposed before. */
const IS_PROPOSAL =
  /\b(?:let['’]s (?:do|say|take|make it|go for)|I(?:['’]d)? (?:suggest|propose)|how about|what about)\b/i
/** A proposal that moves what has a time: `can we do Saturday`, `Saturday instead?` */
const MOVES = /\b(?:can|could|shall|should|instead|rather|move|postpone|better|would)\b/i
/** `can we do December 5`, without anything else that it would be about. */
const EMPTY_PROPOSAL = new Set(
  analyze(`can could shall should would we you I I'd do make have meet move how about what instead rather then say at on in the it is
    let's take go for suggest propose`),
)
const DOUBTS = /\b(?:no|not|never|think|maybe|perhaps|guess|terrible|sorry)\b|n['’]t\b/i
const REFUSES = /^(?:sorry|no|nope|unfortunately|oh no|actually|wait)\b/i

/** The first sentence that picks a time which was proposed, or arranges what the talk is about: `24th please` after `On the 24th or the 26th`. */
export function settledTime(
  talk: readonly Turn[],
  { question: { text: asked } }: TalkQuestion,
): readonly SettlingTurn[] {
  const [first] = talk.slice(1).flatMap((turn, i) => {
    const { speaker } = turn.passage
    const before = talk.slice(0, i + 1)
    return statedIn(turn, (sentence) => settles(sentence, speaker, before, asked))
  })
  return first !== undefined && isKept(first, talk) ? [first] : []
}

/** Whether nobody refuses a pick afterwards, or names another of the times that were proposed. */
function isKept({ turn, sentences }: SettlingTurn, talk: readonly Turn[]): boolean {
  const at = talk.indexOf(turn)
  const picked = new Set(sentences.flatMap(({ text }) => [...timesOf(text)]))
  const others = new Set(
    talk
      .slice(0, at)
      .flatMap(({ passage }, i) => [...proposedTimes(passage.text, i === 0)].filter((time) => !picked.has(time))),
  )
  const later = talk.slice(at + 1)
  const isRefused = later[0] !== undefined && REFUSES.test(later[0].passage.text)
  return !isRefused && later.every(({ passage }) => timesOf(passage.text).isDisjointFrom(others))
}

function settles(sentence: string, speaker: string | undefined, before: readonly Turn[], asked: string): boolean {
  const times = timesOf(sentence)
  if (times.size === 0) return false
  const lead = before[0]!.passage.text
  const subject = `${asked} ${lead}`
  const isFixed = timesOf(lead).size > 0 && proposedTimes(lead, true).size === 0
  if (picksTime(sentence)) {
    return before.some(
      ({ passage }, i) =>
        passage.speaker !== speaker &&
        // `The 3rd?` after `The 8th is the start of the pilot` is about something else.
        (!isFixed || MOVES.test(passage.text) || proposesAgain(passage.text, times, subject)) &&
        proposedTimes(passage.text, i === 0).intersection(times).size > 0 &&
        // A time of something else, stated in between, makes the proposal one about that.
        (proposesAgain(passage.text, times, subject) ||
          before.slice(1, i).every((between) => timesOf(between.passage.text).size === 0)),
    )
  }
  if (isFixed || !ARRANGES.test(sentence)) return false
  const terms = new Set(analyze(sentence.replaceAll(NAMED_TIME, ' ')))
  return before.some(({ passage }) => analyze(passage.text).some((term) => terms.has(term)))
}

/** Whether a sentence, or what is before its first comma, is a time and nothing else but assent. */
function picksTime(sentence: string): boolean {
  // A number alone may count something.
  if (DOUBTS.test(sentence) || /^\W*\d{1,2}\W*$/.test(sentence)) return false
  const head = sentence.split(/[,;:.!?–—(]\s|[,;:.!?–—(]$/).find((part) => timesOf(part).size > 0) ?? ''
  const rest = head
    .replaceAll(/['’]/g, '')
    .replaceAll(NAMED_TIME, ' ')
    .replaceAll(PICKING, ' ')
    .replaceAll(/:?\d{1,2}/g, ' ')
  return head !== '' && !/\p{L}/u.test(rest)
}

/** The times that a turn proposes: of the first one, between which it lets choose; of a later one, without another subject. */
function proposedTimes(text: string, isFirst: boolean): ReadonlySet<string> {
  const proposals = sentencesOf(text, 'joined').flatMap((sentence) => {
    if (isFirst) return OFFERS_TWO.test(sentence) || isQuestion(sentence) ? [sentence] : []
    if (IS_PROPOSAL.test(sentence)) return [sentence]
    const clause = sentence.split(/[,;:–—]\s/).at(-1)!
    const terms = analyze(clause.replaceAll(NAMED_TIME, ' '))
    return /\?\W*$/.test(sentence) && terms.every((term) => EMPTY_PROPOSAL.has(term)) ? [clause] : []
  })
  return new Set(proposals.flatMap((proposal) => [...timesOf(proposal)]))
}

/** Whether a text proposes one of the times for the subject and nothing else: `Let's do the 3rd`, not `How about the 3rd for the audit`. */
function proposesAgain(text: string, times: ReadonlySet<string>, subject: string): boolean {
  const own = new Set([...EMPTY_PROPOSAL, ...analyze(subject)])
  return sentencesOf(text, 'joined').some(
    (sentence) =>
      IS_PROPOSAL.test(sentence) &&
      !timesOf(sentence).isDisjointFrom(times) &&
      analyze(sentence.replaceAll(NAMED_TIME, ' ')).every((term) => own.has(term)),
  )
}

/** Days, months and hours in a text, without endings: `24` for `the 24th`. */
function timesOf(text: string): ReadonlySet<string> {
  return new Set((text.match(NAMED_TIME) ?? []).map((time) => time.toLowerCase().replace(/(?<=\d)\D+$/, '')))
}
