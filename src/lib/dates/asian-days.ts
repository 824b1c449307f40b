import { addDays, type CalendarDay, comingDay, mondayFirst, mondayOf, weekdayOf } from './calendar-day.ts'
import { isGoal } from './weekday-tense.ts'

/** A day in words, with its position. */
interface FoundDay {
  readonly from: number
  readonly to: number
  readonly day: CalendarDay
}

/** Words with their distance from today; longer ones first, because some begin others. */
const DISTANCES: readonly (readonly [string, number])[] = [
  ['明後日|あさって|后天|後天|모레', 2],
  ['一昨日|おととい|前天|그저께', -2],
  ['今日|本日|今天|今晚|今早|今晩|今夜|今朝|きょう|오늘', 0],
  ['昨日|昨天|昨晚|昨夜|昨晩|きのう|어제', -1],
  ['明日|明天|明早|明晚|明朝|明晩|あした|내일', 1],
]
const RELATIVE = new RegExp(DISTANCES.map(([words]) => `(?<!大)(${words})`).join('|'), 'g')
// 金曜日 | 来週の金曜 | 下周一 | 周五 | 星期三 | 다음 주 금요일
const WEEKDAY =
  /(?<![每毎])(?:(先週|今週|来週|再来週|次|この前|上|本|这|這|下下|下|지난\s?주|이번\s?주|다음\s?주)の?\s?(?:个|個)?)?(?:([月火水木金土日])曜日?|(?:周|星期|礼拜|禮拜|週)([一二三四五六日天])(?![年月])|([월화수목금토일])요일)/g
const WEEKS: Readonly<Record<string, number>> = {
  ...{ 先週: -1, 今週: 0, 来週: 1, 再来週: 2 },
  ...{ 上: -1, 本: 0, 这: 0, 這: 0, 下: 1, 下下: 2 },
  ...{ 지난주: -1, 이번주: 0, 다음주: 1 },
}
const NAMES = ['日天일', '月一월', '火二화', '水三수', '木四목', '金五금', '土六토']
// 2日に帰る, 18号前; neither 3日間 nor 2日目
const BARE_DAY =
  /(?<![\d月月第前約约近])(\d{1,2})(?:日(?=[にまかはもの、。夜朝午前]|$)|号(?=[前后後之上下晚早到,，。、]|$))(?!前に)/g
const PAST = /(?:ました|でした|だった|った|した)(?:[。、！!]|$)|[了过過](?:[。，,！!]|$)|(?:었|았|했)(?:다|어|습니다)/
/** 周五去了上海 */
const DONE = /^[^，。！？,!?\n]{1,10}[了过](?![吗吧])/

/** Days that Japanese, Chinese and Korean name by their distance, by the day of the week or by the number alone. */
export function asianDays(text: string, today: CalendarDay): FoundDay[] {
  const found: FoundDay[] = []
  for (const match of text.matchAll(RELATIVE)) {
    const kind = match.slice(1).findIndex((word) => word !== undefined)
    // 每天 and the like are no day; 明日香 is a name.
    if (match[0] === '明日' && text.startsWith('香', match.index + 2)) continue
    add(found, match, addDays(today, DISTANCES[kind]?.[1] ?? 0))
  }
  for (const match of text.matchAll(WEEKDAY)) add(found, match, weekdayDay(match, text, today))
  for (const match of text.matchAll(BARE_DAY)) add(found, match, comingDay(Number(match[1]), today))
  return found
}

function add(found: FoundDay[], match: RegExpExecArray, day: CalendarDay | undefined): void {
  if (day) found.push({ from: match.index, to: match.index + match[0].length, day })
}

/** Without a week it is the next such day, or the last where the sentence is in the past; today's own name is open. */
function weekdayDay(match: RegExpExecArray, text: string, today: CalendarDay): CalendarDay | undefined {
  const weekday = NAMES.findIndex((names) => names.includes(match[2] ?? match[3] ?? match[4] ?? '-'))
  const weeks = match[1] === undefined ? undefined : WEEKS[match[1].replaceAll(/\s/g, '')]
  if (weeks !== undefined) return addDays(mondayOf(today, weeks), mondayFirst(weekday))
  const ahead = (weekday - weekdayOf(today) + 7) % 7
  if (ahead === 0) return undefined
  const rest = sentenceFrom(text, match.index)
  const isOver = (PAST.test(rest) || DONE.test(rest)) && !isGoal(text, match.index, match[0].length)
  const isPast = match[1] === 'この前' || isOver
  return addDays(today, isPast ? ahead - 7 : ahead)
}

function sentenceFrom(text: string, at: number): string {
  const rest = text.slice(at, at + 80)
  return rest.slice(0, (/[。！？!?\n]/.exec(rest)?.index ?? rest.length) + 1)
}
