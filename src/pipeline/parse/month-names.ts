/** Languages whose dates with the month in words are read besides English ones. */
export const DATE_LOCALES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'sv', 'da', 'pl', 'cs', 'ru', 'uk', 'tr']

let names: ReadonlyMap<string, number> | undefined

/** Number of a month, 1 to 12, by its name in one of the languages, in lower case, as it is declined behind a day. */
export function monthNumber(name: string): number | undefined {
  names ??= collectNames()
  return names.get(name.toLowerCase().replace(/\.$/, ''))
}

export function isMonthName(word: string): boolean {
  return monthNumber(word) !== undefined
}

/** From the runtime's locale data, on first use. English wins where two languages differ. */
function collectNames(): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  for (const locale of DATE_LOCALES) {
    for (const options of [
      { day: 'numeric', month: 'long' },
      { day: 'numeric', month: 'short' },
      { month: 'long' },
    ] as const) {
      const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
      for (let month = 1; month <= 12; month++) {
        const parts = format.formatToParts(new Date(Date.UTC(2026, month - 1, 15)))
        const name =
          parts
            .find(({ type }) => type === 'month')
            ?.value.toLowerCase()
            .replace(/\.$/, '') ?? ''
        if (/^\p{L}{3,}$/u.test(name) && !found.has(name)) found.set(name, month)
      }
    }
  }
  return found
}
