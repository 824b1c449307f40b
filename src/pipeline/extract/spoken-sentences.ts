import { sentencesOf } from '../../lib/sentences.ts'
import { withoutFillers, withoutRepeats } from './spoken-fillers.ts'

/** The sentences of what was said or typed, without fillers; many start in lower case or have no question mark. */
export function spokenSentences(text: string, isEnglish: boolean, isSpoken = false): string[] {
  return sentencesOf(text)
    .flatMap((sentence) => sentence.split(LOOSE_END))
    .flatMap((sentence) => (sentence.endsWith(']') ? sentence.split(BEFORE_SHARED) : sentence))
    .flatMap((sentence) => (MAY_SMILE.test(sentence) ? sentence.split(SMILEY) : sentence))
    .map((sentence) => withoutFillers(sentence.replace(ATTRIBUTION, ''), isEnglish).trim())
    .filter((sentence) => sentence !== '')
    .map((sentence) => (isEnglish ? asWritten(sentence, isSpoken) : sentence))
}

/** Without repetitions, and with the mark of a question. */
function asWritten(sentence: string, isSpoken: boolean): string {
  const steady = withoutRepeats(sentence, isSpoken)
  const fluent = /^\p{Lu}/u.test(sentence) ? steady.charAt(0).toUpperCase() + steady.slice(1) : steady
  return isUnmarkedQuestion(fluent) ? `${fluent}?` : fluent
}

/** `On 5 Oct 2026 at 11:02, Hannah Osei wrote:` */
const ATTRIBUTION =
  /^.{0,20}\b(?:on|am|le|el|il|op|em|den) .{0,40}\d.{3,90}?(?:wrote|schrieb|a écrit|escribió|ha scritto|schreef|escreveu|skrev)\s*(?::\s*|$)|^\d{4}年.{4,60}(?:写道|のメール|wrote)\s*[:：]\s*/iu
const BEFORE_SHARED = / (?=\[(?:shares|shared|sends|sent) [^\][]{3,160}\]$)/i
/** Where a sentence ends although the next word has no capital; a period also ends abbreviations. */
const LOOSE_END =
  /(?<=\p{Ll}{4}[.!?]|\p{Ll}[!?]|(?<=^|\s)(?:it|ok|so|you|yes|no|too|out|up|me|us|him|her|now|did|done)\.) (?=\p{Ll}{2}|I\b)/u
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
  /^(?:(?:and|so|but|ok|hey|btw|then),? )?(?:(?:what|where|when|why|how|who|(?:which|what) \w+|how (?:much|many|long|far|often|late))(?:['’]s| (?:is|are|was|were|do|does|did|can|could|will|would|should|shall|have|has)) (?:I|you|we|they|he|she|it|the|my|your|our|this|that|there)\b|(?:do|does|did|are|can|could|will|would|should|have|has) (?:you|we|they|he|she|anyone|anybody|somebody|someone|the|your|my)\b(?!['’])|who (?:owns|knows|has|is|was|can|will|wants|needs|took|made|wrote)\b)[^?.!:;…\n]*$/i
