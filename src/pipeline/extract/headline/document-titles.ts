import type { ParsedDocument } from '../../../domain/document.ts'
import { calendarWord } from '../../../lib/calendar-names.ts'
import { isBareDay } from '../../parse/note-head.ts'
import { lastHeading } from '../../segment/heading-path.ts'
import type { Passage } from '../passages.ts'
import { withWrittenLines } from '../written-lines.ts'

/** Maximum characters of a title before a sentence. */
export const SHORT_TITLE = 50

/** Channel names such as `general`, which say nothing about the subject. */
export const CHANNEL = /^[\p{Ll}\d_.-]+$/u

/** `sms Ann` of `sms Ann 2026-03-04` or `sms Ann on 2026-03-04`, because the day is shown separately. */
export function undatedTitle(title: string): string {
  const bare = title.replace(TIMES, '').replace(/(?: on)?[\s,_–—-]+\d{4}-\d\d-\d\d$/i, '')
  return bare.length < 3 ? title : bare
}

/** `, 10:15, 14 min` at the end of a title. */
const TIMES = /(?:,? (?:at |um |à )?\d{1,2}(?::\d\d(?: ?(?:Uhr|h|am|pm))?|\.\d\d Uhr)|,? \(?\d{1,3} ?min\.?\)?)+$/iu

/** Whether a long title is only the start of the text. */
export function isFirstLine(title: string, { chunks }: Passage): boolean {
  const begin = title.replace(/[\s…]+$|\.{3}$/, '')
  return begin.length > SHORT_TITLE && (chunks[0]?.text.startsWith(begin) ?? false)
}

