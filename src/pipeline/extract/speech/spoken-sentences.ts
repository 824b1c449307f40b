import { endsWithAbbreviation, sentencesOf } from '../../../lib/sentences.ts'
import { withoutFillers, withoutRepeats } from './spoken-fillers.ts'
import { withoutRestarts } from './spoken-restarts.ts'

/** The sentences of what was said or typed, without fillers; many start in lower case or have no question mark. */
export function spokenSentences(text: string, isEnglish: boolean, isSpoken = false): string[] {
  return sentencesOf(text)
    .flatMap((sentence) => splitLoosely(sentence, LOOSE_END))
    .flatMap((sentence) => splitLoosely(sentence, LOOSE_CLAUSE))
    .flatMap((sentence) => (sentence.endsWith(']') ? sentence.split(BEFORE_SHARED) : sentence))
    .flatMap((sentence) => (PICTURE.test(sentence) ? sentence.split(AFTER_FACE) : sentence))
    .flatMap((sentence) => (MAY_SMILE.test(sentence) ? sentence.split(SMILEY) : sentence))
    .map((sentence) => withoutFillers(withoutPictures(sentence.replace(ATTRIBUTION, '')), isEnglish).trim())
    .filter((sentence) => sentence !== '')
    .map((sentence) => (isEnglish ? asWritten(sentence, isSpoken) : sentence))
}

/** The period of an abbreviation ends nothing: `1,140 incl. diesel`. */
function splitLoosely(sentence: string, end: RegExp): string[] {
  const parts: string[] = []
  for (const part of sentence.split(end)) {
    if (parts.length > 0 && !/^i\b/i.test(part) && endsWithAbbreviation(parts.at(-1)!))
      parts.push(`${parts.pop()} ${part}`)
    else parts.push(part)
  }
  return parts
}

/** Without emoji, unless there is nothing else. */
function withoutPictures(sentence: string): string {
  if (!PICTURE.test(sentence)) return sentence
  const words = sentence
    .replace(PICTURES, ' ')
    .replace(/ +(?=[.,!?]|$)/g, '')
    .trim()
  return /[\p{L}\p{N}]/u.test(words) ? words.replace(/ {2,}/g, ' ') : sentence
}
const PICTURE = /\p{Extended_Pictographic}/u
/** A face or a gesture ends a sentence, unless it goes on: `barely 😂 the flight was late`. */
const AFTER_FACE =
  /(?<=[\p{L}!?.…)] ?(?:(?:[\u{1f600}-\u{1f64f}\u{1f910}-\u{1f92f}\u{1f970}-\u{1f97a}\u{1f389}\u{1f44d}\u{1f44f}\u{1f525}]|❤)[\ufe0f\u{1f3fb}-\u{1f3ff}]?)+) (?!(?:and|or|but|because|und|aber|weil|et|mais|y|pero)(?!\p{L}))(?=\p{L})/u
const PICTURES = /\s*(?:(?![©®™])\p{Extended_Pictographic}[\u200d\ufe0f\u{1f3fb}-\u{1f3ff}]*)+\s*/gu

/** Removes repetitions, and adds the question mark. */
function asWritten(sentence: string, isSpoken: boolean): string {
  const whole = isSpoken ? withoutRestarts(sentence) : sentence
  const steady = withoutRepeats(whole, isSpoken)
  const fluent = (/^\p{Lu}/u.test(sentence) ? capitalized(steady) : steady).replace(SMALL_I, 'I')
  return isUnmarkedQuestion(fluent) || ASKS_AGREEMENT.test(fluent) ? `${fluent}?` : fluent
}

/** `the party is on Friday right` */
const ASKS_AGREEMENT =
  /^(?=.{15,100}$)(?=.*\b(?:is|are|was|were|has|have|will|can|need|needs)\b|.*['’](?:s|re|ve|ll)\b).*(?<!\b(?:is|are|was|were|be|been|all|not|turn|turned|go|going|get|got|feels?|seems?|looks?|sounds?|a|no|the|my|your|his|her|our|their|every|human|far|top|bottom|upper|lower|so|too|very|quite|just|always|absolutely|completely|totally|exactly|that['’]s|it['’]s|you['’]re|yeah|(?:do|done|doing|did) (?:it|this|that)),?) (?:right|yeah|isn['’]t it|aren['’]t they)$/i

