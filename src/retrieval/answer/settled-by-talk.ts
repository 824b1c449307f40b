import { analyze } from '../../lib/analyze.ts'
import { sentencesOf } from '../../lib/sentences.ts'
import type { SearchIndex } from '../../store/search/search.ts'
import { holdsKind } from '../question/answer-kind.ts'
import { MONTH, WEEKDAY } from '../question/calendar-names.ts'
import { isQuestion } from '../question/question-form.ts'
import { isIssue, isMail } from '../recall/provenance.ts'
import type { Decision } from './decide-answer.ts'
import type { Evidence, Source } from './evidence/evidence.ts'
import { type Turn, turnsAfter } from './evidence/turns-after.ts'
import { fittingSentences, type LeadSentence, quotationText } from './lead-quotation.ts'
import { type AskedQuestion, contentTerms } from './sentences/answer-sentence.ts'

/** Turns after the one that leaves something open in which the talk settles it. */
const MOST_TURNS_ON = 5
/** The same for an amount that is bargained over, and for a cause that is looked for. */
const MOST_TURNS_TO_VALUE = 8
/** Turns of a decision that are quoted one after another. */
const MOST_QUOTED = 4
/** Fewer characters say that something was found, and not what. */
const LEAST_OF_CAUSE = 30
/** Characters of one of these turns. */
const MOST_CHARACTERS = 320
/** A talk that stops for longer is about something else when it goes on. */
const MOST_PAUSE_MS = 2 * 86_400_000

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
/** `It's in my cellar`, `they are at Sabine's`; not `it is on strike`. */
const IS_AT =
  /(?:^|[.!?,]\s+)(?:(?:oh|no|sorry|wait|actually|ah)[,.!]? )?(?:it|they)(?:['’](?:s|re)| (?:is|are|was|were)) (?:still |now |actually )?(?:in|at|on|with|under|behind|inside|next to|beside) (?:(?:my|your|his|her|our|their|the|a|an) (?!(?:way|phone|moment|end|same|list|news|guide\p{L}*)\b)\p{L}|(?-i:\p{Lu})\p{L}+)/iu
/** `I booked Tamada for the 17th`, `I've reserved a table at the Anchor`; not `I booked Annette for the photos`. */
const BOOKED =
  /(?:^|[.!?,]\s+)(?:I|we)(?:['’]ve| have)? (?:just |already )?(?:booked|reserved) (?:us )?(?:(?:(?:a table|two tables|a room|seats)(?: for \p{L}+)? )?(?:at|in) (?:the )?(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)\p{Lu}\p{L}+|(?:the )?(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)\p{Lu}\p{L}+(?=[^.!?]{0,60}\b(?:tables?|rooms?|for (?:the )?\d|for (?:two|three|four|five|six|seven|eight|nine|ten|twelve)\b))(?! for (?:the |our )?(?:photos?|flights?|music)\b))/u
/** `Let's do 6 December`, `I suggest the 3rd`, with a time of its own, whatever others proposed before. */
const IS_PROPOSAL =
  /\b(?:let['’]s (?:do|say|take|make it|go for)|I(?:['’]d)? (?:suggest|propose)|how about|what about)\b/i
/** A proposal that moves what has a time: `can we do Saturday`, `Saturday instead?` */
const MOVES = /\b(?:can|could|shall|should|instead|rather|move|postpone|better|would)\b/i
/** `Found it. The certificate had expired.`, `Turns out the disk is full.` */
const FOUND_CAUSE =
  /(?:^|[.!?]\s+)(?:ah,? |ok(?:ay)?,? |oh,? )?(?:(?:I |we )?(?:have )?found (?:it|the (?:cause|problem|reason|bug|culprit))\b|(?:the )?(?:root )?(?:cause|reason|culprit) (?:is|was)\b|(?:it )?turn(?:s|ed) out\b|it (?:is|was) because\b)/i
/** `Turns out the disk is full`, which may be news of anything; not `Turned out great`. */
const TURNS_OUT = /\bturn(?:s|ed) out\b/i
const WENT_WELL = /\bturn(?:s|ed) out (?:to be )?(?:great|well|fine|good|nice|ok(?:ay)?|lovely|perfect)\b/i
const ASKS_WHY_NOT = /^\W*(?:and |so |but )?why (?:not|(?:is|are|do|did|does|was|were|ca|wo)n['’]t)\b/i
/** `Not on the 29th, that's the evening of the fair.` */
const OBJECTS =
  /^(?:(?:hm|oh|sorry)\W+)?(?:not (?!yet|sure)|unfortunately\b|I(?:['’]d rather| can(?:no|['’])t| would(?:n['’]t| not)| don['’]t (?:want|think)))/i
/** `No, the hall is taken`, which objects to what was proposed just before if it is about that. */
const OBJECTS_TO_IT = /^(?:(?:hm|oh|sorry)\W+)?(?:no[,.] |I don['’]t like\b)/i
/** `can we do December 5`, without anything else that it would be about. */
const EMPTY_PROPOSAL = new Set(
  analyze(`can could shall should would we you I I'd do make have meet move how about what instead rather then say at on in the it is
    let's take go for suggest propose`),
)
/** An assent, and nothing that limits it. */
const ASSENTS = /^(?:agreed|ok(?:ay)?|fine|deal|settled|approved)(?:[,.!]|$)(?!.*\b(?:but|then I)\b)/is
const DOUBTS = /\b(?:no|not|never|think|maybe|perhaps|guess|terrible|sorry)\b|n['’]t\b/i
const REFUSES = /^(?:sorry|no|nope|unfortunately|oh no|actually|wait)\b/i
/** `Next, prices`, `Last, the dinner`: the talk goes on to something else. */
const GOES_ON = /(?:^|[.!?]\s)(?:next|last(?:ly)?|now|another (?:thing|point)|moving on|then there is|finally)[,:]?\s/i

/**
 * The turns that settle what the best one leaves open. A question when: `24th please` after `On the 24th or the 26th`. A
 * question where: `It's in my cellar` after `It's at Ida's`. One about a decision: the turns up to the one in which somebody
 * agrees. `undefined` if the talk settles nothing.
 */
export async function settledByTalk(
  { kind, leading, read: { question, sentences } }: Decision,
  { ranking }: Evidence,
  index: SearchIndex,
): Promise<readonly Source[] | undefined> {
  const { rows } = ranking
  const [lead] = leading
  const isOpen =
    question.kind === 'time' ||
    question.kind === 'place' ||
    question.kind === 'money' ||
    ((question.kind === 'decision' || question.kind === 'reason') && sentences[0]?.features.holdsKind === 0)
  if (kind !== 'sentence' || !isOpen || lead === undefined) return undefined
  if (lead.row.kind !== 'turn' || isMail(lead.row.sourceType)) return undefined
  // Comments on an issue are about it, however late.
  const end = isIssue(lead.row.sourceType) ? Number.POSITIVE_INFINITY : (lead.row.at ?? 0) + MOST_PAUSE_MS
  const most = question.kind === 'money' || question.kind === 'reason' ? MOST_TURNS_TO_VALUE : MOST_TURNS_ON
  const turns = await turnsAfter(lead, most, ranking, index)
  const talk = turns.filter(({ position }) => (rows[position]!.at ?? 0) <= end)
  if (talk.length < 2) return undefined
  if (question.kind === 'decision') return agreedTurns(talk, lead, rows)
  if (question.kind === 'money') return agreedAmount(talk, lead, question, rows)
  if (question.kind === 'reason') return foundCause(talk, lead, question, rows)
  const settled =
    question.kind === 'place'
      ? settledPlace(talk, sentences[0]?.features.holdsKind === 0)
      : settlingSentence(talk, question.text)
  if (settled === undefined) return undefined
  const { position, sentence } = settled
  return [
    { ...lead, isOfRun: true },
    { row: rows[position]!, position, answer: sentence.text, lead: [sentence], isOfRun: true },
  ]
}

/** The first sentence that picks a time which was proposed, or arranges what the talk is about. */
function settlingSentence(
  talk: readonly Turn[],
  asked: string,
): { position: number; sentence: LeadSentence } | undefined {
  const found = talk.slice(1).flatMap(({ position, passage: { text, speaker } }, i) => {
    const before = talk.slice(0, i + 1)
    return sentencesOf(text, 'joined').flatMap((sentence, at) =>
      !isQuestion(sentence) && settles(sentence, speaker, before, asked)
        ? [{ position, sentence: { text: sentence, position: at } }]
        : [],
    )
  })
  const [first] = found
  return first !== undefined && isKept(first, talk) ? first : undefined
}

/** Whether nobody refuses a pick afterwards, or names another of the times that were proposed. */
function isKept({ position, sentence }: { position: number; sentence: LeadSentence }, talk: readonly Turn[]): boolean {
  const at = talk.findIndex((turn) => turn.position === position)
  const picked = timesOf(sentence.text)
  const others = new Set(
    talk
      .slice(0, at)
      .flatMap(({ passage }, i) => [...proposedTimes(passage.text, i === 0)].filter((time) => !picked.has(time))),
  )
  const later = talk.slice(at + 1)
  const isRefused = later[0] !== undefined && REFUSES.test(later[0].passage.text)
  return !isRefused && later.every(({ passage }) => timesOf(passage.text).isDisjointFrom(others))
}

/** The last sentence that says where it is, after one that said so or asked: `Oh. It's in my cellar`; or where somebody booked, if the first names no place. */
function settledPlace(
  talk: readonly Turn[],
  isUnnamed: boolean,
): { position: number; sentence: LeadSentence } | undefined {
  const [first, ...others] = talk
  const isOpen = IS_AT.test(first!.passage.text) || isQuestion(first!.passage.text)
  const found = others.flatMap(({ position, passage: { text } }) =>
    sentencesOf(text, 'joined').flatMap((sentence, at, all) => {
      // Behind a question of its own, it is something else.
      const isOther = at > 0 && isQuestion(all[at - 1]!)
      return !isOther &&
        !isQuestion(sentence) &&
        ((isUnnamed && BOOKED.test(sentence)) || (isOpen && IS_AT.test(sentence)))
        ? [{ position, sentence: { text: sentence, position: at } }]
        : []
    }),
  )
  return found.at(-1)
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

/** The last amount of somebody to which somebody else agrees, with that: `€14 a month`, `ok, deal`. */
function agreedAmount(
  talk: readonly Turn[],
  lead: Source,
  question: AskedQuestion,
  rows: Evidence['ranking']['rows'],
): readonly Source[] | undefined {
  const agreed = talk.findLastIndex(
    ({ passage }, i) => i > 1 && ASSENTS.test(passage.text) && talk[i - 1]!.passage.speaker !== passage.speaker,
  )
  const offer = agreed < 0 ? undefined : talk[agreed - 1]!
  if (offer === undefined || !isBargained(talk.slice(1, agreed), question)) return undefined
  const further = [offer, talk[agreed]!].map((turn) => turnSource(turn, rows))
  return [{ ...lead, isOfRun: true }, ...further]
}

/** Whether the last turn has an amount, and is or follows, with amounts in between, one about what is asked. */
function isBargained(talk: readonly Turn[], { terms, people }: AskedQuestion): boolean {
  const content = new Set(contentTerms(terms, people).map(({ term }) => term))
  const other = talk.findLastIndex(({ passage }) => !holdsKind('money', passage.text, 0))
  const offers = talk.slice(other + 1).map(({ passage }) => passage.text)
  const isNamed = (text: string) => analyze(text).some((term) => content.has(term))
  const last = offers.at(-1)
  // `And I need 20 euros for the cake` is no offer for the printer.
  if (last === undefined || !(isNamed(last) || OFFERS_AMOUNT.test(last))) return false
  return offers.some(isNamed) || (other < 0 && offers.every((text) => OFFERS_AMOUNT.test(text)))
}

/** `Too much. 420 euros?`, which names no thing of its own. */
const OFFERS_AMOUNT =
  /^(?:(?:hm|no|sorry|too (?:much|expensive|high|little|low))\W+)*(?:(?:and|then|how about|what about|make it|let['’]s say|say|I(?:['’]d| would) (?:say|take|pay))\W+)?[€$£]?\d/i

/** The turn in which somebody found the cause of what the best one reports, or objects to what it proposes. */
function foundCause(
  talk: readonly Turn[],
  lead: Source,
  question: AskedQuestion,
  rows: Evidence['ranking']['rows'],
): readonly Source[] | undefined {
  const isCause = ASKS_WHY_NOT.test(question.text) ? isObjection : isFoundCause
  const content = new Set([
    ...contentTerms(question.terms, question.people).map(({ term }) => term),
    ...analyze(talk[0]!.passage.text),
  ])
  const found = talk.slice(1).find((turn, i) => {
    const { text, speaker } = turn.passage
    // `Found it` of who asked for a badge is about the badge.
    const hasAsked = talk
      .slice(1, i + 1)
      .some(({ passage }) => passage.speaker === speaker && passage.text.includes('?'))
    const isAbout = analyze(text).some((term) => content.has(term))
    return text.length >= LEAST_OF_CAUSE && !hasAsked && isCause(turn, talk.slice(0, i + 1), isAbout)
  })
  return found && [{ ...lead, isOfRun: true }, turnSource(found, rows)]
}

/** @param isAbout whether the turn has a word of the question or of the first turn */
function isFoundCause({ passage: { text, speaker } }: Turn, before: readonly Turn[], isAbout: boolean): boolean {
  if (!FOUND_CAUSE.test(text) || WENT_WELL.test(text)) return false
  // Who reported it, or answered that they look after it, goes on about it.
  const hasSpoken = before.some(({ passage }) => passage.speaker === speaker)
  return isAbout || hasSpoken || (before.length === 1 && !TURNS_OUT.test(text))
}

/** @param isAbout whether the turn has a word of the question or of the first turn */
function isObjection({ passage: { text } }: Turn, before: readonly Turn[], isAbout: boolean): boolean {
  return OBJECTS.test(text) || (OBJECTS_TO_IT.test(text) && isAbout && before.length === 1)
}

function turnSource({ position, passage }: Turn, rows: Evidence['ranking']['rows']): Source {
  const sentences = sentencesOf(passage.text, 'joined').map((text, at) => ({ text, position: at }))
  const lead = fittingSentences(sentences, MOST_CHARACTERS)
  return { row: rows[position]!, position, answer: quotationText(lead), lead, isOfRun: true }
}

/** The turns up to the last one in which somebody agrees: the first, and at most three before the end. */
function agreedTurns(
  talk: readonly Turn[],
  lead: Source,
  rows: Evidence['ranking']['rows'],
): readonly Source[] | undefined {
  const next = talk.findIndex(({ passage }, i) => i > 0 && GOES_ON.test(firstSentence(passage.text)))
  const subject = talk.slice(0, next < 0 ? talk.length : next)
  const last = subject.findLastIndex(({ passage }, i) => i > 0 && ASSENTS.test(passage.text))
  if (last < 0) return undefined
  const further = subject
    .slice(1, last + 1)
    .slice(1 - MOST_QUOTED)
    .map(({ position, passage }): Source => {
      const sentences = sentencesOf(passage.text, 'joined').map((text, at) => ({ text, position: at }))
      const end = sentences.findIndex(({ text }, i) => i > 0 && GOES_ON.test(text))
      const shown = end < 0 ? sentences : sentences.slice(0, end)
      return {
        row: rows[position]!,
        position,
        answer: shown.map(({ text }) => text).join(' '),
        lead: shown,
        isOfRun: true,
      }
    })
  return [{ ...lead, isOfRun: true }, ...further]
}

function firstSentence(text: string): string {
  return sentencesOf(text, 'joined')[0] ?? ''
}
