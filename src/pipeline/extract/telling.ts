import type { ParsedDocument, SourceFile } from '../../domain/document.ts'
import { capitalisesNouns, isEnglish } from './language.ts'
import { createMomentText, type MomentText } from './moment.ts'
import { type People, readPeople } from './people.ts'

/** What every account of one document needs to know. */
export interface Telling {
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

export function prepareTelling(file: SourceFile, document: ParsedDocument): Telling {
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
