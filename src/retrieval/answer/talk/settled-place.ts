import { isQuestion } from '../../question/question-form.ts'
import type { Turn } from '../evidence/turns-after.ts'
import { type SettlingTurn, statedIn, type TalkQuestion } from './settling-turn.ts'

/** `It's in my cellar`, `they are at Sabine's`; not `it is on strike`. */
const IS_AT =
  /(?:^|[.!?,]\s+)(?:(?:oh|no|sorry|wait|actually|ah)[,.!]? )?(?:it|they)(?:['’](?:s|re)| (?:is|are|was|were)) (?:still |now |actually )?(?:in|at|on|with|under|behind|inside|next to|beside) (?:(?:my|your|his|her|our|their|the|a|an) (?!(?:way|phone|moment|end|same|list|news|guide\p{L}*)\b)\p{L}|(?-i:\p{Lu})\p{L}+)/iu
/** `I booked Tamada for the 17th`, `I've reserved a table at the Anchor`; not `I booked Annette for the photos`. */
const BOOKED =
  /(?:^|[.!?,]\s+)(?:I|we)(?:['’]ve| have)? (?:just |already )?(?:booked|reserved) (?:us )?(?:(?:(?:a table|two tables|a room|seats)(?: for \p{L}+)? )?(?:at|in) (?:the )?(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)\p{Lu}\p{L}+|(?:the )?(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)\p{Lu}\p{L}+(?=[^.!?]{0,60}\b(?:tables?|rooms?|for (?:the )?\d|for (?:two|three|four|five|six|seven|eight|nine|ten|twelve)\b))(?! for (?:the |our )?(?:photos?|flights?|music)\b))/u

/**
 * The last sentence that says where it is, after one that said so or asked: `Oh. It's in my cellar`; or where somebody booked,
 * if the best one names no place.
 */
export function settledPlace(talk: readonly Turn[], { isUnstated }: TalkQuestion): readonly SettlingTurn[] {
  const [first, ...others] = talk
  const isOpen = IS_AT.test(first!.passage.text) || isQuestion(first!.passage.text)
  const isStated = (sentence: string, before: string | undefined): boolean => {
    // Behind a question of its own, it is something else.
    if (before !== undefined && isQuestion(before)) return false
    return (isUnstated && BOOKED.test(sentence)) || (isOpen && IS_AT.test(sentence))
  }
  return others.flatMap((turn) => statedIn(turn, isStated)).slice(-1)
}
