import type { ParsedDocument, UploadedFile } from '../../domain/document.ts'
import type { MomentRange } from '../../domain/moment-range.ts'
import type { SourceType } from '../../domain/source-type.ts'
import { findNamedDays } from '../../lib/dates/named-days.ts'
import { createMomentText, type MomentText } from '../../lib/dates/zoned-time.ts'
import { remembered } from '../../lib/remembered.ts'
import { isEnglishNoun } from '../../lib/word-kinds.ts'
import { isLetterEnd } from './letters/letter-ends.ts'
import { isNotificationList } from './letters/notifications.ts'
import { isListed } from './names/name-lists.ts'
import { isGivenName } from './names/person-names.ts'
import { type People, readPeople } from './people.ts'
import { isChatter } from './salience.ts'
import { isCheer, isLikelyRemark } from './small-talk/likely-remarks.ts'
import { spokenSentences } from './speech/spoken-sentences.ts'

/** Context shared by all memories of one document. */
export interface ExtractContext {
  readonly file: UploadedFile
  readonly document: ParsedDocument
  readonly people: People
  readonly moments: MomentText
  readonly english: boolean
  /** Whether it was spoken, so that it has fillers and false starts. */
  readonly isSpoken: boolean
  /** Whether it lists notifications, one per line. */
  readonly isNotices: boolean
  /** Whether it is about people rather than programs, where `ThinkPad` is not a class. */
  readonly isProse: boolean
  /** Names of the mail domains of the participants, but for providers: `norwoodlabels`. */
  readonly domains: ReadonlySet<string>
  /** `false` if the language capitalizes every noun. */
  readonly capitalsMean: boolean
  /** The day at the top of a note without another time: "Call log, 7 October 2026". */
  readonly notedDay: MomentRange | undefined
  /** Whether turns, events or sections have their own times. */
  readonly isTimed: boolean
  /** Whether a capitalized word is an ordinary word here, and not a name. */
  readonly isCommonWord: (word: string) => boolean
  /** Whether a word is capitalized within a sentence, or part of somebody's name. */
  readonly isName: (word: string) => boolean
  /** As in `salience.ts`, and in mails what stands below a letter; remembered, as narrative and headline choose from the same sentences. */
  readonly isChatter: (sentence: string) => boolean
  /** The function of that name for this document; remembered too. */
  readonly spokenSentences: (text: string) => readonly string[]
}

/** Whether words with inner capitals are names in code. */
const CODE_SOURCES: ReadonlySet<SourceType> = new Set([
  'claude_code',
  'codex',
  'cursor',
  'vscode',
  'github',
  'technical_docs',
])

/** What is said to an agent, noted or published is no small talk. */
const CONVERSATIONS: ReadonlySet<ParsedDocument['kind']> = new Set(['chat', 'transcript'])

/** Sounds that nobody writes down. */
const DICTATED = /(?<![\p{L}\p{N}])(?:u+mm*|u+h+m?|erm)(?![\p{L}\p{N}])/iu
const VOCABULARY_SCANNED = 200_000
const ORDINARY_ENDING = /(?:ly|ing|tions?|ments?|ness|ity|able|ive|ers?|ences?|ances?)$/

