/** Places whose names are more often something else: first names, words, products. */
const AMBIGUOUS = new Set(
  (
    'Adelaide Aden Bahia Beulah Center Chad Creston Darwin Dawson Dominica Georgia Jersey Jordan Kirov Knox Lindeman Marengo ' +
    'Merida Monticello Nome Noronha Oral Petersburg Phoenix Regina Resolute Reunion Reunião Réunion Salta Samara Santiago Sofia Thule Vevay'
  ).split(' '),
)
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'ru']

let places: ReadonlySet<string> | undefined

/**
 * Whether this is the name of a country, or of a city that a time zone is named after. Both lists come with the runtime;
 * that is why many a city is not among them.
 */
export function isKnownPlace(name: string): boolean {
  places ??= collectPlaces()
  return places.has(name)
}

function collectPlaces(): ReadonlySet<string> {
  const found = new Set<string>()
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    const city = /^(?:Africa|America|Asia|Australia|Europe)\/(?:\w+\/)?([^/]+)$/.exec(zone)?.[1]
    if (city) found.add(city.replaceAll('_', ' '))
  }
  for (const language of LANGUAGES) {
    const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' })
    for (const code of regionCodes()) found.add(names.of(code) ?? '')
  }
  for (const name of AMBIGUOUS) found.delete(name)
  found.delete('')
  return found
}

/** Two letters each; those above QL are for private use, or stand for no country. */
function regionCodes(): string[] {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const codes = letters.flatMap((first) => letters.map((second) => first + second))
  return codes.filter((code) => !/^(?:Q[M-Z]|X[A-J]|X[L-Z]|ZZ|EU|EZ|UN)$/.test(code))
}
