const ASKING = '(?:when|where|who|whom|whose|what|which|how|why)'
const AUXILIARY =
  "(?:is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|should|must|may|isn['’]t|wasn['’]t|didn['’]t)"
const PREPOSITION = '(?:(?:at|by|for|from|in|on|since|till|to|until|with) )?'
const SPLIT = new RegExp(
  `^(\\W*(?:${PREPOSITION}${ASKING}|${AUXILIARY})\\b.{6,}?),? and (${PREPOSITION}${ASKING}\\b.*?)\\W*$`,
  'is',
)
/** A longer sentence is seldom two questions about one thing. */
const MOST_WORDS = 14
/** `What did Ann say about when to come and what to bring?` asks once. */
const EMBEDS = new RegExp(
  `\\b(?:about|ask(?:ed)?|decide[ds]?|explain(?:ed)?|find out|knows?|knew|mention(?:ed)?|remember|said|say|see|tell|told) (?:\\p{L}+ )?${ASKING}\\b`,
  'iu',
)
/** `when` or `for how long`, of what the first question is about. */
const BARE = new RegExp(
  `^${PREPOSITION}(?:(?:what|which) (?:day|date|time|month|year)|how(?: long| much| often| far)?|when|where|who|whom|why)$`,
  'i',
)
const OPENING = new RegExp(
  `^\\W*${PREPOSITION}(?:(?:what|which) (?:\\p{L}+)|how (?:long|much|many \\p{L}+|often|far)|${ASKING}) (?=${AUXILIARY}\\b)`,
  'iu',
)
const SUBJECT = new RegExp(`\\b${AUXILIARY} ((?:(?:the|my|our|your|his|her|their|a|an) )?[\\p{L}'’-]+)`, 'iu')
/** `was Camille's wedding`, with nothing behind it. */
const WHOLE = new RegExp(
  `^\\W*${PREPOSITION}${ASKING} (?:is|are|was|were) ((?:the |my |our |your )?(?:(?!(?:first|supposed|going|meant)\\b)\\S+ ?){1,5})$`,
  'iu',
)
const KIND = /^\W*(?:[Ww]hich|[Ww]hat) (\p{Ll}[\p{L}-]+) /u
const OF_ASKER = /^(?:I|we|you|it|he|she|they|there|this|that)$/i
const PERSON = /\b(?:he|she|they|him|her|them)\b/i
const THING = /\b(?:it|that|this|they|them)\b/i
const NAME = /(?<=\s)(?!I\b)\p{Lu}[\p{L}\p{M}'’-]+/gu

/**
 * The two questions of one sentence, each complete: `When was Camille's wedding and why was it moved?` is `When was Camille's
 * wedding?` and `why was Camille's wedding moved?`. `undefined` for any other question.
 */
export function twoQuestions(text: string): readonly [string, string] | undefined {
  const [, first = '', second = ''] = SPLIT.exec(text) ?? []
  if (second === '' || EMBEDS.test(first) || first.split(' ').length > MOST_WORDS) return undefined
  const completed = BARE.test(second) ? withPredicate(first, second) : withSubject(first, second)
  return completed === undefined ? undefined : [`${first.trim()}?`, `${completed}?`]
}

/** `for how long` with what the first question says: `does Carla come`. */
function withPredicate(first: string, second: string): string | undefined {
  const opening = OPENING.exec(first)
  return opening === null ? undefined : `${second} ${first.slice(opening[0].length)}`
}

/** The second question with what its pronoun stands for, or with the names of the first one. */
function withSubject(first: string, second: string): string {
  const whole = WHOLE.exec(first)?.[1]
  const kind = KIND.exec(first)?.[1]
  const subject = SUBJECT.exec(first)?.[1]
  const isOther = subject === undefined || OF_ASKER.test(subject)
  // `it` is no person.
  const own = isOther ? kind && `the ${kind}` : /^\p{Lu}/u.test(subject) ? undefined : subject
  const thing = whole ?? own
  const pronoun = !isOther && PERSON.test(second) ? PERSON : THING
  const named = pronoun === PERSON ? subject : thing
  if (named !== undefined && pronoun.test(second)) return second.replace(pronoun, named)
  const names = (first.match(NAME) ?? []).filter((name) => !second.includes(name))
  return [second, ...names].join(' ')
}
