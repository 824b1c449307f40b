import { analyze } from '../../../lib/analyze.ts'
import type { Turn } from '../evidence/turns-after.ts'
import { contentTerms } from '../sentences/answer-sentence.ts'
import { openingOf, type SettlingTurn, type TalkQuestion } from './settling-turn.ts'

/** Fewer characters say that something was found, and not what. */
const LEAST_OF_CAUSE = 30
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

/** The turn in which somebody found the cause of what the best one reports, or objects to what it proposes. */
export function foundCause(talk: readonly Turn[], { question }: TalkQuestion): readonly SettlingTurn[] {
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
  return found === undefined ? [] : [openingOf(found)]
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
