import type { ParsedDocument, SourceFile } from '../../domain/document.ts'
import { createMomentText, type MomentText } from '../dates/zoned-time.ts'
import { type People, readPeople } from './people.ts'

/** Context shared by all memories of one document. */
export interface ExtractContext {
  readonly file: SourceFile
  readonly document: ParsedDocument
  readonly people: People
  readonly moments: MomentText
  readonly english: boolean
  /** `false` where every noun has a capital. */
  readonly capitalsMean: boolean
  /** Whether turns have times of their own. */
  readonly isTimed: boolean
  /** Whether a word with a capital is an ordinary word here, and no name. */
  readonly isCommonWord: (word: string) => boolean
}

const VOCABULARY_SCANNED = 200_000
const ORDINARY_ENDING = /(?:ly|ing|tions?|ments?|ness|ity|able|ive|ers?|ences?|ances?)$/

export function createExtractContext(file: SourceFile, document: ParsedDocument): ExtractContext {
  let vocabulary: ReadonlySet<string> | undefined
  return {
    file,
    document,
    people: readPeople(file, document),
    moments: createMomentText(file.timeZone),
    english: isEnglish(document.text.slice(0, 4_000)),
    capitalsMean: !capitalisesNouns(document.text),
    isTimed: document.blocks.some((block) => block.at !== undefined),
    isCommonWord: (word) => {
      vocabulary ??= new Set(document.text.slice(0, VOCABULARY_SCANNED).match(/(?<![\p{L}\p{N}])\p{Ll}{3,}/gu) ?? [])
      const lower = word.toLowerCase()
      return vocabulary.has(lower) || ORDINARY_ENDING.test(lower)
    },
  }
}

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
function isEnglish(text: string): boolean {
  const sample = text.slice(0, SAMPLE)
  const letters = sample.replace(/\P{L}+/gu, '').length
  const words = sample.toLowerCase().match(/[a-z]+(?:['’][a-z]+)?/g) ?? []
  const latin = words.reduce((sum, word) => sum + word.length, 0)
  if (latin < letters * 0.7) return false
  if (words.length < FEW_WORDS) return true
  const known = words.filter((word) => ENGLISH.has(word.replace('’', "'"))).length
  if (known / words.length >= ENGLISH_SHARE) return true
  // Commands and lists have few function words; then those of other languages decide.
  return words.length < SHORT && known > 0 && !words.some((word) => FOREIGN.has(word))
}

/** Whether every noun has a capital, so that one means nothing: German. Looks at the first 2,000 characters. */
function capitalisesNouns(text: string): boolean {
  const words =
    text
      .slice(0, SAMPLE)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? []
  return words.filter((word) => GERMAN.has(word)).length / Math.max(words.length, 1) >= ENGLISH_SHARE
}
