import { STAMP } from '../../../lib/dates/stamp.ts'
import type { TurnHead } from './turn-head.ts'

/** Chats that LINE saves: a title, a line with the time, and for each day a table without a head, which only the title tells from others. */

export function isSavedChat(text: string): boolean {
  return TITLE.test(text)
}
const TITLE = /^\ufeff?\[LINE\] /

/** `10:12<tab>健太<tab>text` */
export function savedHead(line: string): TurnHead | undefined {
  const match = isSavedEvent(line) ? null : TABBED.exec(line)
  if (match === null) return undefined
  const { name = '', time = '' } = match.groups ?? {}
  return { speaker: name.trim(), time, textAt: match[0].length, style: 'inline' }
}
const TABBED = new RegExp(`^(?<time>${STAMP})\\t(?<name>[^\\t]{1,60})\\t`, 'u')

/** The lines above the chat, whose title names the other person, who also speaks; calls; who joined or left, without a name. */
export function isSavedEvent(line: string): boolean {
  return TITLE.test(line) || SAVED_AT.test(line) || EVENT.test(line)
}
const SAVED_AT = /^(?:保存日時|Saved on|儲存日期|저장한 날짜) ?[:：] ?\d/u
/** `10:40<tab>健太<tab>☎ 通話時間 3:12`, `10:41<tab><tab>健太が退出しました` */
const EVENT = /^\d{1,2}:\d\d\t(?:\t|[^\t]{0,60}\t☎ )/u

/** Messages of several lines are in quotation marks, and marks within them are doubled. */
export function withoutSavedQuotes(text: string): string {
  return text.replace(QUOTED, (all: string, head: string, said: string) =>
    said.includes('\n') ? head + said.replaceAll('""', '"') : all,
  )
}
const QUOTED = /^(\d{1,2}:\d\d\t[^\t\n]{1,60}\t)"((?:[^"]|""){1,4000})"$/gmu
