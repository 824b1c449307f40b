/** A word in German and Portuguese. */
const ENGLISH_SOUND = /[,]?\s*(?<![\p{L}\p{N}])um(?![\p{L}\p{N}])[,…]?\s*/giu
/** Sounds that fill a pause, with the commas around them. */
const SOUND =
  /[,、，]?\s*(?<![\p{L}\p{N}])(?:(?:u+mm+|u+h+m?|erm|hmm+|ähm?|öhm?|euh+)(?![\p{L}\p{N}])|(?:えっと|えーと|えー|あのー|嗯+|呃+))[,、，…]?\s*/giu
/** Japanese and Chinese have no spaces around them. */
const UNSPACED_SOUND = /(?:えっと|えーと|あのー|まあね|嗯+|呃+)[、，,…]?/g
/** Fillers between commas. */
const PHRASE = /, (?:you know|I mean|like|kind of|sort of|o sea|du coup|quoi),\s*/gi
const OPENING = /^(?:(?:I mean|you know|du coup|eh bien|bon ben|ben|bah|pues nada|pues|o sea|naja|tja)[,…]?\s+)+/i
/** "they'll, they'll" and "the, the", which a filler has separated. */
const STUTTER = /(?<![\p{L}\p{N}])([\p{L}'’]{1,8})[,…]? \1(?![\p{L}\p{N}'’])/giu

/**
 * A spoken sentence without "um", "like" between commas, and repeated beginnings: `by, like, 25 mm` becomes `by 25 mm`.
 */
export function withoutFillers(sentence: string, isEnglish: boolean): string {
  const bare = (isEnglish ? sentence.replace(ENGLISH_SOUND, ' ') : sentence)
    .replace(SOUND, ' ')
    .replace(UNSPACED_SOUND, '')
    .replace(PHRASE, ' ')
    .trim()
    .replace(OPENING, '')
  if (bare === sentence) return sentence
  if (bare.replace(/\P{L}/gu, '') === '') return bare
  const fluent = bare.replace(STUTTER, '$1').replace(/ ([.!?,;:])/g, '$1')
  return /^\p{Lu}/u.test(sentence) ? fluent.charAt(0).toUpperCase() + fluent.slice(1) : fluent
}
