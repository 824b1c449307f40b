import { currentLanguage, dateLocale } from '../languages/catalog.ts'
import { formatList } from './formats.ts'
import { uiMessages } from './messages.ts'

const MONTHS = 'January February March April May June July August September October November December'.split(' ')
const DATE = new RegExp(`(?:(\\d{1,2}) )?(${MONTHS.join('|')}) (\\d{4})`, 'g')
/** Only dates, times of day and the words between them; never words of a source. */
const MADE_UP_OF_TIMES = new RegExp(`^(?:week of|${MONTHS.join('|')}|to|and|[\\d:, ])+$`)

/** The time of a memory, stored in English, in the language of the page: `4 March 2026, 10:12 (about 6 March 2026)`. */
export function formatWhen(when: string): string {
  const [, time = when, days] = /^(.*?)(?: \(about (.*)\))?$/.exec(when) ?? []
  if (currentLanguage() === 'en' || !MADE_UP_OF_TIMES.test(`${time} ${days ?? ''}`)) return when
  const said = withDates(time).replaceAll(' to ', ' – ')
  if (days === undefined) return said
  return uiMessages.aboutDays(said, formatList(days.split(/, | and /).map(dayOrWeek)))
}

function dayOrWeek(day: string): string {
  return day.startsWith('week of ') ? uiMessages.weekOf(withDates(day.slice('week of '.length))) : withDates(day)
}

function withDates(text: string): string {
  return text.replace(DATE, (_, day: string | undefined, month: string, year: string) => {
    const date = Date.UTC(Number(year), MONTHS.indexOf(month), Number(day ?? 1))
    const parts = { day: day === undefined ? undefined : 'numeric', month: 'long', year: 'numeric' } as const
    return new Intl.DateTimeFormat(dateLocale(), { ...parts, timeZone: 'UTC' }).format(date)
  })
}
