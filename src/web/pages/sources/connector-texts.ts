import type { Grants } from '../../../http/app/schemas/grants.ts'
import type {
  ConnectionDetail,
  Connector,
  Field,
  FieldList,
  PartNoun,
  Sources,
} from '../../../http/app/schemas/sources.ts'
import { currentLanguage, type Language } from '../../languages/catalog.ts'

type Texts = Readonly<Record<string, string>>

/** Not part of the catalog, because only pages of sources show them. */
const TEXTS: Readonly<Record<Exclude<Language, 'en'>, () => Promise<Texts>>> = {
  de: async () => (await import('../../languages/de/connectors/connector-texts.ts')).connectorTexts,
  ja: async () => (await import('../../languages/ja/connectors/connector-texts.ts')).connectorTexts,
}

/** Writes a text of a connector in the language of the page. */
type TranslateText = (english: string) => string

const ADDRESS = /https?:\/\/[^\s"),;]*[^\s"),;.]/g

/** The name of a text in the translations: without its addresses, which stay as they are. */
export function textKey(english: string): string {
  return english.replaceAll(ADDRESS, '{url}')
}

/** Translates a text with these; one that they don't have, such as that of a connector package, stays English. */
export function translateText(texts: Texts, english: string): string {
  const translation = texts[textKey(english)]
  if (translation === undefined) return english
  const addresses = english.match(ADDRESS) ?? []
  let next = 0
  return translation.replaceAll('{url}', () => addresses[next++] ?? '')
}

/** @returns `undefined` on English pages, and while the texts can't be loaded */
async function loadTexts(): Promise<TranslateText | undefined> {
  const language = currentLanguage()
  if (language === 'en') return undefined
  const texts = await TEXTS[language]().catch(() => undefined)
  return texts && ((english) => translateText(texts, english))
}

/** Connections and connectors with their texts in the language of the page. */
export async function translatedSources(sources: Sources): Promise<Sources> {
  const translate = await loadTexts()
  if (translate === undefined) return sources
  return {
    ...sources,
    connectors: sources.connectors.map((connector) => inLanguage(connector, translate)),
    connections: sources.connections.map((connection) => named(connection, translate)),
  }
}

/** A connection with its texts in the language of the page. */
export async function translatedConnection(detail: ConnectionDetail): Promise<ConnectionDetail> {
  const translate = await loadTexts()
  if (translate === undefined) return detail
  return { ...named(detail, translate), fields: describedFields(detail.fields, translate) }
}

/** Settings with their descriptions in the language of the page. */
export async function translatedFields({ fields }: FieldList): Promise<FieldList> {
  const translate = await loadTexts()
  return { fields: translate === undefined ? fields : describedFields(fields, translate) }
}

/** Providers with their instructions in the language of the page. */
export async function translatedGrants(grants: Grants): Promise<Grants> {
  const translate = await loadTexts()
  if (translate === undefined) return grants
  return {
    ...grants,
    grants: grants.grants.map((grant) => ({ ...grant, family_title: translate(grant.family_title) })),
    providers: grants.providers.map((provider) => ({
      ...provider,
      client_steps: provider.client_steps.map(translate),
      families: provider.families.map((family) => ({ ...family, title: translate(family.title) })),
    })),
  }
}

interface Named {
  readonly title: string
  readonly part_noun: PartNoun
}

function named<One extends Named>(one: One, translate: TranslateText): One {
  const { one: single, many } = one.part_noun
  return { ...one, title: translate(one.title), part_noun: { one: translate(single), many: translate(many) } }
}

function inLanguage(connector: Connector, translate: TranslateText): Connector {
  const { summary, needs, token_steps: steps, about } = connector
  return {
    ...named(connector, translate),
    summary: translate(summary),
    needs: translate(needs),
    token_steps: steps.map(translate),
    about: {
      item: translate(about.item),
      removed: translate(about.removed),
      api: translate(about.api),
      limits: translate(about.limits),
    },
  }
}

function describedFields(fields: readonly Field[], translate: TranslateText): Field[] {
  return fields.map((field) => ({ ...field, about: translate(field.about) }))
}
