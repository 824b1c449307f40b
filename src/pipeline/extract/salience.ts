// Sentences without content; measured harmless to leave out when they stand alone.
const ACK_WORD =
  "(?:ok|okay|k|kk|yes|yep|yup|yeah|ya|no|nope|nah|sure|right|good|fine|cool|nice|great|awesome|perfect|excellent|amazing|wow|haha+|hehe+|lol|hmm+|oh|ah|aha|ooh|hey|hi|hello|yo|bye|cheers|thanks|thank you|thx|ty|tysm|np|no problem|you['’]?re welcome|welcome|please|sorry|good morning|good evening|good night|morning|got it|gotcha|makes sense|sounds good|sounds great|will do|on it|done|agreed|exactly|indeed|true|same|same here|me too|of course|absolutely|definitely|for sure|all good|no worries|my pleasure|take care|see you|see ya|talk soon|talk later|good luck|well done|good job|congrats|congratulations|(?:that['’]?s|that is|this is|it['’]?s|sounds|looks) (?:(?:so|really|very|pretty|super|just) )?(?:great|good|awesome|cool|nice|amazing|fine|right|true|sweet|wonderful|fantastic|lovely|interesting|funny|fun|beautiful)|(?:good|great|nice) to (?:see|hear from|meet) you|how are you(?: doing)?|how have you been|how['’]?s it going|what['’]?s up|you too|talk to you|soon|later|now|hope you(?:['’]re| are) (?:well|doing well)|have a (?:good|great|nice) (?:day|evening|weekend|one)|so much|very much|a lot|again|all|everyone|team|guys|man|mate|dude|then|there|danke|hallo|liebe|lieber|moin|servus|guten (?:morgen|tag|abend)|bonjour|bonsoir|salut|hola|buenos d[ií]as|ciao|привет|здравствуйте|добрый день|merci|спасибо|да|нет|ок|ja|nein|oui|non|好的|谢谢|ありがとう|はい|네|감사합니다)"
const ACKNOWLEDGEMENT = new RegExp(
  `^(?:[\\s,.!?…()\\-~*_+]|:[a-z0-9_+-]+:|\\p{Extended_Pictographic}|[\\u200d\\ufe0f]|${ACK_WORD}(?![\\p{L}\\p{N}'’]))+$`,
  'iu',
)
const LONGEST_ACKNOWLEDGEMENT = 80
const SIGN_OFF =
  /^(?:(?:best|kind|warm|many)?\s*(?:regards|wishes|greetings)|best|yours|sincerely|yours sincerely|(?:viele|liebe|beste|schöne) grüße|mit freundlichen grüßen|cordialement|saludos|с уважением)[,\s]*(?:\p{Lu}[\p{L}.-]*\s*){0,4}[.!]?$/iu

/** "Ok, thanks!", "Sounds good", an emoji: true whether or not a name follows. */
export function isAcknowledgement(sentence: string): boolean {
  if (sentence.length > LONGEST_ACKNOWLEDGEMENT) return false
  return (
    SIGN_OFF.test(sentence) ||
    ACKNOWLEDGEMENT.test(sentence) ||
    ACKNOWLEDGEMENT.test(sentence.replace(/[,\s]+@?\p{Lu}[\p{L}-]+(?=[!,.…\s]*$)/u, ''))
  )
}

const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/gu
const WORD = /[\p{L}\p{M}]{2,}/gu

/** Why a passage becomes no memory; its chunks are still indexed. */
export type PassageFault = 'too_short' | 'binary_part'

/**
 * `too_short`: fewer than two words (or three characters of a script without spaces), or nothing but acknowledgements.
 * `binary_part`: long runs without spaces (base64, minified code), in which words cannot be separated.
 */
export function faultOf(body: string, hasCode: boolean): PassageFault | undefined {
  const sample = body.slice(0, 4_000)
  const spaceless = sample.match(SPACELESS)?.length ?? 0
  const words = sample.match(WORD)?.length ?? 0
  if (!hasCode && spaceless < sample.length / 10 && isBlob(sample)) return 'binary_part'
  if (words < 2 && spaceless < 3) return 'too_short'
  return isAcknowledgement(sample.trim()) ? 'too_short' : undefined
}

/** More than half of a passage of some length in runs of 80 characters and more that are no addresses. */
function isBlob(text: string): boolean {
  if (text.length < 200) return false
  let inRuns = 0
  for (const run of text.split(/\s+/)) if (run.length >= 80 && !run.includes('://')) inRuns += run.length
  return inRuns > text.length / 2
}
