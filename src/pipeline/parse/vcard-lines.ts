/** A line of a vCard. */
export interface CardProperty {
  /** In lower case, without its group. */
  readonly name: string
  /** The parts of a structured value, or the values of a list. */
  readonly values: readonly string[]
  /** e.g. `home`, in lower case. */
  readonly types: readonly string[]
  /** @param name in lower case; `group` is what precedes the property's name */
  parameter(name: string): string | undefined
}

const LONGEST_NAME = 100
const LONGEST_LABEL = 30

/** The name that is shown; without one, an organization, nickname or address. */
export function contactName(properties: readonly CardProperty[]): string | undefined {
  const valuesOf = (name: string) =>
    properties.find((each) => each.name === name && each.values.some((value) => value !== ''))?.values
  const [family, given, additional, prefix, suffix] = valuesOf('n') ?? []
  const name = [
    valuesOf('fn')?.[0],
    [prefix, given, additional, family, suffix].filter((part) => part).join(' '),
    ...['org', 'nickname', 'email', 'tel'].map((each) => valuesOf(each)?.[0]),
  ].find((each) => each)
  return name?.replace(/\s+/g, ' ').slice(0, LONGEST_NAME).trim()
}

/** A line for each detail, in the form and order of Google Contacts. */
export function contactLines(properties: readonly CardProperty[], name: string | undefined): string[] {
  const labels = groupLabels(properties)
  const lines = WRITERS.flatMap(([property, write]) =>
    properties.filter((each) => each.name === property).flatMap((each) => write(each, typeOf(each, labels))),
  )
  const all = [...aliasLines(properties, name), ...workLines(properties, name), ...lines]
  return [...new Set(all.filter((line) => line !== undefined))]
}

/** `1,500 euros`, but `neighbor, has a key` */
function withComma(text: string, next: string): string {
  return `${text},${/\d$/.test(text) && /^\d/.test(next) ? '' : ' '}${next}`
}

type Line = string | undefined

/** @param type as people name it: `home`, `mobile` */
type Write = (property: CardProperty, type: string | undefined) => Line | readonly Line[]

const WRITERS: readonly (readonly [property: string, write: Write])[] = [
  ['gender', genderLine],
  ['role', ({ values }) => line('Occupation', values[0])],
  ['email', (property, type) => line(labelled('Email', type), plainAddress(property))],
  ['tel', (property, type) => line(labelled('Phone', type), plainAddress(property))],
  ['adr', (property, type) => line(labelled('Address', type), postalAddress(property))],
  ['bday', (property) => line('Birthday', writtenDay(property))],
  ['anniversary', (property) => line('Anniversary', writtenDay(property))],
  ['x-abdate', (property, type) => line(capitalized(type ?? 'Event'), writtenDay(property))],
  ['related', relationLine],
  ['x-abrelatednames', relationLine],
  ['agent', agentLine],
  ['impp', chatLine],
  ['x-socialprofile', (property, type) => line(labelled('Web', type), plainAddress(property))],
  ['url', (property, type) => line(labelled('Web', type), plainAddress(property))],
  ['categories', ({ values }) => line('Groups', values.filter((value) => !DEFAULT_GROUPS.test(value)).join(', '))],
  // Many programs don't escape the commas of a text.
  ['note', ({ values }) => line('Notes', values.reduce(withComma))],
]
/** The group of all contacts, and of favorites. */
const DEFAULT_GROUPS = /^(?:mycontacts|starred)$/i

function line(label: string, value: string | undefined): Line {
  const parts = (value ?? '').split('\n').map((part) => part.trim())
  const text = parts.filter((part) => part !== '').join(label === 'Notes' ? '\n' : ', ')
  return text === '' ? undefined : `${label}: ${text}`
}

/** `F`, with or without words of its own: `O;intersex`. */
function genderLine({ values }: CardProperty): Line {
  const [sex = '', words = ''] = values.join(';').split(';')
  return line('Gender', words || GENDERS[sex.toUpperCase()])
}
const GENDERS: Readonly<Record<string, string>> = { F: 'female', M: 'male', O: 'other' }

function labelled(label: string, type: string | undefined): string {
  return type === undefined ? label : `${label} (${type.toLowerCase()})`
}

function aliasLines(properties: readonly CardProperty[], name: string | undefined): Line[] {
  return properties.flatMap((property) => {
    const { values } = property
    if (property.name === 'fn' && values[0] !== name) return line('Also called', values[0])
    if (property.name === 'nickname') return values.map((value) => line('Nickname', value))
    // Android writes version 2.1, which has no nicknames.
    return property.name === 'x-android-custom' ? line('Nickname', ANDROID_NICKNAME.exec(values[0] ?? '')?.[1]) : []
  })
}
const ANDROID_NICKNAME = /^vnd\.android\.cursor\.item\/nickname;([^;]*)/

