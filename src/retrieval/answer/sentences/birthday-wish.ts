const ASKED =
  /\b(?:[Ww]hen|[Ww](?:hat|hich) (?:day|date))\b.{1,20}?(?<![\p{L}\p{M}-])([\p{L}\p{M}-]+)['’]s [Bb]irthday\b/u
const FULL_NAME = /\p{Lu}[\p{L}\p{M}-]* \p{Lu}[\p{L}\p{M}-]*['’]s [Bb]irthday/u
/** `Happy birthday, dear Ada!`, said to her. */
const WISH =
  /^\W*(?:a )?(?:very )?happy (?:\d+\p{L}{2} )?birthday,?(?: to)?(?: (?:dear|dearest|darling|sweet|my|our))*,? ([\p{L}\p{M}-]+)(?! (?:banner|card|party|cake))/iu
/** The wish is of another day. */
const LATE = /\b(?:late|belated|forgot|yesterday|tomorrow|in advance|early)\b/i

/**
 * Whether a sentence is said on the birthday that a question asks for: `Happy birthday Mum` for `When is Mum's birthday?`. A wish
 * has a first name, which does for no question with a full one.
 *
 * @param passage that the sentence is of
 */
export function isBirthdayWish(sentence: string, question: string, passage: string): boolean {
  const wished = WISH.exec(sentence)?.[1]?.toLowerCase()
  if (wished === undefined || FULL_NAME.test(question)) return false
  return ASKED.exec(question)?.[1]?.toLowerCase() === wished && !LATE.test(passage)
}
