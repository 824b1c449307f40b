const ASKED =
  /\b(?:when|what day|which day|what date)\b.{0,20}?(?<!\p{Lu}\p{L}* )(\p{Lu}[\p{L}\p{M}-]*)['’]s birthday\b/iu
/** `Happy birthday, dear Ada!`, said to her. */
const WISH =
  /^\W*(?:a )?(?:very )?happy (?:\d+\p{L}{2} )?birthday,?(?: to)?(?: (?:dear|dearest|darling|sweet|my|our))*,? ([\p{L}\p{M}-]+)(?! (?:banner|card|party|cake))/iu
/** The wish is of another day. */
const LATE = /\b(?:late|belated|forgot|yesterday|tomorrow|in advance|early)\b/i

/**
 * Whether a sentence is said on the birthday that a question asks for: `Happy birthday Mum` for `When is Mum's birthday?`
 *
 * @param passage that the sentence is of
 */
export function isBirthdayWish(sentence: string, question: string, passage: string): boolean {
  const name = ASKED.exec(question)?.[1]?.toLowerCase()
  return name !== undefined && WISH.exec(sentence)?.[1]?.toLowerCase() === name && !LATE.test(passage)
}
