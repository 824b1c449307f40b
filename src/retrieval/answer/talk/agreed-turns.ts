import { analyze } from '../../../lib/analyze.ts'
import { sentencesOf } from '../../../lib/sentences.ts'
import { holdsKind } from '../../question/answer-kind.ts'
import type { Turn } from '../evidence/turns-after.ts'
import { type AskedQuestion, contentTerms } from '../sentences/answer-sentence.ts'
import { openingOf, type SettlingTurn, type TalkQuestion, turnSentences } from './settling-turn.ts'

/** Turns of a decision that are quoted behind the best one. */
const MOST_AGREED = 3
/** An assent, and nothing that limits it. */
const ASSENTS = /^(?:agreed|ok(?:ay)?|fine|deal|settled|approved)(?:[,.!]|$)(?!.*\b(?:but|then I)\b)/is
/** `Next, prices`, `Last, the dinner`: the talk goes on to something else. */
const GOES_ON = /(?:^|[.!?]\s)(?:next|last(?:ly)?|now|another (?:thing|point)|moving on|then there is|finally)[,:]?\s/i

/** The turns up to the last one in which somebody agrees, at most three. */
export function agreedTurns(talk: readonly Turn[]): readonly SettlingTurn[] {
  const next = talk.findIndex(({ passage }, i) => i > 0 && GOES_ON.test(firstSentence(passage.text)))
  const subject = talk.slice(0, next < 0 ? talk.length : next)
  const last = subject.findLastIndex(({ passage }, i) => i > 0 && ASSENTS.test(passage.text))
  if (last < 0) return []
  return subject
    .slice(1, last + 1)
    .slice(-MOST_AGREED)
    .map((turn) => {
      const sentences = turnSentences(turn)
      const end = sentences.findIndex(({ text }, i) => i > 0 && GOES_ON.test(text))
      return { turn, sentences: end < 0 ? sentences : sentences.slice(0, end) }
    })
}

function firstSentence(text: string): string {
  return sentencesOf(text, 'joined')[0] ?? ''
}

/** The last amount of somebody to which somebody else agrees, with that: `€14 a month`, `ok, deal`. */
export function agreedAmount(talk: readonly Turn[], { question }: TalkQuestion): readonly SettlingTurn[] {
  const agreed = talk.findLastIndex(
    ({ passage }, i) => i > 1 && ASSENTS.test(passage.text) && talk[i - 1]!.passage.speaker !== passage.speaker,
  )
  const offer = agreed < 0 ? undefined : talk[agreed - 1]!
  if (offer === undefined || !isBargained(talk.slice(1, agreed), question)) return []
  return [offer, talk[agreed]!].map(openingOf)
}

/** `Too much. 420 euros?`, which names no thing of its own. */
const OFFERS_AMOUNT =
  /^(?:(?:hm|no|sorry|too (?:much|expensive|high|little|low))\W+)*(?:(?:and|then|how about|what about|make it|let['’]s say|say|I(?:['’]d| would) (?:say|take|pay))\W+)?[€$£]?\d/i

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
