import { CLOCK, STAMP as DIGITS, parseWordedStamp, WORDED_STAMP } from '../../../lib/dates/stamp.ts'
import { isProgramNotice, PROGRAM_MARK } from './program-messages.ts'

/** The start of a line with the speaker. */
export interface TurnHead {
  readonly speaker: string
  /** As written, e.g. `2026-03-04 10:12` or `10:12 AM`. */
  readonly time?: string
  /** Offset of the words in the line; the line's end if they follow below. */
  readonly textAt: number
  /** `line`: the speaker has its own line, and the words follow. */
  readonly style: 'inline' | 'line'
  /** Whether the words are in quotation marks. */
  readonly isQuoted?: true
}

/** Maximum characters of a line that are searched for a head. */
const HEAD_LENGTH = 160

const WORD = "[\\p{L}\\p{M}\\p{N}._'’@&・-]{1,40}"
/** `Ann 2026-03-04 10:12`: the day is not part of the name. */
const NO_DATE = '(?!\\d{4}[-/.年]|\\d{1,2}[-/.:]\\d)'
/** @param most words within a pair of brackets */
function namePattern(most: number): string {
  const within = most > 1 ? `${WORD}(?: ${WORD}){0,${most - 1}}` : WORD
  return `(?<name>[@\\p{L}]${WORD.replace('{1,40}', '{0,40}')}(?:[ \u3000]?[(（]${within}[)）]|[ \u3000]${NO_DATE}${WORD}){0,4})`
}
const NAME = namePattern(1)
/** Beside a time: `[09:41] Phil (no. 8): sorry`. */
const TIMED_NAME = namePattern(3)
/** A space or the end of the line; optional before a script without spaces, and after a full-width colon. */
const AFTER =
  '(?:[ \u3000]|$|(?<=：\\*{0,2})|(?=[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}「『]))'
const STAMP = `(?<time>${DIGITS})`
const WORDED = `(?<time>${WORDED_STAMP})`

const TIMED = [
  // [2026-03-04 10:12] Anna: text | [10:12] <anna> text
  new RegExp(
    `^\\[${STAMP}\\] {0,3}(?:<[@+~&%]?${TIMED_NAME}>|\\*{0,2}${TIMED_NAME.replace('<name>', '<other>')}\\*{0,2}[:：]\\*{0,2})${AFTER}`,
    'u',
  ),
  // 2026-03-04 10:12 - Anna: text | 10:12 <anna> text | 10:12:03 From Anna to Everyone: text
  new RegExp(
    `^${STAMP},? {0,3}(?:[-–—|] ?)?(?:From )?(?:<[@+~&%]?${TIMED_NAME}>|${TIMED_NAME.replace('<name>', '<other>')}(?: to [^:]{1,40}?)? {0,2}[:：])${AFTER}`,
    'u',
  ),
  // **Anna** (2026-03-04 10:12): text | Anna [00:01:02]: text
  new RegExp(
    `^(?:[-*] )?\\*{0,2}${TIMED_NAME}\\*{0,2},? {0,2}[([]${STAMP}[)\\]]\\*{0,2} ?[:：—–-]\\*{0,2}${AFTER}`,
    'u',
  ),
]
/** Times in words, which are slower to find. */
const WORDED_TIMED = [
  // [1:56 pm on 8 May, 2023] Anna: text
  new RegExp(`^[([]${WORDED}[)\\]],? {0,3}(?:[-–—|] ?)?\\*{0,2}${NAME}\\*{0,2} ?[:：]\\*{0,2}${AFTER}`, 'u'),
  // Anna (1:56 pm on 8 May, 2023): text | Anna, [8 May 2023 at 13:56]: text
  new RegExp(`^(?:[-*] )?\\*{0,2}${NAME}\\*{0,2},? {0,2}[([]${WORDED}[)\\]]\\*{0,2} ?[:：]\\*{0,2}${AFTER}`, 'u'),
  // Anna, 8 May 2023 at 13:56: text
  new RegExp(`^\\*{0,2}${NAME}\\*{0,2}(?:,| [-–—|·]) {1,2}${WORDED} ?[:：]\\*{0,2}${AFTER}`, 'u'),
  // 8 May 2023, 1:56 pm - Anna: text
  new RegExp(`^${WORDED},? {0,2}[-–—|] ?\\*{0,2}${NAME}\\*{0,2} ?[:：]\\*{0,2}${AFTER}`, 'u'),
]
/** Anna Smith  10:12 AM - alone on its line */
const HEAD_LINE = new RegExp(
  `^(?:#{1,6} )?\\*{0,2}${NAME}\\*{0,2}(?: {1,3}APP)?,?(?: [—–·|-])? {1,8}[([]?(?:(?:Today|Yesterday),? (?:at )?)?${STAMP}[)\\]]?:?$`,
  'u',
)
/** 2026-03-04 10:12 妈妈, alone on its line as WeChat copies it; in Latin letters it may be a line of a log. */
const TIME_AND_NAME =
  /^(?<time>\d{4}[-/.]\d{1,2}[-/.]\d{1,2} \d{1,2}:\d\d(?::\d\d)?) {1,2}(?=.{0,20}[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])(?<name>[\p{L}\p{N}][\p{L}\p{N} ・_-]{0,19})$/u
