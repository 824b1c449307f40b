import type { Chunk } from '../../../domain/document.ts'

/** A message that only says that something is done, whatever that was: `it's booked`, `hab ich geschickt`, `c'est fait`, `lo mandé`. */
export function reportsDone(text: string): boolean {
  return text.length <= LONGEST && DONE.some((pattern) => pattern.test(text.trim()))
}
const LONGEST = 60
const BEFORE = '^(?:(?:ok(?:ay)?|so|ja|yes|yep|oui|sí|voilà|listo|ya está|done|erledigt|fertig)[,.!:]* +)?'
const BEHIND =
  "(?: (?:already|now|just now|today|schon|gerade|eben|jetzt|heute|maintenant|à l'instant|ya|ahora))?[.!]*$"
const DONE = [
  "(?:(?:all )?done|it['’]s (?:all )?(?:done|sent|paid|\\p{Ll}{3,}ed)|(?:I )?(?:just )?(?:sent|booked|paid|ordered|called|bought) (?:it|them|him|her)|I['’]ve (?:\\p{Ll}{3,}ed|sent|paid|bought|done) (?:it|them))",
  '(?:(?:ist |sind |alles |schon )*(?:erledigt|gemacht|fertig)|(?:ist|sind|hab(?:e)?)(?: ich| ihm| ihr| dir| es| sie| ihn| schon| alles){0,3} (?:\\p{Ll}*ge\\p{Ll}{3,}(?:t|en)|bezahlt|bestellt|reserviert|überwiesen|verschickt|besorgt))',
  "(?:c['’]est (?:fait|bon, c['’]est \\p{Ll}+|\\p{Ll}{3,}é)|je (?:l['’]|les |la |le |lui )?ai (?:déjà )?\\p{Ll}{3,}(?:é|i|u|is|it)e?s?)",
  '(?:ya está|hecho|(?:ya )?(?:(?:se |te )?(?:lo|la|los|las) \\p{Ll}{2,}[éí]|(?:lo |la )?(?:he|está|quedó) \\p{Ll}{2,}(?:ado|ido|cho|sto|ada)))',
].map((words) => new RegExp(`${BEFORE}${words}${BEHIND}`, 'iu'))

/** Whether it reports what the question asked for as done, in its verb or in one for anything. */
function reportsWhatWasAsked(report: string, question: string): boolean {
  if (!ASKS.test(question) || !reportsDone(report)) return false
  if (ANYTHING.test(report) || SAME_DEED.some((deed) => deed.test(report) && deed.test(question))) return true
  const asked = question.toLowerCase().match(/\p{L}{3,}/gu) ?? []
  // `cancelled` for `cancel`.
  const isOf = (stem: string, word: string) =>
    word.startsWith(stem) || (word.length > LEAST_STEM && stem.startsWith(word))
  return stemsOf(report).some((stem) => asked.some((word) => isOf(stem, word)))
}
const ASKS = /[?？]\s*$/
const ANYTHING = /(?<!\p{L})(?:done|erledigt|gemacht|fertig|c['’]est fait|hecho|ya está)(?!\p{L})/iu
/** Verbs of one deed that begin differently, or in other forms. */
const SAME_DEED = [
  'sen[dt]|e?-?mail|forward|schick|gesendet|geschickt|envoy|envoi|mand|envi[aóé]',
  'pay|paid|transfer|zahl|überw[ei]+s|paie|pag[aoué]',
  'book|reserv|buch',
  'buy|bought|order|get|kauf|besorg|bestell|hol(?:en|st|t)|achet|achèt|command|compr[aé]|pid[eo]|pedi',
  'call|ring|rang|phone|anruf|appel|llam',
].map((stems) => new RegExp(`(?<!\\p{L})(?:ver|be|ge)?(?:${stems})`, 'iu'))

/** `book` of `it's booked`, `abhol` of `ist abgeholt`, `mand` of `lo mandé`. */
function stemsOf(report: string): string[] {
  return (report.toLowerCase().match(/\p{L}{5,}/gu) ?? [])
    .filter((word) => PAST.test(word) && !NOW.test(word))
    .map((word) => word.replace(/^(\p{L}{0,4}?)ge(?=\p{L}{4})/u, '$1').replace(PAST, ''))
    .filter((stem) => stem.length >= LEAST_STEM)
}
const PAST = /(?:ed|en|t|ées?|és?|í|ad[oa]|ido)$/u
const NOW = /^(?:jetzt|maintenant)$/
const LEAST_STEM = 3

/** Whether the last of these messages closes one of those before it, by whoever was asked. */
export function closesRequest(open: readonly Chunk[], report: Chunk, isOfTwo: boolean): boolean {
  return open.some((asking, i) => {
    if (asking.speaker === report.speaker || !reportsWhatWasAsked(report.text, asking.text)) return false
    return isOfTwo || isAskedOf(asking.text, report.speaker) || promises(open.slice(i + 1), report.speaker)
  })
}

/** `@Ben can you`, `Ben, could you`, `could you, Ben?` */
function isAskedOf(question: string, speaker: string | undefined): boolean {
  const [first = ''] = speaker?.split(' ') ?? []
  const name = first.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return (
    name !== '' &&
    new RegExp(`@${name}(?!\\p{L})|(?:^|[.!?] )(?:\\p{L}+ )?${name}[,:!]? |, ${name} ?\\?\\s*$`, 'iu').test(question)
  )
}

/** Whoever answers without a question takes it over. */
function promises(replies: readonly Chunk[], speaker: string | undefined): boolean {
  return replies.some((reply) => reply.speaker === speaker && !ASKS.test(reply.text))
}
