/**
 * Seeded synthetic texts for the benchmarks: sentences over a vocabulary whose frequencies fall like those of a
 * language (Zipf), with names, dates and ticket numbers in them. No measurement here says anything about quality.
 */
const CONSONANTS = 'bcdfghjklmnprstvwz'
const VOWELS = 'aeiou'
const PEOPLE = ['Ada', 'Bruno', 'Chiara', 'Dmitri', 'Elif', 'Farid', 'Grete', 'Hana', 'Ines', 'Jonas', 'Kofi', 'Lena']
const VOCABULARY_SIZE = 30_000

/** Deterministic numbers in [0, 1) from a seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

export interface Corpus {
  /** About `characters` of prose; the same number gives the same text. */
  text(number: number, characters: number): string
  /** A question of common and rarer words that some text holds. */
  question(number: number): string
}

export function createCorpus(): Corpus {
  const words = makeVocabulary()
  const cumulative = new Float64Array(words.length)
  let total = 0
  // Offset 40 keeps the most frequent word near 2 % of all words, as content words are once stop words are gone.
  for (let rank = 0; rank < words.length; rank++) cumulative[rank] = total += 1 / (rank + 40)

  const draw = (random: () => number): string => {
    const target = random() * total
    let low = 0
    let high = words.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if (cumulative[middle]! < target) low = middle + 1
      else high = middle
    }
    return words[low]!
  }

  const sentence = (random: () => number): string => {
    const length = 6 + Math.floor(random() * 14)
    const parts: string[] = []
    for (let i = 0; i < length; i++)
      parts.push(random() < 0.3 ? STOP_WORDS[Math.floor(random() * STOP_WORDS.length)]! : draw(random))
    if (random() < 0.15) parts.unshift(PEOPLE[Math.floor(random() * PEOPLE.length)]!, 'said')
    if (random() < 0.05) parts.push('on', `${1 + Math.floor(random() * 28)} March 2026`)
    if (random() < 0.03) parts.push(`OPS-${1000 + Math.floor(random() * 9000)}`)
    const first = parts[0]!
    return `${first[0]!.toUpperCase()}${first.slice(1)} ${parts.slice(1).join(' ')}.`
  }

  return {
    text(number, characters) {
      const random = seededRandom(number * 7919 + 1)
      let text = ''
      let paragraph = 0
      while (text.length < characters) {
        text += sentence(random)
        paragraph++
        text += paragraph % 4 === 0 ? '\n\n' : ' '
      }
      return text.slice(0, characters)
    },
    question(number) {
      const random = seededRandom(number * 104_729 + 3)
      const parts: string[] = []
      for (let i = 0; i < 2 + Math.floor(random() * 4); i++) parts.push(draw(random))
      return `What did ${PEOPLE[number % PEOPLE.length]} say about ${parts.join(' ')}?`
    },
  }
}

const STOP_WORDS = [
  'the',
  'of',
  'and',
  'to',
  'in',
  'that',
  'was',
  'it',
  'for',
  'on',
  'with',
  'we',
  'is',
  'at',
  'be',
  'this',
]

function makeVocabulary(): string[] {
  const random = seededRandom(42)
  const seen = new Set<string>()
  while (seen.size < VOCABULARY_SIZE) {
    const syllables = 2 + Math.floor(random() * 3)
    let word = ''
    for (let i = 0; i < syllables; i++) {
      word += CONSONANTS[Math.floor(random() * CONSONANTS.length)]! + VOWELS[Math.floor(random() * VOWELS.length)]!
    }
    seen.add(word)
  }
  return [...seen]
}