/** Anna: text | **Anna:** text | **Anna**: text */
const UNTIMED = new RegExp(
  `^(?:[-*] (?=\\*\\*))?(?:\\*\\*${NAME}(?:[:：]\\*\\*|\\*\\* ?[:：])|${NAME.replace('<name>', '<other>')} ?[:：])${AFTER}`,
  'u',
)

/** Words before a colon in notes that are not names. */
const LABELS = new Set(
  (
    'q a question answer note notes todo fixme warning tip hint info important attention example e.g i.e ps p.s fyi update edit date time day ' +
    'from to cc bcc subject re fw fwd title name owner author status state priority location place where when who what why how attendees ' +
    'participants present absent agenda topic topics summary tldr tl;dr action actions decision decisions next result results goal goals problem ' +
    'solution pros cons input output step part section chapter phone tel fax email e-mail mail address url link links source sources http https ' +
    'price cost total version description type id key value tags tag labels category categories keywords risks risk background context overview ' +
    'conclusion deadline due start end begin format language error caused reason fix ingredients method directions instructions requirements ' +
    'conversation dialogue transcript session monday tuesday wednesday thursday friday saturday sunday the this that these it if and but or so as in on at for with there here'
  ).split(' '),
)

/** Labels of facts in a note, which can also start a role ("Image Editor"). */
const FACTS = new Set(
  (
    'photo photos picture pictures image images video videos audio file files attachment attachments budget cost costs fee fees amount rent ' +
    'salary hotel flight flights train room venue website web mobile fax isbn weight height size colour color breakfast lunch dinner snack ' +
    'menu weather mood rating duration distance speed password username reminder remark remarks comment comments purpose objective scope ' +
    'foto fotos bild bilder kosten preis notiz hinweis ort datum uhrzeit adresse telefon frage antwort thema ziel ergebnis ' +
    '日期 时间 時間 地点 地點 場所 日時 主题 主題 标题 標題 议题 議題 件名 题目 题 题名 参加者 出席者 参会人 参会人员 与会者 备注 備考 注 注意 例 例如 目的 预算 予算 照片 写真 ' +
    '价格 価格 电话 電話 地址 住所 问 答 问题 質問 回答 结论 結論 总结 内容 作者 来源 天气 天気 날짜 장소 시간 주제 참석자 예산 사진 비고 메모'
  ).split(' '),
)

/** `Content-Type: text/plain` */
const MAIL_FIELD = /^(?:content|x|mime|message|list|reply|return|in-reply|delivered)-[a-z-]{2,40}$/i

/** Last words of roles that replace names in meetings. */
const ROLES = new Set(
  (
    'manager designer developer engineer owner lead leader director officer assistant analyst interface expert specialist coordinator moderator ' +
    'facilitator interviewer interviewee host guest agent customer client user teacher student professor doctor nurse patient chair chairman ' +
    'chairwoman secretary president representative editor producer tester architect consultant researcher speaker participant operator'
  ).split(' '),
)