/** The first line of a list that has no title of its own: `Omas Apfelkuchen` above the ingredients. */
export function headOfList({ chunks, first, form }: Passage): string | undefined {
  const lines = (first === 0 && form === 'prose' ? (chunks[0]?.text ?? '') : '').trim().split('\n').slice(0, MOST_LINES)
  const [head = '', ...items] = lines.filter((line) => line.trim() !== '')
  if (items.length < 2 || head.length > SHORT_TITLE || !head.includes(' ') || NO_HEAD.test(head)) return undefined
  const isMarked = items.every((line) => /^\s*[-*•]\s/.test(line))
  // `Oat milk` above `eggs` is an item too.
  const isCounted = items.filter((line) => /\d/.test(line)).length * 2 > items.length
  const isBroken = withWrittenLines(lines.join('\n')) !== lines.join('\n')
  return isMarked || (isCounted && isBroken) ? head.charAt(0).toUpperCase() + head.slice(1) : undefined
}
const MOST_LINES = 40
/** An item, or a sentence. */
const NO_HEAD = /\d|^\s*[-*•#>|]|[.!?,;:。！？]\s*$/

/** Whether the text has entries that begin with a time, as a list of calls has. */
export function isLog({ chunks, form }: Passage): boolean {
  const text = chunks.map((chunk) => chunk.text).join('\n')
  return form === 'prose' && (text.match(/^\d{1,2}[:.h]\d{2}(?!\d)/gm)?.length ?? 0) >= LEAST_ENTRIES
}
const LEAST_ENTRIES = 2

/** `Call log, 7 October 2026`, `Notifications`, `#sales`: time or place without a subject. */
export function isGenericTitle(title: string): boolean {
  if (isBareDay(title) || title.startsWith('#') || NUMBERED.test(title) || WITH_SOMEBODY.test(title)) return true
  const words = title
    .replace(/[\d.,:/年月日()-]+/g, ' ')
    .split(/\s+/)
    .filter((word) => word !== '' && calendarWord(word) === undefined)
  const isOfTime = words.length === 0 && /\p{L}/u.test(title)
  return isOfTime || (words.length <= 2 && GENERIC.test(words.join(' ')))
}
/** `Call with Ann`, `Gespräch mit Jonas`, `Diary`: what its owner writes for themselves. */
export function isOwnNote(title: string): boolean {
  const [talk] = OF_A_TALK.exec(title) ?? []
  if (talk !== undefined) return WITH_WHOM.test(title.slice(talk.length)) || WITH_THEM.test(title)
  return IN_ASIAN_WORDS.test(title) || OF_DAYS.test(title)
}
const OF_A_TALK =
  /^(?:(?:my|phone|video) )?(?:notes? (?:from|of|on) (?:the |a |my )?)?(?:(?:call|chat|talk|conversation|lunch|dinner|coffee|breakfast|meeting|visit|trip|anruf|telefonat|gespräch|treffen|besuch|mittagessen|appel|discussion|entretien|conversation|rendez-vous|visite|déjeuner|llamada|charla|conversación|visita|comida|cena) (?:with|from|at|mit|bei|avec|chez|à|con|a|en)|(?:visit|trip) to) /iu
/** A name, or somebody of mine. */
const WITH_WHOM = /^(?:\p{Lu}|my |mein|mon |ma |mi )/u
/** `Call with the bank` */
const WITH_THEM = / (?:with the|mit (?:der|dem|den)|avec (?:le|la|les)|con (?:el|la|los|las)) \p{L}/iu
const IN_ASIAN_WORDS = /^(?:和|与|跟).{1,12}(?:通话|聊天|谈话|见面)|(?:さん|氏)と(?:の)?(?:打ち合わせ|電話|会話|面談)/u
/** `Diary`, `My diary - March`, but not `Diary of a Young Girl` and `Journal of Sleep Research`. */
const OF_DAYS =
  /^(?:my )?(?:diary|journal|daily notes?|tagebuch|journal intime|mon journal|diario|mi diario|日記|日记)(?: ?[-–—:,，：].*|,? (?:(?:of|for|on|vom|du|de|del) )?(?:\p{L}+ )?\d.*|,? (?:(?:of|for) )?(?:january|february|march|april|may|june|july|august|september|october|november|december))?$/iu

/** `Board meeting – 3 November`, `Protokoll der Sitzung`: what several people said and decided. */
export function isMinutes(title: string): boolean {
  return MINUTES.test(title) && !NO_MINUTES.test(title)
}
const MINUTES =
  /^(?:minutes|protokoll)(?= ?[-–—:,]| \d|$)|^minutes (?:of|from) |(?<!\p{L})(?:(?:meeting|board|council|committee|draft|approved) minutes$|(?:board|team|staff|committee|council|weekly|monthly|annual|general|project|sprint|planning) meeting|(?:sitzungs|besprechungs|gesprächs|ergebnis|versammlungs)protokoll|protokoll (?:der|des|vom|zur)|\p{L}*sitzung|compte[- ]rendu|procès-verbal|réunion (?:d|de)|acta (?:de|del)|reunión (?:de|del))(?!\p{L})|議事録|会议纪要|會議記錄/iu
const NO_MINUTES =
  /(?<!\p{L})(?:agenda|template|invitation|\d+ minutes|rules|policy|policies|guidelines|tips|regeln|règles|reglas|how to|guide|vorlage|einladung|tagesordnung|ordre du jour|modèle|orden del día|plantilla)(?!\p{L})/iu

/** `Direct message with Ken Adeyemi`, `sms Wang`: who is in the conversation, not what it is about. */
const WITH_SOMEBODY =
  /^(?:sms|SMS|dm|DM|[Dd]irect message|(?:WhatsApp |Signal |Telegram )?[Cc]hat|[Cc]onversation|[Mm]essages)(?: (?:with|from|to|between))(?:(?: \p{Lu}[\p{L}.'’-]*){1,4}| (?:the |an? )?(?:AI )?assistant)$|^(?:sms|SMS|DM)(?: \p{Lu}[\p{L}.'’-]*){1,4}$/u
/** Names by programs: `session 12`, `96b21f6c`, `20250320_114501`. */
export const NUMBERED =
  /^(?:(?:agent[ _-])?(?:session|chat|conversation|dialogue|thread|recording|part|rec|img|voice|new recording)[ _:-]?#?\d+|(?=.*\d)[0-9a-f]{6,40}|[0-9a-f]{8}-[0-9a-f-]{27}|[\d _:T-]{8,})$/i
const GENERIC =
  /^(?:call log|calls|(?:booking|order|reservation|payment|appointment) confirmation|confirmation|buchungsbestätigung|bestätigung|confirmation de (?:réservation|commande)|confirmación(?: de (?:reserva|pedido))?|notifications?|voice (?:memo|note)|recording|memo|note|notes|journal|diary|chat|log|anrufe?|anrufliste|sprachnotiz|sprachmemo|notizen?|benachrichtigungen|mémo vocal|note vocale|appels|journal d['’]appels|nota de voz|llamadas|notificaciones|通话记录|通知|语音备忘|語音備忘|通話履歴|ボイスメモ|メモ)$/i

/** The title of the document. Channel names and "(no subject)" don't count. */
export function documentTitle(document: Pick<ParsedDocument, 'meta'>): string | undefined {
  const title = document.meta.title?.trim()
  return title && !/^#\S+$/.test(title) && !NO_TITLE.test(title) ? title : undefined
}

/** The title of the document; of one mail of a mailbox, its subject. */
export function passageTitle({ chunks }: Passage, document: Pick<ParsedDocument, 'meta' | 'kind'>): string | undefined {
  const isOfMailbox = document.kind === 'email' && document.meta.participants === undefined
  return documentTitle(document) ?? (isOfMailbox ? lastHeading(chunks[0]) : undefined)
}

const NO_TITLE =
  /^\(?(?:no subject|no title|untitled(?: (?:document|note))?|new (?:note|document)|kein betreff|sans objet|sin asunto|без темы)\)?$/i

/** Prefixes of a mail subject. */
export const REPLY_MARK = /^(?:(?:re|fwd?|aw|wg|tr|rv|sv|antw|回复|转发|答复)(?:\[\d+\])?[:：]\s*)+/i
