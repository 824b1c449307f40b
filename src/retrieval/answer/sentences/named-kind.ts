import { analyze } from '../../../lib/analyze.ts'
import { isEnglishStem } from '../../../lib/english-words.ts'
import { askedCategory } from '../../question/asked-category.ts'
import { isWritten } from '../../question/known-names.ts'
import { relatedStems } from '../../question/word-families.ts'
import { ENDED } from './ended-state.ts'

const KIN =
  '[Mm](?:um|ummy|om|ommy|am|ama|other)|[Dd]ad(?:dy)?|[Pp]apa|[Ff]ather|[Gg]rand(?:ma|pa|mother|father|dad|son|daughter)|[Gg]ran(?:ny)?|[Ss]ister|[Bb]rother|[Ss]on|[Dd]aughter|[Ww]ife|[Hh]usband|[Uu]ncle|[Aa]unt(?:ie)?|[Cc]ousin|[Nn]eighbou?r|[Ff]riend|[Bb]oss'
const PERSON = `(?<!\\p{L})(${KIN}|\\p{Lu}\\p{Ll}+)`
const ASKS_OF = new RegExp(
  `\\b(?:do|does|did|has|have|had|is|was|will|can|should|would) (?:(?:my|our|his|her|their) )?${PERSON}(?!\\p{L})|${PERSON}['’]s\\b`,
  'u',
)
/** Somebody with a verb: not `Ann and`, `Ann a bike` or `Ann in Rome`. */
const SUBJECT = new RegExp(
  `${PERSON}(?=(?: (?:also|always|never|still|just|only|now|usually))? (?!(?:an?|and|as|at|because|but|by|for|from|he|her|him|his|if|in|it|my|of|off|on|or|our|she|since|that|the|their|they|to|until|up|we|when|where|which|who|with|you)\\b)\\p{Ll})`,
  'gu',
)
const PRONOUN = /\b(?:I|[Ww]e|[Hh]e|[Ss]he|[Tt]hey|[Yy]ou)\b/
const WITH_ASKED = /(\p{L}+) (?:and|&) (?:my )?$/u
const WORD = /[\p{L}\p{N}][\p{L}\p{N}+#.&-]*/gu
const BOUNDARY = /[;:–—,]\s|\b(?:and|but|with)\b/g
const WISHES =
  /\b(?:would (?:like|love)|['’]d (?:like|love)|wish(?:es)?|hop(?:es?|ing)|wants?|wanted|dreams?|plans? to|not|never|hates?)\b|n['’]t\b/i
const ASKS_WISH = /\b(?:like|love|want|wish|hope|dream|plan|hate|not|never)\w*\b|n['’]t\b/i
const REFUSES = /\b(?:refused|rejected|declined|turned (?:me|us|him|her|it|them) down)\b/i
const REFUSED_BY_IT = /\b(?:they|it|he|she)\b[^.;]{0,20}\b(?:refused|rejected|declined|turned)\b/i
const ASKS_PAST = /\b(?:did|was|were|had|used to)\b/i
const IS_COMING = /\bnext (?:week|weekend|month|year|spring|summer|autumn|winter|time)\b/i

/**
 * Whether a sentence has names of the kind that a question asks for only as somebody else's, or as what is over, wished for,
 * refused or still to come: `Dad takes insulin` for `Which medicine does Mum take?`
 */
export function isNameOfOther(text: string, question: string, userName = ''): boolean {
  const category = askedCategory(question)
  if (category === undefined || category.named.length === 0) return false
  const named = category.named.filter(({ written = '' }) => isWritten(written, text))
  const stems = new Set(named.map(({ stem }) => stem))
  const found = [...text.matchAll(WORD)].filter(([word]) => analyze(word).some((stem) => stems.has(stem)))
  if (found.length === 0) return false
  const asked = askedPerson(question, userName)
  return found.every(({ index }) => isOfOther(text.slice(0, index), asked, stems) || isNotHad(text, index, question))
}

/** Stems of whom a question is about; undefined where that is open, as with `we`. */
function askedPerson(question: string, userName: string): ReadonlySet<string> | undefined {
  if (/\b(?:we|our|us)\b/i.test(question)) return undefined
  const [, subject, owner] = ASKS_OF.exec(question) ?? []
  const name = subject ?? owner
  if (name !== undefined && name !== 'I') {
    const stems = analyze(name)
    return new Set([...stems, ...stems.flatMap((stem) => relatedStems(stem).map((one) => one.stem))])
  }
  return /\b(?:I|my|me)\b/.test(question) ? new Set(analyze(userName)) : undefined
}

/** Whether the last one with a verb before a name is another person. */
function isOfOther(before: string, asked: ReadonlySet<string> | undefined, names: ReadonlySet<string>): boolean {
  if (asked === undefined) return false
  const isAsked = (word: string) => word === 'I' || analyze(word).some((stem) => asked.has(stem))
  const last = [...before.matchAll(SUBJECT)]
    .filter(([, word = '']) => isPerson(word) && !analyze(word).some((stem) => names.has(stem)))
    .at(-1)
  const [, word = ''] = last ?? []
  if (last === undefined || isAsked(word)) return false
  const [, partner = ''] = WITH_ASKED.exec(before.slice(0, last.index)) ?? []
  return !isAsked(partner) && !PRONOUN.test(before.slice(last.index))
}

const IS_KIN = new RegExp(`^(?:${KIN})$`)

/** Given names that are words, too. */
const GIVEN = /^(?:Ben|Bill|Frank|Grace|Jack|Jan|Mark|Max|Ray|Robin|Rose|Tom)$/

/** Words at the start of a sentence have a capital letter, too. */
function isPerson(word: string): boolean {
  const stems = analyze(word)
  return IS_KIN.test(word) || GIVEN.test(word) || (stems.length > 0 && !stems.some(isEnglishStem))
}

/** Whether what is named at a place of a text is over, wished for, refused or to come, unless a question asks for that. */
function isNotHad(text: string, at: number, question: string): boolean {
  const breaks = [...text.matchAll(BOUNDARY)].map(({ index }) => index)
  const start = breaks.findLast((index) => index < at) ?? 0
  const clause = text.slice(
    start,
    breaks.find((index) => index > at),
  )
  const rest = text.slice(at)
  if (/\bif\b/i.test(text.slice(start, at))) return true
  if (WISHES.test(text.slice(start, at)) && !ASKS_WISH.test(question)) return true
  const isRefused = REFUSES.test(clause) || REFUSED_BY_IT.test(rest)
  if (isRefused && !REFUSES.test(question) && !/\brefuse|\breject|\bdecline/i.test(question)) return true
  if (ASKS_PAST.test(question)) return IS_COMING.test(text)
  return ENDED.test(clause) && !ENDED.test(question)
}
