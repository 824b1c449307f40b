const DIGITS = '〇一二三四五六七八九'
const NUMERAL = '[一二三四五六七八九]?十[一二三四五六七八九]?|[一二三四五六七八九]'
/** A number that isn't a part of a longer one, or of `每一天`, `上三月`. */
const ALONE = '(?<![〇一二三四五六七八九十百千万每毎第上下这這个個数數])'
/** `十一月`, `十一月三日`; not `五月雨`, `三月さん`, `一月一次`. */
const MONTH = new RegExp(
  `${ALONE}(${NUMERAL})月(?:(${NUMERAL})(?=[日号號]))?(?![光亮饼餅球見雨病曜]|さん|ちゃん|くん|[一两二三][次回度])`,
  'gu',
)
/** `三天前`, `三週間前` */
const AGO = new RegExp(
  `${ALONE}(${NUMERAL})(?=(?:天|日|周|週|週間|个星期|個星期|个月|個月|か月|ヶ月|年)(?:以)?前)`,
  'gu',
)

/** A text with months, days of a month and spans before now in digits. */
export function withDatesInDigits(text: string): string {
  return text
    .replace(MONTH, (_, month: string, day?: string) => `${numberOf(month)}月${day === undefined ? '' : numberOf(day)}`)
    .replace(AGO, (numeral) => String(numberOf(numeral)))
}

/** @param numeral 1 to 99 */
function numberOf(numeral: string): number {
  const [tens, ones] = numeral.includes('十') ? numeral.split('十') : ['〇', numeral]
  return (tens === '' ? 1 : DIGITS.indexOf(tens!)) * 10 + (ones === '' ? 0 : DIGITS.indexOf(ones!))
}
