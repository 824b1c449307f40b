const DONE = 'created|made|wrote|written|designed|founded|started|built|developed|invented|authored|maintained'
/** `Who created Quill?`, `Who maintains it?` */
export const ASKS_MAKER = new RegExp(
  `^\\W*(?:and |so )?who (?:(?:has|have|had|originally|first) )*(?:${DONE}|makes|designs|builds|develops|maintains)\\b`,
  'i',
)
/** `is maintained by`; a form alone says only that something was made. */
const MADE_BY = new RegExp(`\\b(?:${DONE})\\b[^.;]{0,30}?\\bby\\b`, 'i')
/** `Ada Quill wrote it`, `the core team maintains it`, `Ada made it` */
const MAKES = new RegExp(
  `(?:\\p{Lu}\\p{L}+ \\p{Lu}\\p{L}+|@[\\w-]+|\\b(?:team|we|We|I)|^\\p{Lu}\\p{L}+(?= \\p{L}+ (?:it|this|the|\\p{Lu}))) (?:(?:has|have|had|originally|first) )*(?:${DONE}|maintains?|develops?)\\b`,
  'u',
)
const MAKER = /\b(?:authors?|creators?|designers?|developers?|founders?|inventors?|maintainers?)\b|©|^by\b/i
const NAME = /(?:^|\s|[(["“])(?:\p{Lu}\p{L}+ \p{Lu}\p{L}+|@[\w-]+)/u

/** Whether a sentence can tell who made or maintains something: other names in documentation are of products. */
export function saysMaker(sentence: string): boolean {
  return MADE_BY.test(sentence) || MAKES.test(sentence) || (MAKER.test(sentence) && NAME.test(sentence))
}
