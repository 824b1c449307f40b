import { isEnglishNoun } from '../../../lib/word-kinds.ts'
import { REMARK_PATTERNS, type RemarkPatterns } from './remark-patterns.ts'
import { closestLanguages, isSmallTalkWord } from './small-talk.ts'

/**
 * Features that tell remarks of a conversation from news, in six languages. Each is weak alone; `likely-remarks.ts` weighs them together,
 * with weights fitted to labeled sentences (decision 135). All are marks or words of closed classes, which occur in wordings that nobody listed.
 */
export interface RemarkFeatures {
  /** Words in tens, up to 2.5; two characters of a script without spaces count as one. */
  readonly length: number
  /** Words that small talk seldom has, in threes, up to 2. */
  readonly unknown: number
  readonly unknownShare: number
  /** English nouns among them, up to 3. */
  readonly nouns: number
  /** Such words behind an article or a possessive, up to 3: `the boiler`, `mi contrato`. */
  readonly determined: number
  /** Marks of objects, subjects and places in Japanese and Chinese, up to 3: `お肉を`, `放在`. */
  readonly caseMarks: number
  /** In scripts without spaces, a word in katakana of three characters or more. */
  readonly katakana: number
  readonly past: number
  readonly commits: number
  readonly denies: number
  readonly first: number
  readonly listener: number
  /** Begins with an interjection or assent. */
  readonly opens: number
  /** Has a word that is hardly used but to praise: `amazing`. */
  readonly praises: number
  /** Has another word that judges: `good`, `sad`. */
  readonly evaluates: number
  /** Begins with `that`, `what a`, `it`. */
  readonly pointsBack: number
  /** Begins like a wish or an encouragement: `stay`, `enjoy`. */
  readonly wishes: number
  readonly exclaims: number
  readonly emoji: number
  /** Ends with a particle: `though`, `halt`, `quoi`, `ね`, `吧`. */
  readonly particle: number
}

const CASE_MARKS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}](?:を|(?<!あり)が|に|から|まで|在|把|被|给|从|到|跟)/gu
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu

interface ClosestLanguages {
  readonly languages: readonly (keyof typeof REMARK_PATTERNS)[]
  readonly unknown: number
}
const UNSPACED_LANGUAGES: ClosestLanguages = { languages: ['unspaced'], unknown: 0 }

/** @param sentence of one writer, without a speaker */
export function remarkFeatures(sentence: string): RemarkFeatures {
  const text = sentence.replaceAll('’', "'")
  const characters = text.match(UNSPACED)?.length ?? 0
  const isUnspaced = characters > text.length / 3
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  const count = Math.max(1, isUnspaced ? characters / 2 : words.length)
  const { languages, unknown }: ClosestLanguages = isUnspaced ? UNSPACED_LANGUAGES : closestLanguages(words)
  const patterns = languages.map((language) => REMARK_PATTERNS[language])
  const matches = (pattern: RegExp): number => (pattern.test(text) ? 1 : 0)
  const has = (name: keyof RemarkPatterns): number => (patterns.some((own) => own[name].test(text)) ? 1 : 0)
  const nouns = languages.includes('english') ? words.filter((one) => !isSmallTalkWord(one) && isEnglishNoun(one)) : []
  return {
    length: Math.min(count, 25) / 10,
    unknown: Math.min(unknown, 6) / 3,
    unknownShare: unknown / count,
    nouns: Math.min(nouns.length, 3),
    determined: Math.min(determinedWords(text, patterns).size, 3),
    caseMarks: isUnspaced ? Math.min(text.match(CASE_MARKS)?.length ?? 0, 3) : 0,
    katakana: isUnspaced ? matches(/[\p{Script=Katakana}ー]{3}/u) : 0,
    past: has('past'),
    commits: has('commits'),
    denies: has('denies'),
    first: has('first'),
    listener: has('listener'),
    opens: has('opens'),
    praises: has('praises'),
    evaluates: has('evaluates'),
    pointsBack: has('pointsBack'),
    wishes: has('wishes'),
    exclaims: matches(/[!！]\s*$/),
    emoji: matches(/\p{Extended_Pictographic}/u),
    particle: has('particle'),
  }
}

function determinedWords(text: string, patterns: readonly RemarkPatterns[]): ReadonlySet<string> {
  const words = patterns.flatMap(({ determined }) => [...text.toLowerCase().matchAll(determined)])
  return new Set(words.map(([, noun = '']) => noun).filter((noun) => !isSmallTalkWord(noun)))
}
