import type { ExtractedMemory } from '../../../src/domain/document.ts'
import { splitSentences } from '../../../src/lib/sentences.ts'
import { hasVerb } from './english-verbs.ts'
import { namesDay } from './holds-fact.ts'
import { outsideQuotes } from './judge-voice.ts'
import type { LabelledPassage } from './labelled-passages.ts'

const MOST_WORDS = 40
/** Of a script without spaces. */
const MOST_CHARACTERS = 120
const LONGEST_HEADLINE = 90
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

const ME =
  /\b(?:I|me|my|mine|myself|we|us|our|ours|ich|mich|mir|meine?[mnrs]?|wir|uns|unsere?[mnrs]?|je|moi|mon|ma|mes|nous|notre|nos|yo|mi|mis|conmigo|nosotros|nosotras|nuestr[oa]s?)\b|\b(?:j|m)['’]|私|僕|わたし|我|自分/i

const REPORTED =
  /\b(?:said|says|wrote|told \S+(?: \S+)?|asked(?: \S+){0,2}|answered|replied|added|noted|commented|continued)(?: in [^:"]{1,40})?:? ?["“«]/g
const FILLER =
  /(?<![\p{L}\p{N}])(?:u+mm+|u+h+|erm|hmm+|you know,|i mean,|kind of like|lol|haha+|xd|ähm?|äh|naja|euh|bah|mdr|jaja\p{L}*|\+1|du coup|eh bien|pues nada|o sea|えっと|えーと|あのー|まあね|嗯+|呃+|那个那个|哈哈+)(?![\p{L}\p{N}])|(?<=^|[.!?:"“] ?)(?:hi|hey|hello|dear|moin|hallo|hola|bonjour|salut)(?: \p{Lu}\p{L}+)?[,!]/iu
const MARKUP =
  /\*\*|__\w|^\s*#{1,6} |\|\s*:?-{3}|<\/?[a-z][^<>]*>|```|\]\((?:https?:|\/)|(?<=\s|^):[a-z_]{3,}:|&(?:nbsp|amp|lt|gt|quot|#\d+);|<[@#!]\w+|(?:^|\n|[:;"] )> |\[[ xX]\] |\\n|\|[^|]{1,60}\|[^|]{1,60}\|/im
const DOCUMENT_OPENING = /^I (?:have|wrote) an? (?:document|note|file|page)\b[^"]{0,30}"[^"]*".{0,200}? says?:? ?"/s

const RELATIVE =
  /(?<![\p{L}\p{N}])(?:yesterday|tomorrow|tmrw|tonight|(?:next|last|this) (?:week|month|year|weekend|spring|summer|autumn|fall|winter|mon|tues|wednes|thurs|fri|satur|sun)\p{L}*|(?:mon|tues|wednes|thurs|fri|satur|sun)day|gestern|vorgestern|heute|morgen|übermorgen|(?:nächste|letzte|kommende|diese)[nrs]? \p{L}+|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|hier|demain|après-demain|(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)|ayer|anteayer|mañana|(?:lunes|martes|miércoles|jueves|viernes|sábado|domingo)|(?:semaine|semana|mes|mois) (?:prochaine?|dernière|que viene|pasad[oa]|próxim[oa]))(?![\p{L}\p{N}])|昨日|明日|明後日|来週|先週|来月|先月|昨天|明天|后天|下周|上周|下个?月|上个?月|[月火水木金土日]曜日|(?:周|星期|礼拜)[一二三四五六日天]/iu
const DAY_WRITTEN =
  /\d{1,2}(?:st|nd|rd|th|\.)? (?:de |of )?\p{L}{3,}|\p{L}{3,} \d{1,2}(?!\d)|\d{4}-\d\d-\d\d|\d{1,2}月\d{1,2}日?|\d{1,2}\.\d{1,2}\./u
/** A day stands as near as this behind the word that it explains. */
const NEAR = 40

/** Whether an account is told by me; `undefined` where I took no part in what it tells. */
export function isFirstPerson(
  { content }: ExtractedMemory,
  { expect, userName }: LabelledPassage,
): boolean | undefined {
  const isMine = expect.who.length === 0 || (expect.who.includes(userName) && content.participants?.includes(userName))
  if (!isMine) return undefined
  const outside = outsideQuotes(content.narrative ?? '')
  return ME.test(outside) && !outside.includes(userName)
}

/** Words such as "tomorrow" whose day is known and not said; `undefined` where a narrative has neither. */
export function bareDays(narrative: string, { expect }: LabelledPassage): string[] | undefined {
  const weeks = Object.entries(expect.weeks).map(([words, monday]) => [words, daysOfWeek(monday)] as const)
  const named = Object.entries(expect.dates).map(([words, day]) => [words, day.split('/')] as const)
  const relative = [...named.filter(([words]) => RELATIVE.test(words) && !DAY_WRITTEN.test(words)), ...weeks]
  const told = relative.flatMap(([words, days]) => {
    const at = narrative.toLowerCase().indexOf(words.toLowerCase())
    if (at < 0) return days.some((one) => namesDay(narrative, one)) ? [[words, true] as const] : []
    const behind = narrative.slice(at + words.length, at + words.length + NEAR)
    const before = narrative.slice(Math.max(0, at - NEAR / 2), at)
    return [[words, days.some((one) => namesDay(behind, one) || namesDay(before, one))] as const]
  })
  return told.length === 0 ? undefined : told.filter(([, isResolved]) => !isResolved).map(([words]) => words)
}

/** @param monday `2026-03-16` */
function daysOfWeek(monday: string): string[] {
  const first = Date.parse(monday)
  return [0, 1, 2, 3, 4, 5, 6].map((day) => new Date(first + day * 86_400_000).toISOString().slice(0, 10))
}

/** What makes a narrative hard to read; empty when it reads well. */
export function readingFaults(narrative: string, passage: LabelledPassage): string[] {
  const sentences = splitSentences(narrative.replace(/\s+/g, ' '))
  const faults: (readonly [string, boolean])[] = [
    ['a chain of quotations', (narrative.match(REPORTED)?.length ?? 0) > 1],
    ['no verb', sentences.some((sentence) => isEnglish(sentence, passage.text) && !hasVerb(sentence))],
    ['open quotation mark or bracket', !isBalanced(narrative)],
    // "Um neun" is German.
    ['filler', FILLER.test(narrative) || (/\bum\b/i.test(narrative) && isEnglishText(passage.text))],
    ['markup', MARKUP.test(narrative)],
    ['a long sentence', sentences.some(isLong)],
    ['a document that says', DOCUMENT_OPENING.test(narrative)],
    ['a word cut off', hasCutWord(narrative, passage.text)],
  ]
  return faults.flatMap(([fault, isThere]) => (isThere ? [fault] : []))
}

/** What is wrong with the form of a headline. */
export function headlineFormFaults(headline: string): string[] {
  const faults: (readonly [string, boolean])[] = [
    ['long', headline.length > LONGEST_HEADLINE],
    ['empty', headline.trim().length < 3],
    ['cut off', /…|\.\.\.|[,:;–—-]$/.test(headline) || endsOpen(headline)],
    ['a piece of a sentence', BEGINS_OPEN.test(headline)],
    ["somebody's words", /^[^:]{1,40}: .*\b(?:I|I'm|I've|I'll|my|we|our|ich|wir|je|nous|yo)\b/.test(headline)],
    ['a subject line', /^(?:re|fwd?|aw|wg|tr|rv): /i.test(headline)],
    ['open quotation mark or bracket', !isBalanced(headline)],
    ['filler or markup', FILLER.test(headline) || MARKUP.test(headline)],
  ]
  return faults.flatMap(([fault, isThere]) => (isThere ? [fault] : []))
}

const ENDS_OPEN =
  /\s(?:the|an?|of|and|or|but|to|with|for|in|on|at|by|that|which|der|die|das|den|dem|ein|eine|und|mit|von|für|zu|le|la|les|un|une|et|de|du|des|avec|el|los|las|una|y|con|para)$/i
/** German verbs put their particle last: `Ich rufe Ada am Montag an`. */
const SEPARATED =
  /(?<!\p{L})(?:ich|wir|sie|er|und|der|die|das|den|am|im|um|ab|bis|zum|zur)(?!\p{L}).* (?:an|ein|mit|zu|aus|auf|ab|vor)$/iu

function endsOpen(headline: string): boolean {
  return ENDS_OPEN.test(headline) && !SEPARATED.test(headline)
}

const BEGINS_OPEN =
  /^(?:and|but|because|so|then|also|which|or|und|aber|weil|dann|et|mais|parce|alors|y|pero|porque|entonces)(?=[ ,])|^(?:it|that|this|they|he|she|es|il|elle)['’ ]/i

/** Whether the verbs of a sentence are known: those of other languages have no list. */
function isEnglish(sentence: string, source: string): boolean {
  if (!/\p{Script=Latin}{2}/u.test(sentence) || UNSPACED.test(sentence) || FOREIGN.test(sentence)) return false
  return FUNCTION_WORD.test(sentence) || isEnglishText(source)
}

const FOREIGN =
  /[äöüßéèêàçñáíóú¿¡]|(?<!\p{L})(?:der|die|das|und|nicht|ist|ein|eine|mit|für|le|la|les|est|une|et|des|el|los|las|una|es|con|para|por|que)(?!\p{L})/iu
const FUNCTION_WORD = /\b(?:the|and|of|to|is|for|that|with|from|on|at|my|we)\b/i
/** Of all words of a text, at least so many are function words if it is English. */
const FUNCTION_WORDS = 0.05

function isEnglishText(text: string): boolean {
  const words = text.match(/\p{L}+/gu) ?? []
  return words.filter((word) => FUNCTION_WORD.test(word)).length >= words.length * FUNCTION_WORDS
}

function isLong(sentence: string): boolean {
  if (UNSPACED.test(sentence)) return sentence.length > MOST_CHARACTERS
  return sentence.split(/\s+/).length > MOST_WORDS
}

function isBalanced(text: string): boolean {
  // A closing bracket alone numbers a list or draws a face.
  const bare = text.replace(/(?<=^|[.,:;] )(?:\p{L}|\d{1,2})\)|[:;]-?[()]|„[^“”"]*[“”]/gu, '')
  const pairs = ['()', '[]', '{}', '“”', '«»', '「」', '『』', '（）', '《》']
  const isPaired = pairs.every(([open = '', close = '']) => bare.split(open).length === bare.split(close).length)
  return isPaired && (bare.match(/"/g)?.length ?? 0) % 2 === 0
}

/** A word before an ellipsis that the source does not have. */
function hasCutWord(narrative: string, source: string): boolean {
  return [...narrative.matchAll(/([\p{L}\p{N}]+)(?:…|\.\.\.)/gu)].some(([, word = '']) => {
    const whole = new RegExp(`(?<![\\p{L}\\p{N}])${word}(?![\\p{L}\\p{N}])`, 'iu')
    return !UNSPACED.test(word) && !whole.test(source)
  })
}
