// Frequent in English and rare as whole words in the other languages written in Latin letters.
const ENGLISH: ReadonlySet<string> = new Set(
  (
    'the and of to is that for it with on this are you have i we be not at from but they will can was were would ' +
    "your my our do does don't i'm it's i'll i've what how when which there if or as an by has had should could he she"
  ).split(' '),
)
const GERMAN: ReadonlySet<string> = new Set(
  'der die das und ist nicht ein eine einen dem den des ich wir sie mit für auf von zu im am noch auch wird hat bis bei'.split(
    ' ',
  ),
)
/** The most frequent words of the other languages that are no English ones. */
const FOREIGN: ReadonlySet<string> = new Set(
  'der das und ist nicht ein eine ich mit auf le les des est et une je que pour avec el los las es y por para con het een niet van ik og och att det som um uma com'.split(
    ' ',
  ),
)
const SHORT = 40
const ENGLISH_SHARE = 0.12
const FEW_WORDS = 10
const SAMPLE = 2_000

/**
 * Whether sentences of this text may be reworded by English grammar. Looks at the first 2,000 characters; a text of
 * fewer than ten Latin words counts as English, as names and commands do.
 */
export function isEnglish(text: string): boolean {
  const sample = text.slice(0, SAMPLE)
  const letters = sample.replace(/\P{L}+/gu, '').length
  const words = sample.toLowerCase().match(/[a-z]+(?:['’][a-z]+)?/g) ?? []
  const latin = words.reduce((sum, word) => sum + word.length, 0)
  if (latin < letters * 0.7) return false
  if (words.length < FEW_WORDS) return true
  const known = words.filter((word) => ENGLISH.has(word.replace('’', "'"))).length
  if (known / words.length >= ENGLISH_SHARE) return true
  // Commands and lists have few function words; those of another language tell then.
  return words.length < SHORT && known > 0 && !words.some((word) => FOREIGN.has(word))
}

/** Whether every noun has a capital, so that one means nothing: German. Looks at the first 2,000 characters. */
export function capitalisesNouns(text: string): boolean {
  const words =
    text
      .slice(0, SAMPLE)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? []
  return words.filter((word) => GERMAN.has(word)).length / Math.max(words.length, 1) >= ENGLISH_SHARE
}
