import { calendarWord } from '../../../lib/calendar-names.ts'
import { remembered } from '../../../lib/remembered.ts'
import { clip } from '../../../lib/sentences.ts'

const DECISION =
  /\b(?:decided?|decisions?:|agreed?|approved|cancell?ed|moved|booked|ordered|paid|signed|bought|costs?|deadline|from now on|let['’]s|we(?:['’]ll| will)? go (?:with|for)|we(?:['’]ll| will) (?:keep|use|take)|on (?:prend|garde)|wir nehmen|beschlossen|entschieden|vereinbart|bestellt|bezahlt|gebucht|abgesagt|décidé|convenu|commandé|payé|réservé|annulé|beschluss:|décision ?:|decisión:|decidi\p{L}+|acord\p{L}+|pagad[oa]|reservad[oa]|cancelad[oa]|compr[aéó]\p{L}*)\b|決ま|決定|予約|注文|支払|キャンセル|ましょう|决定|定了|预订|付款|取消|买了/iu
const AMOUNT =
  /[€$£¥₩₹%]|\b(?:EUR|USD|CHF|GBP|SEK|MXN|euros?|dollars?|pesos?|francs?|pounds|quid|kronor|kroner|kr|rupees|yen)\b|元|円/u
const COUNT =
  '(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|deux|trois|quatre|cinq|sept|huit|neuf|dix|onze|douze|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce)'
/** Numbers as they are said: `thirty pounds each`, `six semaines`, `a las nueve`. */
const SPOKEN_NUMBER = new RegExp(
  `\\b(?:(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?![ -]something)|hundred|thousand|million|percent|per cent|${COUNT} (?:pounds|quid|euros?|dollars|bucks|weeks|days|months|years|hours|minutes|people|miles|kilos|times|wochen|tagen?|monaten?|jahren?|stunden|leute|personen|semaines|jours|mois|ans|heures|personnes|semanas|días|meses|años|horas|personas)|(?:um|gegen|at|around|a las|sobre las|vers) (?:halb |half past |viertel (?:vor|nach) )?${COUNT})\\b`,
  'i',
)
const CALENDAR = /\p{L}{3,}/gu
const CALENDAR_CJK = /[月火水木金土日]曜|周[一二三四五六日]|星期|明日|明天|来週|下周|今週/u
const NAME_WITHIN = /(?<=[\p{Ll}\p{N},] )\p{Lu}\p{L}+/gu
const NAME_INSIDE = /(?<=[\p{Ll}\p{N},] )\p{Lu}\p{L}+/u
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu

const ASKS = /[?？؟]["'”’)\]]*$/

/**
 * The weight of a sentence: dates, amounts, names, decisions and some length increase it; questions decrease it. Remembered,
 * because half of all calls repeat an earlier one.
 */
export const sentenceWeight = remembered((words) => {
  const count = (words.match(/\p{L}+/gu)?.length ?? 0) + (words.match(UNSPACED)?.length ?? 0) / 2
  const names = Math.min(words.match(NAME_WITHIN)?.length ?? 0, 2)
  return (
    (/\p{N}/u.test(words) ? 1.5 : SPOKEN_NUMBER.test(words) ? 0.5 : 0) +
    (AMOUNT.test(words) ? 1 : 0) +
    (hasDay(words) ? 1 : 0) +
    (DECISION.test(words) ? 1.5 : 0) +
    names * 0.4 +
    Math.min(count, 12) * 0.06 -
    (ASKS.test(words) ? 1.2 : 0) -
    (count < 3 ? 0.5 : 0)
  )
})

/** `Opa ist tot`, `J'ai vendu la maison`, `Perdí el trabajo`: a few words with a verb, in German, French and Spanish. */
export function isShortNews(words: string): boolean {
  return !ASKS.test(words) && STATES.test(words)
}
const STATES =
  /^(?:(?:\p{L}+ ){1,2}(?:(?!grüß)\p{Ll}{2,}t|ist|sind|war|waren|wurden?|wird|werden|hatten?|haben|fehlen|est|sont|a|ont|va|vont|était|está|están|es|son|ha|han|fue|fueron|falta|faltan|vive|is|are|was|were|has|have|had)|(?:j['’]ai|tu as|nous avons|vous avez|ich (?:bin|habe?)|wir (?:sind|haben)|he|hemos)|\p{L}{2,}(?:[éíó]|[aei]mos|aron|ieron))(?!\p{L})/iu

/** Whether a sentence contains a number, an amount, a day, a name or a decision. */
export function holdsNews(words: string): boolean {
  return (
    /\p{N}/u.test(words) ||
    SPOKEN_NUMBER.test(words) ||
    AMOUNT.test(words) ||
    hasDay(words) ||
    DECISION.test(words) ||
    NAME_INSIDE.test(words)
  )
}

const hasDay = remembered(
  (words) => CALENDAR_CJK.test(words) || (words.match(CALENDAR) ?? []).some((word) => calendarWord(word) !== undefined),
)

/**
 * A quotation of a text, up to this many characters: its first sentence, then those with the highest weight, in order,
 * with an ellipsis for omitted ones.
 */
export function quoteSentences(lines: readonly string[], longest: number): string {
  const sentences = withoutTableHeads(lines)
  if (sentences.length === 0) return ''
  const fragments = sentences.filter((sentence) => !ENDS.test(sentence)).length
  const most = fragments * 2 > sentences.length ? Math.min(longest, MOST_FRAGMENTS) : longest
  const total = sentences.reduce((sum, sentence) => sum + sentence.length, 0)
  // Leaving out one short sentence often leaves out what the next one is about.
  if (most === longest && total <= most * ALMOST_ALL)
    return clip(joinSentences(sentences), most + 200).replaceAll('"', "'")
  const byWeight = sentences
    .map((sentence, i) => ({ i, length: sentence.length, weight: sentenceWeight(sentence) }))
    .toSorted((a, b) => b.weight - a.weight)
  const kept = new Set<number>([0])
  let length = sentences[0]?.length ?? 0
  for (const one of byWeight) {
    if (kept.has(one.i) || length + one.length > most) continue
    kept.add(one.i)
    length += one.length
  }
  const shown = sentences.flatMap((sentence, i) => (kept.has(i) ? [sentence] : kept.has(i - 1) ? ['…'] : []))
  if (shown.at(-1) === '…' && !kept.has(sentences.length - 1)) shown.pop()
  return clip(joinSentences(shown), most + 100).replaceAll('"', "'")
}

const ALMOST_ALL = 1.15

/** A list of many fragments is hard to read; in characters. */
const MOST_FRAGMENTS = 420
const ENDS = /[.!?…。！？]["'”’)\]」』”）]*$/

/** Rows of a table as `Oak table, 8,900 SEK`, without column names. */
function withoutTableHeads(lines: readonly string[]): string[] {
  return lines.flatMap((line, i) => {
    if (!line.includes(' | ')) return [line]
    const isHead = !lines[i - 1]?.includes(' | ') && lines[i + 1]?.includes(' | ') && !/\p{N}/u.test(line)
    return isHead ? [] : [line.replaceAll(' | ', ', ')]
  })
}

/** List items and headings have no period; without one they would run together. */
function joinSentences(sentences: readonly string[]): string {
  let text = ''
  for (const sentence of sentences) {
    if (text === '') text = sentence
    else if (sentence === '…' || /[.!?…:;,。！？：；、]["'”’)\]」』”）]*$/.test(text)) text += ` ${sentence}`
    // A sentence that ends with a colon introduces the next.
    else text += `${sentence.endsWith(':') ? '.' : ';'} ${sentence}`
  }
  return text
}
