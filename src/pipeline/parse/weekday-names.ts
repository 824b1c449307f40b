import { DATE_LOCALES } from './month-names.ts'

let names: ReadonlySet<string> | undefined

/** Whether the word names a day of the week, whole or shortened, in one of the languages that dates are read in. */
export function isWeekdayName(word: string): boolean {
  names ??= collectNames()
  return names.has(word.toLowerCase())
}

/** From the runtime's locale data, on first use. */
function collectNames(): ReadonlySet<string> {
  const found = new Set(['tues', 'thur', 'thurs'])
  for (const locale of DATE_LOCALES) {
    for (const weekday of ['long', 'short'] as const) {
      const format = new Intl.DateTimeFormat(locale, { weekday, timeZone: 'UTC' })
      for (let day = 1; day <= 7; day++) {
        found.add(
          format
            .format(new Date(Date.UTC(2026, 0, day)))
            .toLowerCase()
            .replace(/\.$/, ''),
        )
      }
    }
  }
  return found
}
