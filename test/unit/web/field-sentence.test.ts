import { afterAll, expect, test, vi } from 'vitest'
import { german } from '../../../src/web/languages/de/german.ts'

// Other files of the process read English.
afterAll(() => vi.resetModules())

/** Messages are constants of their modules, so a language is set before these are loaded. */
async function germanSentences() {
  vi.resetModules()
  const { setCatalog, setServiceSentences } = await import('../../../src/web/languages/catalog.ts')
  setCatalog('de', german)
  setServiceSentences((await import('../../../src/web/languages/service-sentences.ts')).translatedSentence)
  return (await import('../../../src/web/languages/field-sentence.ts')).fieldSentence
}

test('what the service says of a field has the label of the field, in the language of the page', async () => {
  const sentence = await germanSentences()
  expect(sentence('name', 'name must not be blank')).toBe('Name darf nicht leer sein.')
  expect(sentence('settings.paths', 'is required')).toBe('Ordner ist erforderlich.')
  expect(sentence('api_key', 'must be at most 1,000 characters')).toBe(
    'API-Schlüssel darf höchstens 1,000 Zeichen haben.',
  )
  expect(sentence('settings.since', 'since must be a day such as 2024-01-31')).toBe(
    'Ab Datum: Erwartet wird ein Tag wie 2024-01-31.',
  )
  expect(sentence('password', 'This password is too common. Choose another one.')).toBe(
    'Dieses Passwort ist zu häufig. Wähle ein anderes.',
  )
  expect(sentence('settings.relist_days', 'must be a whole number from 1 to 30')).toMatch(
    /: Erwartet wird eine ganze Zahl von 1 bis 30\.$/,
  )
  expect(sentence('settings.paths', 'must be absolute, or start with ~/')).toBe(
    'Ordner: Erwartet wird ein absoluter Pfad oder einer, der mit ~/ beginnt.',
  )
  expect(
    sentence(
      'settings.schedule',
      'schedule must be a cron expression such as "*/15 * * * *", but is "61 * * * *": 61 is not a valid minute',
    ),
  ).toBe(
    'Zeitplan: Erwartet wird ein Cron-Ausdruck wie „*/15 * * * *“, nicht „61 * * * *“. Ungültig ist die Minute: 61.',
  )
  expect(sentence('settings.urls', 'must not contain a user name or password')).toMatch(/darf keinen Benutzernamen/)
  expect(sentence('settings.color', 'must be a shade nobody translated')).toMatch(/must be a shade nobody translated/)
})