/** Whether it is a role: `Project Manager`, `User interface designer`. */
export function isRole(name: string): boolean {
  const words = name.toLowerCase().split(' ')
  return words.length > 1 && ROLES.has(words.at(-1)!)
}

export function timedHead(line: string): TurnHead | undefined {
  const first = line.charCodeAt(0)
  if (Number.isNaN(first)) return undefined
  const head = line.slice(0, HEAD_LENGTH)
  if (!/\d[:./-]\d/.test(head)) return wordedHead(head)
  for (const pattern of TIMED) {
    const match = pattern.exec(head)
    const speaker = match?.groups?.name ?? match?.groups?.other
    if (match && speaker)
      return { speaker: speaker.trim(), time: match.groups!.time!, textAt: match[0].length, style: 'inline' }
  }
  const whole = line.length > HEAD_LENGTH ? '' : line.trimEnd()
  const match = HEAD_LINE.exec(whole) ?? TIME_AND_NAME.exec(whole)
  const speaker = match?.groups?.name
  if (!match || !speaker || isLabel(speaker)) return wordedHead(head)
  return { speaker: speaker.trim(), time: match.groups!.time!, textAt: line.length, style: 'line' }
}

function wordedHead(head: string): TurnHead | undefined {
  if (!/\d{4}/.test(head) || !/[:：]/.test(head)) return undefined
  for (const pattern of WORDED_TIMED) {
    const match = pattern.exec(head)
    const { name = '', time = '' } = match?.groups ?? {}
    if (!match || isLabel(name) || !parseWordedStamp(time, 'day-first')) continue
    return { speaker: name.trim(), time, textAt: match[0].length, style: 'inline' }
  }
  return undefined
}

/** The time that a line begins with: its form, such as `[0-0-0 0:0]`, and its length. */
export function leadingStamp(line: string): { form: string; length: number } | undefined {
  const stamp = LEADING_STAMP.exec(line.slice(0, HEAD_LENGTH))?.[0]
  return stamp === undefined
    ? undefined
    : { form: stamp.replace(/\d+/g, '0').replace(/\p{L}+/gu, 'a'), length: stamp.length }
}
const LEADING_STAMP = new RegExp(`^[[(]?(?:${DIGITS}|${WORDED_STAMP})[)\\]]?`, 'u')

/** System messages of WhatsApp, without a speaker: `03/05/2026, 18:02 - Jana left`. */
export function isEventLine(line: string): boolean {
  const bracketed = BRACKETED_EVENT.exec(line)?.[1]
  const isEvent =
    bracketed === undefined
      ? EVENT_LINE.test(line)
      : line.startsWith(PROGRAM_MARK) || bracketed.startsWith(PROGRAM_MARK) || isProgramNotice(bracketed)
  return isEvent && timedHead(line) === undefined
}
const EVENT_DAY = `\\d{1,2}[./]\\d{1,2}[./]\\d{2,4},? ${CLOCK}`
const EVENT_LINE = new RegExp(`^\\[?${EVENT_DAY}\\]? [-–] \\S[^:]{2,280}$`, 'u')
/** People write so too, as in a log: `[12/03/26, 11:00] Paid the deposit`. */
const BRACKETED_EVENT = new RegExp(`^${PROGRAM_MARK}?\\[${EVENT_DAY}\\] (?![-–])(\\S[^:]{2,280})$`, 'u')

export function untimedHead(line: string): TurnHead | undefined {
  const head = labeledHead(line)
  return head && !isLabel(head.speaker) ? head : undefined
}

/** Whether a line is a labeled fact: `Place: Lisbon`. */
export function isFactLine(line: string): boolean {
  const head = labeledHead(line)
  return head !== undefined && isLabel(head.speaker)
}

