/** Whether somebody only agrees, on their own after somebody else's statement: `Deal! You're a lifesaver`. */
export function isAssent(text: string, isChatter: (sentence: string) => boolean): boolean {
  const [first = '', ...others] = text.trim().split(/(?<=[.!]) /)
  return ASSENTS.test(first) && others.every(isChatter)
}
const ASSENTS =
  /^(?:\+1|:\+1:|:thumbsup:|👍\p{Emoji_Modifier}?|(?:i )?agreed?|(?:fine|ok|okay|good) (?:with|by) me|works for me|sounds good(?: to me)?|count me in|deal|approved|lgtm)[\s.!]*$/iu
