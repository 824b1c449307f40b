import { expect, test } from 'vitest'
import { CONNECTORS } from '../../../connectors/index.ts'
import { PROVIDERS } from '../../../connectors/providers.ts'
import { wireConnector } from '../../../src/connections/connector-view.ts'
import { settingFields } from '../../../src/connections/setting-fields.ts'
import { connectorTexts as german } from '../../../src/web/languages/de/connectors/connector-texts.ts'
import { connectorTexts as japanese } from '../../../src/web/languages/ja/connectors/connector-texts.ts'
import { textKey, translateText } from '../../../src/web/pages/sources/connector-texts.ts'

/** Have fields of their own on the page. */
const OWN_FIELDS = new Set(['schedule', 'paused', 'account', 'token', 'token_file'])

const LANGUAGES = [
  ['German', german],
  ['Japanese', japanese],
] as const

test.each(LANGUAGES)('%s has every text of the connectors that pages show', async (_, texts) => {
  const { described } = await shownTexts()
  expect(described.filter((key) => texts[key] === undefined)).toEqual([])
})

test.each(LANGUAGES)('%s has no text that connectors no longer have', async (_, texts) => {
  const { described, titles } = await shownTexts()
  const known = new Set([...described, ...titles])
  expect(Object.keys(texts).filter((key) => !known.has(key))).toEqual([])
})

test.each(LANGUAGES)('%s keeps what settings and addresses are called', (_, texts) => {
  const marks = (text: string) => (text.match(/\{url\}|`[^`]*`|\["[^\]]*"\]/g) ?? []).filter(isName).toSorted()
  for (const [english, translation] of Object.entries(texts)) expect(marks(translation)).toEqual(marks(english))
})

test('keeps the addresses of a text that is translated', () => {
  const texts = { 'Open {url} and copy it; see {url}.': 'Öffne {url} und kopiere es; siehe {url}.' }
  expect(translateText(texts, 'Open https://acme.test/a?b=1 and copy it; see https://acme.test/help.')).toBe(
    'Öffne https://acme.test/a?b=1 und kopiere es; siehe https://acme.test/help.',
  )
})

test('leaves a text of a connector package in English', () => {
  expect(translateText(german, 'Letters from a lighthouse.')).toBe('Letters from a lighthouse.')
})

/** Texts that need a translation, and titles and APIs, of which most are names. */
async function shownTexts() {
  const providers = await Promise.all(Object.values(PROVIDERS).map((load) => load()))
  const connectors = await Promise.all(Object.values(CONNECTORS).map((load) => load()))
  const views = connectors.map((connector) => wireConnector(connector, providers))
  const titles = [
    ...[...views, ...providers.flatMap(({ families }) => families)].map(({ title }) => title),
    ...views.map(({ about }) => about.api),
  ]
  const described = [
    ...views.flatMap(({ summary, token_steps, needs, about, part_noun: noun }) => [
      ...[summary, about.item, about.removed, about.limits, noun.one, noun.many, ...token_steps],
      // Others are described by their steps.
      ...(token_steps.length === 0 ? [needs] : []),
    ]),
    ...connectors.flatMap(({ manifest }) =>
      settingFields(manifest)
        .filter(({ name }) => !OWN_FIELDS.has(name))
        .map(({ about }) => about),
    ),
    ...providers.flatMap(({ clientSteps }) => clientSteps.map((step) => (typeof step === 'string' ? step : step.app))),
  ]
  const keys = new Set(described.filter((text) => text !== '' && text !== '-').map(textKey))
  return { described: [...keys], titles }
}

/** Words between backticks that a reader sees as a sentence are not names. */
function isName(mark: string): boolean {
  return !mark.includes(' < ')
}