/** As typed on a phone; `i` in `for i in range` is a variable. */
const SMALL_I =
  /(?<![\w.,'’(])i(?=['’](?:m|ve|ll|d)\b| (?:am|was|have|had|will|would|can|could|do|did|don['’]t|think|know|need|want|said|just|also)\b)/g

function capitalized(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** `On 5 Oct 2026 at 11:02, Hannah Osei wrote:` */
const ATTRIBUTION =
  /^.{0,20}\b(?:on|am|le|el|il|op|em|den) .{0,40}\d.{3,90}?(?:wrote|schrieb|a écrit|escribió|ha scritto|schreef|escreveu|skrev)\s*(?::\s*|$)|^\d{4}年.{4,60}(?:写道|のメール|wrote)\s*[:：]\s*/iu
const BEFORE_SHARED = / (?=\[(?:shares|shared|sends|sent) [^\][]{3,160}\]$)/i
/** Where a sentence ends although the next word has no capital; a period also ends abbreviations. */
const LOOSE_END =
  /(?<=\p{Ll}{4}[.!?]|\p{Ll}[!?]|(?<=^|\s)(?:it|ok|so|you|yes|no|too|out|up|me|us|him|her|now|did|done)\.) (?=\p{Ll}{2}|[Ii]\b)|(?<=\d (?:[Jj]an|[Ff]eb|[Mm]ar|[Aa]pr|[Jj]un|[Jj]ul|[Aa]ug|[Ss]ep|[Oo]ct|[Nn]ov|[Dd]ec)\.) (?=I['’ ])|(?<=, no\.) (?=\p{L})|(?<=\d(?: ?(?:h|km|kg|min))?\d{0,2}\.) (?=(?:my|our|i|we|you|he|she|they|it|the)[ '’])/u
/** A request, or a clause with its own subject and verb, after a short word: `the car. and it was late`. */
const LOOSE_CLAUSE =
  /(?<=\p{L}{3}\.) (?=(?:make|don['’]t|please|can you|could you|also) \p{Ll}|(?:and|so|but) (?:(?:i|we|you|they|he|she|it|there)(?:['’](?:m|s|re|ll|ve|d) | \p{Ll}+ )|(?:the|my|our|your|his|her|their) \p{L}{1,30} (?:is|are|was|were|has|have|had|will|can|could|would|should|must|did|does) ))/u
const MAY_SMILE = / (?:[:;=]['’]?-?[()DPp/]|<3|\^\^|xD)/
const SMILEY = / (?:[:;=]['’]?-?[()DPp/]+|<3+|\^\^|xD+)(?= |$)/

/** Whether a message ends with a question, even if the mark is missing. */
export function endsWithQuestion(text: string): boolean {
  if (/[?？]\s*$/.test(text)) return true
  const [last = ''] = text
    .trimEnd()
    .split(/\n|[.!] /)
    .slice(-1)
  return isUnmarkedQuestion(last)
}

/** `what should I bring`, `did the vet call`: a question in a chat without its mark. */
function isUnmarkedQuestion(sentence: string): boolean {
  return sentence.length <= LONGEST_QUESTION && UNMARKED_QUESTION.test(sentence)
}
const LONGEST_QUESTION = 100
const UNMARKED_QUESTION =
  /^(?:(?:and|so+|but|ok|hey|btw|then|bro|dude|mate|guys),? )?(?!should\b[^,]*, (?!or\b))(?:(?:what|where|when|why|how|who|(?:which|what) \w+|how (?:much|many|long|far|often|late))(?:['’]s| (?:is|are|was|were|do|does|did|can|could|will|would|should|shall|have|has)) (?:I|you|we|they|he|she|it|the|my|your|our|this|that|there)\b|(?:do|does|did|are|can|could|will|would|should|have|has) (?:you|we|they|he|she|anyone|anybody|somebody|someone|the|your|my)\b(?!['’])|(?:can|could|shall|should|may) I\b|(?:(?:does|has|is) )any(?:one|body) (?:else )?(?:know|have|got|seen|want|need|fancy|remember|going|coming|free|around|interested|up for|able to|tried|heard)\b|any(?:one|body) (?:else )?(?:(?:know|have|want|need|fancy|remember)\b|(?:has|got|seen|going|coming|free|around|interested|up for|able to|tried|heard)\b(?![^?]*(?:,|\b(?:can|could|should|must|will|would|is|was|are|may|has|have|needs?|gets?|pays?|please|contact|call|email|sign|write)\b)))|who (?:owns|knows|has|is|was|can|will|wants|needs|took|made|wrote|broke|changed|touched|left)\b)[^?.!:;…\n]*$/i
