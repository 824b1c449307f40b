const ASKED = /\b(?:when|what day|which day|what date)\b.*?(\p{Lu}[\p{L}\p{M}-]*)['’]s birthday\b/iu
const WISH = /\bhappy (?:\p{N}+\p{L}{2} )?birthday\b(.{0,40})/iu

/** Whether a sentence is said on the birthday that a question asks for: `Happy birthday Mum` for `When is Mum's birthday?` */
export function isBirthdayWish(sentence: string, question: string): boolean {
  const name = ASKED.exec(question)?.[1]?.toLowerCase()
  const [, wished = ''] = WISH.exec(sentence) ?? []
  return (
    name !== undefined &&
    wished
      .toLowerCase()
      .split(/[^\p{L}\p{M}-]+/u)
      .includes(name)
  )
}
