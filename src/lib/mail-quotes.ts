import { MAIL_FIELDS } from './mail-fields.ts'

/** Maximum lines of an introduction, which mail programs wrap. */
const ATTRIBUTION_LINES = 4
const ATTRIBUTION_LENGTH = 300

const ATTRIBUTION_START =
  /^\s{0,3}(?:(?:On|Am|Le|El|Il|Em|Op|Den|Dne|Dnia|Vào)\s|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},? |\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}|.{0,80}<\S{1,80}@\S{1,80}>)/
const ATTRIBUTION_END =
  /(?:\bwrote|\bschrieb(?:en)?(?:\s[^:\n]{0,120})?|\ba écrit|\bescribi[óo]|\bha scritto|\bescreveu|\bschreef(?:\s[^:\n]{0,120})?|\bskrev(?:\s[^:\n]{0,120})?|\bnapsal(?:\(a\))?|\bnapisał\(?a?\)?)\s{0,3}:\s*$/u

const SEPARATOR =
  /^\s*[-_*]{2,}\s*(?:original message|original appointment|ursprüngliche nachricht|urspr.{1,3}ngliche nachricht|message d'origine|message d’origine|message original|mensaje original|messaggio originale|mensagem original|oorspronkelijk bericht)\s*[-_*]{2,}\s*$/i
const FORWARD =
  /^\s*[-_*>]{0,20}\s*(?:begin )?(?:forwarded message|weitergeleitete nachricht|anfang der weitergeleiteten nachricht|message transféré|début du message (?:réexpédié|transféré)|mensaje reenviado|inicio del mensaje reenviado)\s*:?\s*[-_*]{0,20}\s*$/i

const FROM = new RegExp(String.raw`^[*_\s]{0,4}(?:${MAIL_FIELDS.From})\s?:[*_\s]{0,4}(.{0,200})$`, 'i')
const { Date: SENT, To, Cc, Subject } = MAIL_FIELDS
const OTHER_HEADER = new RegExp(String.raw`^[*_\s]{0,4}(?:${SENT}|${To}|${Cc}|${Subject}|reply-to)\s?:[*_\s]{0,4}`, 'i')

/** `Anna Berg wrote:` alone or with its day (`wrote on Thursday 5 November:`), followed by quoted lines. */
const BARE_ATTRIBUTION =
  /^\s{0,3}(?:\p{Lu}[\p{L}.'’-]{0,30} ){1,4}(?:wrote|schrieb|a écrit|escribió|ha scritto|escreveu|schreef)(?: [^\n]{0,40}\d[^\n]{0,20})?\s{0,3}:\s*$/u

/** Number of lines of a quote's introduction (`On Monday, Anna wrote:`), 0 when there is none here. */
export function isAttribution(lines: readonly string[], i: number): number {
  const first = lines[i]!
  if (first.length > ATTRIBUTION_LENGTH) return 0
  if (BARE_ATTRIBUTION.test(first) && isQuoteBelow(lines, i + 1)) return 1
  if (!ATTRIBUTION_START.test(first)) return 0
  let joined = ''
  for (let count = 1; count <= ATTRIBUTION_LINES && i + count <= lines.length; count++) {
    const line = lines[i + count - 1]!
    joined += ` ${line.trim()}`
    if (line.trim() === '' || joined.length > ATTRIBUTION_LENGTH) return 0
    // It contains a day, a time or an address; "On reflection I wrote:" does not.
    if (ATTRIBUTION_END.test(joined)) return /\d|@/.test(joined) || isQuoteBelow(lines, i + count) ? count : 0
  }
  return 0
}

function isQuoteBelow(lines: readonly string[], i: number): boolean {
  const next = lines[i]?.trim() === '' ? i + 1 : i
  return /^ {0,2}>/.test(lines[next] ?? '')
}

export function isReplySeparator(line: string): boolean {
  return line.length < 120 && SEPARATOR.test(line)
}

/** Outlook's block above a quoted mail: `From:`, then `Sent:`, `To:`, `Subject:`. */
export function isReplyHeader(lines: readonly string[], i: number): boolean {
  return lines[i]!.length < 260 && FROM.test(lines[i]!) && headerEnd(lines, i).fields >= 2
}

/** The line below Outlook's block; the line itself when there is none. */
export function replyHeaderEnd(lines: readonly string[], i: number): number {
  return i < lines.length && isReplyHeader(lines, i) ? headerEnd(lines, i).end : i
}

/** The header above a forwarded mail, which is content, unlike a quoted reply. */
export function forwardHeader(
  lines: readonly string[],
  i: number,
  isForward: boolean,
): { from: string | undefined; end: number } | undefined {
  const line = lines[i]!
  if (line.length > 260) return undefined
  const marked = FORWARD.test(line)
  if (!marked && !(isForward && (isReplySeparator(line) || isReplyHeader(lines, i)))) return undefined
  let start = marked || isReplySeparator(line) ? i + 1 : i
  while (start < lines.length && lines[start]!.trim() === '') start++
  if (start >= lines.length || (!FROM.test(lines[start]!) && !OTHER_HEADER.test(lines[start]!)))
    return marked ? { from: undefined, end: i + 1 } : undefined
  const { end, from } = headerEnd(lines, start)
  return { from, end }
}

function headerEnd(lines: readonly string[], start: number): { end: number; fields: number; from: string | undefined } {
  let fields = 0
  let from: string | undefined
  let end = start
  for (; end < Math.min(lines.length, start + 14); end++) {
    const line = lines[end]!
    const named = FROM.exec(line)
    if (named) from ??= senderName(named[1]!)
    else if (OTHER_HEADER.test(line)) fields++
    else if (line.trim() === '') {
      // Some programs insert a blank line between two fields.
      if (!OTHER_HEADER.test(lines[end + 1] ?? '')) break
    } else if (!/^[ \t]|[,;]$/.test(line) && !/@|[,;]$/.test(lines[end - 1] ?? '')) break
  }
  return { end, fields, from }
}

/** `Anna Berg <anna@example.com>` becomes Anna Berg. */
function senderName(value: string): string | undefined {
  const name = value
    .replace(/\[mailto:[^\]]{0,200}\]|<[^<>]{0,200}>|\([^()]{0,200}\)/g, '')
    .replace(/["*_]/g, '')
    .trim()
  if (name !== '') return name
  return /[\w.+-]{1,64}@[\w.-]{1,100}/.exec(value)?.[0]
}