function labeledHead(line: string): TurnHead | undefined {
  const head = line.slice(0, 90)
  if (!/[:：]/.test(head)) return undefined
  const match = UNTIMED.exec(head)
  const speaker = (match?.groups?.name ?? match?.groups?.other)?.trim()
  return match && speaker ? { speaker, textAt: match[0].length, style: 'inline' } : undefined
}

/** The line without its leading number or short id; `undefined` without one. */
export function afterLineId(line: string): string | undefined {
  const match = LINE_ID.exec(line)
  return match ? line.slice(match[0].length) : undefined
}
/** [D1:3] | (12) | 12. | 12) | #12 */
const LINE_ID =
  /^(?:\[(?=[^\]\d]{0,12}\d)[\w#.:/-]{1,16}\]|\((?=[^)\d]{0,8}\d)[\w#.:-]{1,12}\)|\d{1,6}[.)]|#\d{1,6}[.:]?) {1,2}(?=\S)/

/** Anna said, "text" */
export function reportedHead(line: string): TurnHead | undefined {
  const match = REPORTED.exec(line.slice(0, 90))
  const speaker = match?.groups?.name
  if (!match || !speaker || isLabel(speaker) || PRONOUN.test(speaker)) return undefined
  return { speaker, textAt: match[0].length, style: 'inline', isQuoted: true }
}
const REPORTED = new RegExp(
  `^${NAME} (?:said|says|asked|asks|replied|replies|answered|answers|responded|responds|wrote|writes) ?[,:]? ?(?=["“„«])`,
  'u',
)
const PRONOUN = /^(?:I|he|she|they|we|you|who|somebody|someone|everyone|everybody|nobody)$/i

/** `You said:` and `ChatGPT said:` on their own lines, as chats with an assistant are copied. */
export function promptHead(line: string): TurnHead | undefined {
  if (line.length > 60 || !SAYS.test(line)) return undefined
  const { asker, program } = PROMPT.exec(line.trimEnd())?.groups ?? {}
  const speaker = asker === undefined ? program : 'You'
  return speaker === undefined ? undefined : { speaker, textAt: line.length, style: 'line' }
}
/** Checked first because that is much faster. */
const SAYS = /(?:said|sagt|dit|dijo|dicho|dijiste) ?:?\*{0,2}\s*$/i
const PROMPT =
  /^(?:#{1,6} )?\*{0,2}(?:(?<asker>You said|Du hast gesagt|Vous avez dit|Tu as dit|Dijiste|Has dicho)|(?<program>ChatGPT|Claude|Gemini|Copilot|Grok|Perplexity|DeepSeek) (?:said|hat gesagt|a dit|dijo|ha dicho)) ?:?\*{0,2}$/iu

/** A line with only a name: `Anna Berg`, `**Speaker 1**`. */
export function nameLine(line: string): TurnHead | undefined {
  if (line.length > 60) return undefined
  const speaker = /^(\*{0,2})([^*]+?)\1\s*$/.exec(line)?.[2]
  if (speaker === undefined || !NAME_ALONE.test(speaker) || isLabel(speaker)) return undefined
  return { speaker, textAt: line.length, style: 'line' }
}
// `elise` is a name too, but only as a single word.
const NAME_ALONE =
  /^(?:[\p{Lu}\p{Lo}][\p{L}\p{M}\p{N}'’_-]*(?:\.? [\p{Lu}\p{Lo}\p{N}][\p{L}\p{M}\p{N}'’_-]*){0,3}|[\p{Ll}@][\p{L}\p{N}._-]{1,30})$/u

function isLabel(speaker: string): boolean {
  const lower = speaker.toLowerCase()
  const words = lower.split(' ')
  if (LABELS.has(words[0]!) || LABELS.has(lower) || FACTS.has(lower.replace(/ ?\d{1,3}$/, ''))) return true
  if (MAIL_FIELD.test(speaker)) return true
  // "He said:" in a Chinese story.
  if (/[说說道问問曰]$/.test(speaker)) return true
  // "Things we talked about yesterday:" is too long for a name, and in lower case.
  return words.length > 2 && !isRole(speaker) && /^\p{Ll}/u.test(speaker.split(' ').at(-1)!)
}
