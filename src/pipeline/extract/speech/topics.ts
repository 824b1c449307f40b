import { TELLING, topicalWords } from '../headline/headline-words.ts'
import { holdsNews } from './quotations.ts'
import { spokenSentences } from './spoken-sentences.ts'
import type { Rewording, SaidUtterance, Statement } from './utterances.ts'

/**
 * Where the first sentence says "it" of something that only a question before it names, that question; without one, a
 * sentence without any news is left out.
 */
export function withTopic(said: readonly SaidUtterance[], { isChatter }: Rewording): SaidUtterance[] {
  const at = said.findIndex(({ statements }) => statements.length > 0)
  const one = said[at]
  const [first, ...others] = one?.statements ?? []
  const isOfPerson = first?.form === 'clause' && /^(?:he|she)\b/i.test(first.words)
  if (one === undefined || first === undefined || one.answers !== undefined) return [...said]
  if (!isOfPerson && !dangles(first)) return [...said]
  const asking = said.slice(Math.max(0, at - MOST_BEFORE), at).findLast((before) => questionIn(before) !== undefined)
  const question = asking && asking.utterance.speaker !== one.utterance.speaker ? questionIn(asking) : undefined
  const isNamed = isOfPerson && question !== undefined && NAMES_SOMEBODY.test(question)
  if (
    asking !== undefined &&
    question !== undefined &&
    (isOfPerson ? isNamed : !isChatter(question) || NAMES.test(question))
  ) {
    const answers = { speaker: asking.utterance.speaker, byMe: asking.byMe, question }
    return said.map((each, i) => (i === at ? { ...each, answers } : each))
  }
  if (isOfPerson) return [...said]
  const ground = groundOf(first, said, at)
  if (ground !== undefined)
    return said.map((each, i) =>
      i === ground.at ? { ...each, statements: [ground.statement, ...each.statements] } : each,
    )
  const isAlone = others.length === 0 && said.slice(at + 1).every(({ statements }) => statements.length === 0)
  if ((isAlone && first.form !== 'act') || holdsNews(first.words)) return [...said]
  return said.map((each, i) => (i === at ? { ...each, statements: others } : each))
}
/** `Did you speak to Dad?` */
const NAMES_SOMEBODY = /\p{Ll} (?!I\b)\p{Lu}\p{Ll}/u
/** Turns before the first sentence that may ask for it. */
const MOST_BEFORE = 3
const LONGEST_QUESTION = 90

/** `it'll happen again`, `couldn't put it down`. */
function dangles({ form, words }: Statement): boolean {
  if (form === 'clause') return /^(?:it|that|this)\b/i.test(words) && topicalWords(words) < TELLING
  return form === 'act' && WITHOUT_OBJECT.test(words) && topicalWords(words) < TELLING
}
const WITHOUT_OBJECT =
  /^(?!said )(?:\S+ ){1,3}(?:(?:it|them)(?:[,. ]|$)|(?:that|this)$)|^(?:(?:just|also|already|finally) )?(?:went|came|did|could|couldn['’]t|didn['’]t|tried|forgot)$/

/** The sentence before `I booked it`, which says what; small talk otherwise, it isn't told by itself. */
function groundOf(
  { said: own = '' }: Statement,
  said: readonly SaidUtterance[],
  at: number,
): { readonly at: number; readonly statement: Statement } | undefined {
  const sentences = spokenSentences(said[at]?.utterance.text ?? '', true)
  const before = sentences[sentences.indexOf(own) - 1]
  const words = before ?? spokenSentences(said[at - 1]?.utterance.text ?? '', true).at(-1)
  if (words === undefined || words.length > LONGEST_QUESTION || words.endsWith('?') || !NAMES.test(words))
    return undefined
  return { at: before === undefined ? at - 1 : at, statement: { form: 'quote', words, asks: false } }
}
/** A noun with its article, or a name: `The house in Zennor looks lovely`. */
const NAMES = /\b(?:[Tt]he|[Mm]y|[Oo]ur|[Yy]our|[Tt]hat|[Tt]his|[Aa]n?) [\p{L}-]{3,}|\S \p{Lu}\p{Ll}{2,}/u

function questionIn({ utterance }: SaidUtterance): string | undefined {
  const question = /[^.!?\n]{8,}\?/.exec(utterance.text)?.[0].trim()
  return question !== undefined && question.length <= LONGEST_QUESTION ? question : undefined
}