export function createExtractContext(file: UploadedFile, document: ParsedDocument): ExtractContext {
  let vocabulary: ReadonlySet<string> | undefined
  let names: ReadonlySet<string> | undefined
  const people = readPeople(file, document)
  const english = isEnglish(document.text.slice(0, 4_000))
  const isSpoken =
    document.kind === 'transcript' || (document.kind === 'note' && DICTATED.test(document.text.slice(0, SAMPLE)))
  const isNotices = isNotificationList(document, file.fileName)
  const isConversation = CONVERSATIONS.has(document.kind) && !isNotices
  return {
    file,
    document,
    people,
    moments: createMomentText(file.timeZone),
    english,
    isSpoken,
    isNotices,
    isProse: !CODE_SOURCES.has(file.sourceType) && !document.blocks.some(({ type }) => type === 'code'),
    domains: mailDomains(document),
    capitalsMean: !capitalizesNouns(document.text),
    notedDay: dayOfNote(file, document),
    isTimed: document.blocks.some((block) => block.at !== undefined),
    isCommonWord: (word) => {
      vocabulary ??= new Set(document.text.slice(0, VOCABULARY_SCANNED).match(/(?<![\p{L}\p{N}])\p{Ll}{3,}/gu) ?? [])
      const lower = word.toLowerCase()
      return vocabulary.has(lower) || ORDINARY_ENDING.test(lower) || (isEnglishNoun(lower) && !isNameOf(word))
    },
    isName: (word) => {
      names ??= new Set(
        document.text.slice(0, VOCABULARY_SCANNED).match(/(?<=[\p{Ll},] )\p{Lu}[\p{L}\p{N}'’-]+/gu) ?? [],
      )
      if (names.has(word) || people.nameWords.has(word.toLowerCase())) return true
      return isGivenName(word) && !isEnglishNoun(word.toLowerCase())
    },
    isChatter: remembered(
      (sentence) =>
        (document.kind === 'email' && isLetterEnd(sentence)) ||
        isChatter(sentence) ||
        (isConversation && isLikelyRemark(sentence, english)) ||
        (document.kind === 'calendar' && isCheer(sentence, english)),
    ),
    spokenSentences: remembered((text) => spokenSentences(text, english, isSpoken)),
  }
}

/** `Rose`, `Target`: nouns that are names too. */
function isNameOf(word: string): boolean {
  return (['given-names', 'family-names', 'organizations', 'products', 'cities'] as const).some((list) =>
    isListed(list, word),
  )
}

const HEAD_LENGTH = 120
const DIARY_HEAD = 40
const MOST_LINES = 500
const WITH_YEAR = /\d{4}|\d\d[./]\d\d[./]\d\d/

function dayOfNote(
  { timeZone, uploadedAt }: UploadedFile,
  { kind, meta, text }: ParsedDocument,
): MomentRange | undefined {
  if (kind !== 'note' || meta.when) return undefined
  const [head = '', ...lines] = text.trimStart().slice(0, VOCABULARY_SCANNED).split('\n', MOST_LINES)
  // For a date with a two-digit year, the upload date shows which number is the month.
  const daysOf = (line: string) =>
    WITH_YEAR.test(line.slice(0, HEAD_LENGTH))
      ? findNamedDays(line.slice(0, HEAD_LENGTH), { at: undefined, near: uploadedAt, timeZone })
      : []
  const [only, ...others] = daysOf(head)
  if (only?.precision !== 'day' || only.end !== undefined || others.length > 0) return undefined
  // Each entry of a diary has its own.
  return lines.some((line) => line.length < DIARY_HEAD && daysOf(line).length > 0) ? undefined : only
}

// Frequent in English and rare as whole words in other languages with Latin letters.
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
/** The most frequent words of other languages that are not English words. */
const FOREIGN: ReadonlySet<string> = new Set(
  (
    'der das den dem und ist sind nicht kein keine eine einen ich sie wir ihr du mir mich dir uns habe haben hast auf für von vom zu zum zur bei nach aus wenn dass aber oder noch schon auch wie wer wann heute morgen gestern ' +
    'le des du sont et une je tu il nous vous ils que qui avec dans pas mais ou où ce cette mes aux ' +
    'es y por para una pero como cuando está estoy tengo su yo mañana hoy ' +
    'het een niet ik wij jij zijn heb naar ook maar och att det som jag inte är um uma não você gli che di sono'
  ).split(' '),
)
const SHORT = 40
const ENGLISH_SHARE = 0.12
const FEW_WORDS = 10
const SAMPLE = 2_000

/**
 * Whether sentences of this text can be reworded by English grammar. Checks the first 2,000 characters; a text with
 * fewer than ten Latin words counts as English, as names and commands do, unless one of them belongs to another
 * language.
 */
export function isEnglish(text: string): boolean {
  const sample = text.slice(0, SAMPLE)
  const letters = sample.replace(/\P{L}+/gu, '').length
  const words = sample.toLowerCase().match(/[a-z]+(?:['’][a-z]+)?/g) ?? []
  const latin = words.reduce((sum, word) => sum + word.length, 0)
  if (latin < letters * 0.7) return false
  const isForeign = (sample.toLowerCase().match(/\p{L}+/gu) ?? []).some((word) => FOREIGN.has(word))
  if (words.length < FEW_WORDS) return !isForeign
  const known = words.filter((word) => ENGLISH.has(word.replace('’', "'"))).length
  if (known / words.length >= ENGLISH_SHARE) return true
  // Commands and lists have few function words; then those of other languages decide.
  return words.length < SHORT && known > 0 && !isForeign
}

/** Whether the language capitalizes every noun: German. Checks the first 2,000 characters. */
function capitalizesNouns(text: string): boolean {
  const words =
    text
      .slice(0, SAMPLE)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? []
  return words.filter((word) => GERMAN.has(word)).length / Math.max(words.length, 1) >= ENGLISH_SHARE
}

/** Domains of providers, which name nobody's company. */
const PROVIDERS =
  /^(?:gmail|googlemail|outlook|hotmail|live|msn|yahoo|ymail|icloud|aol|gmx|webde|web|tonline|freenet|posteo|mailbox|orange|wanadoo|free|laposte|sfr|proton|protonmail|qq|example|mail|fastmail|docomo|ezweb|softbank)$/

function mailDomains({ meta }: ParsedDocument): ReadonlySet<string> {
  const domains = new Set<string>()
  const written = [meta.author ?? '', ...(meta.participants ?? []), ...(meta.addresses?.values() ?? [])]
  for (const text of written) {
    for (const [, host = ''] of text.matchAll(/@([\p{L}\d.-]{3,100})/gu)) {
      const label = (host.toLowerCase().split('.').at(-2) ?? '').replaceAll('-', '')
      if (label.length >= 4 && !PROVIDERS.test(label)) domains.add(label)
    }
  }
  return domains
}