/** An organization is followed by its departments. */
function workLines(properties: readonly CardProperty[], name: string | undefined): Line[] {
  const employers = properties
    .filter((each) => each.name === 'org')
    .map(({ values: [organization = '', ...departments] }) =>
      [...departments, organization].filter((part) => part !== '').join(', '),
    )
  const titles = properties
    .filter((each) => each.name === 'title')
    .flatMap(({ values: [title = ''] }) => (title === '' ? [] : title))
  const known = employers.filter((each) => each !== '' && each !== name)
  // With as many titles as employers, they belong together in their order; otherwise only the first ones surely do.
  const isPaired = titles.length === known.length
  const works = titles.map((title, i) => {
    const employer = isPaired || i === 0 ? known[i] : undefined
    return line('Works as', employer === undefined ? title : `${title} at ${employer}`)
  })
  return [
    ...works,
    ...known.slice(isPaired ? titles.length : Math.min(titles.length, 1)).map((other) => line('Works at', other)),
  ]
}

/** The labels that Apple and Google write on a line of their own: `item1.X-ABLabel:_$!<Mother>!$_`. */
function groupLabels(properties: readonly CardProperty[]): ReadonlyMap<string, string> {
  const labels = properties.filter((each) => each.name === 'x-ablabel')
  return new Map(
    labels.flatMap((each) => {
      const label = labelText(each.values[0] ?? '')
      const group = each.parameter('group')
      return group === undefined || label === '' ? [] : [[group, label] as const]
    }),
  )
}

function typeOf({ types, parameter }: CardProperty, labels: ReadonlyMap<string, string>): string | undefined {
  const label = labels.get(parameter('group') ?? '')
  if (label !== undefined) return label
  const shown = types.filter((type) => !UNSHOWN.has(type)).map((type) => TYPE_NAMES[type] ?? type)
  return labelText(shown.join(' ')) || undefined
}
const UNSHOWN = new Set(
  'pref voice internet msg text video x400 dom intl postal parcel quoted-printable 8bit'.split(' '),
)
const TYPE_NAMES: Readonly<Record<string, string>> = { cell: 'mobile', iphone: 'mobile' }

/** Letters and digits of `_$!<HomeFAX>!$_`, as words. */
function labelText(source: string): string {
  return source
    .slice(0, LONGEST_LABEL)
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .replace(/[^\p{L}\p{M}\p{N}&'’/-]+/gu, ' ')
    .trim()
}

/** Without the scheme of version 4.0. */
function plainAddress({ values }: CardProperty): string | undefined {
  return values[0]?.replace(/^(?:tel|mailto):/i, '')
}

function postalAddress({ values, parameter }: CardProperty): string | undefined {
  return values.filter((part) => part !== '').join(', ') || parameter('label')
}

/** `1947-03-14`, without a year `--03-14`; other texts stay as they are. */
function writtenDay({ values: [day = ''], parameter }: CardProperty): string {
  const [, year, month, date] = /^(\d{4}|--?)-?(\d\d)-?(\d\d)(?:T.*)?$/i.exec(day) ?? []
  if (year === undefined) return day
  const isYearless = year.startsWith('-') || year === parameter('x-apple-omit-year')
  return `${isYearless ? '-' : year}-${month}-${date}`
}

/** An id of another card has no words. */
function relationLine({ values: [name = ''] }: CardProperty, type: string | undefined): Line {
  return /^urn:/i.test(name) ? undefined : line(capitalized(type ?? 'Relation'), name)
}

/** A name, or in version 3.0 a whole card in one value. */
function agentLine({ values }: CardProperty): Line {
  const value = values.join(',')
  const name = /\bBEGIN:VCARD\b/i.test(value) ? /^FN[^:\n]{0,100}:(.+)$/im.exec(value)?.[1] : value
  return name === undefined || /^[a-z]{2,10}:\S+$/i.test(name) ? undefined : line('Agent', name)
}

/** `xmpp:ann@example.org`, in version 3.0 with the parameter X-SERVICE-TYPE. */
function chatLine({ values: [address = ''], parameter }: CardProperty): Line {
  const [scheme, rest = address] = /^([a-z][a-z-]{1,20}):(.+)$/is.exec(address)?.slice(1) ?? []
  const service = labelText(parameter('x-service-type') ?? (scheme === 'xmpp' ? 'Jabber' : (scheme ?? '')))
  return line(capitalized(service || 'Chat'), rest)
}

function capitalized(label: string): string {
  return label.charAt(0).toUpperCase() + label.slice(1)
}
