/** A word in German and Portuguese. */
const ENGLISH_SOUND = /[,]?\s*(?<![\p{L}\p{N}])um(?![\p{L}\p{N}])[,…]?\s*/giu
/** Sounds that fill a pause, with the commas around them. */
const SOUND =
  /[,、，]?\s*(?<![\p{L}\p{N}])(?:(?:u+mm+|u+h+m?|erm|hmm+|ähm?|öhm?|euh+)(?![\p{L}\p{N}])|(?:えっと|えーと|えー|あのー|嗯+|呃+))[,、，…]?\s*/giu
/** Japanese and Chinese have no spaces around them. */
const UNSPACED_SOUND = /(?:えっと|えーと|あのー|まあね|嗯+|呃+)[、，,…]?/g
/** Fillers between commas. */
const PHRASE = /, (?:you know|I mean|like|kind of|sort of|o sea|du coup|quoi),\s*| (?:btw|tbh|lol|imo)(?=,)/gi
const OPENING =
  /^(?:(?:(?:I mean|du coup|eh bien|bon ben|bah|pues nada|pues|o sea|naja|tja)[,…]?|you know(?:[,…]| (?=(?:I|we|they|he|she|it|there|this|that)['’ ]))|bof[,…]|ben[,…]?(?= (?:j['’]|je|tu|t['’]|on|c['’]|ça|il|elle|nous|vous|oui|non|ouais|moi|là|alors|voilà|si|en fait)))\s*)+(?<=\s)/i
/** "they'll, they'll" and "the, the", which a filler has separated. */
const STUTTER = /(?<![\p{L}\p{N}])([\p{L}'’]{1,8})[,…]? \1(?![\p{L}\p{N}'’])/giu

/** "the the", "we have, we have": function words that a speaker repeats without a filler between. */
const REPEATED =
  /(?<![\p{L}\p{N}'’-])((?:the|a|an|i|we|you|they|he|she|it|this|these|to|of|in|on|at|for|with|from|and|but|or|so|if|is|are|was|my|your|our|their|can|could|would|will|what|how|when|where|there|as|not|be|do|don['’]t|it['’]s|that['’]s|i['’]m|we['’]re|they['’]re|you['’]re)(?: (?:have|had|will|would|can|could|are|was|were|is|do|did|need|want|should|the|a|an|my|your|it|we|you|they|i))?),? \1(?![\p{L}\p{N}'’-])/giu
/** `th the`, `r recognize`: a word that was begun twice. */
const BEGUN_TWICE = /(?<![\p{L}\p{N}'’.&-])([b-hj-z]|[b-z][a-z]) (?=\1[a-z]{1,}(?![\p{L}\p{N}]))/gu
const WORD_OF_TWO = /^(?:be|by|do|go|he|if|in|is|it|me|my|no|of|oh|ok|on|or|so|to|up|us|we|as|at|am|an)$/

const TRAILING =
  /,? (?:btw|lol|lmao|haha+|hehe+|fyi|tbh|imo|I['’]m afraid|(?<=, )(?:actually|to be honest|I guess|you know|I suppose))(?=[.!]*$)/i

/** An English sentence without what was said twice by mistake: `we have, we have` and `th the`. */
export function withoutRepeats(sentence: string, isSpoken: boolean): string {
  const ended = TRAILING.test(sentence.slice(-LONGEST_TRAILING)) ? sentence.replace(TRAILING, '') : sentence
  if (!repeatsItself(ended, isSpoken)) return ended
  const once = ended.replace(REPEATED, '$1').replace(REPEATED, '$1')
  // In writing, `f` in "of f for" is a variable.
  return !isSpoken
    ? once
    : once.replace(BEGUN_TWICE, (begun, letters: string) => (WORD_OF_TWO.test(letters) ? begun : ''))
}
const LONGEST_TRAILING = 18

/**
 * Whether one of the next two words is the same, or in speech begins with it; checked first because that is much faster.
 */
function repeatsItself(sentence: string, isSpoken: boolean): boolean {
  const words = sentence.toLowerCase().split(' ')
  for (const [i, word] of words.entries()) {
    const bare = word.endsWith(',') ? word.slice(0, -1) : word
    if (bare === '') continue
    for (const later of [words[i + 1], words[i + 2]])
      if (later?.startsWith(bare) && (isSpoken || !GOES_ON.test(later.charAt(bare.length)))) return true
  }
  return false
}
const GOES_ON = /[\p{L}\p{N}'’-]/u

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
