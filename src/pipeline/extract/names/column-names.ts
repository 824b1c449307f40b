import type { TypedName } from './name-types.ts'
import { isGivenName } from './person-names.ts'

/** The type of names in a column or after a label. */
const LABELS: readonly (readonly [TypedName['type'], RegExp])[] = [
  [
    'organization',
    /^(?:suppliers?|vendors?|company|companies|merchants?|shops?|stores?|sellers?|manufacturers?|employers?|carriers?|airlines?|hotels?|banks?|clients?|lieferant(?:en)?|anbieter|händler|firma|firmen|hersteller|auftraggeber|verkäufer|fournisseurs?|entreprise|société|vendeur|transporteur|proveedor(?:es)?|empresa|vendedor|tienda|aerolínea|供应商|供應商|商家|公司|仕入先|取引先|会社|業者)$/iu,
  ],
  [
    'person',
    /^(?:name|person|owner|responsible|assignee|contact|guest|member|participant|passengers?|attendees|verantwortlich|zuständig|ansprechpartner(?:in)?|leitung|teilnehmer(?:in)?|mitglied|nom|responsable|passagers?|pasajeros?|nombre|encargad[oa]|负责人|姓名|担当|担当者|氏名)$/iu,
  ],
  [
    'place',
    /^(?:city|town|place|location|venue|ort|stadt|treffpunkt|veranstaltungsort|lieu|ville|ciudad|lugar|地点|城市|場所|会場)$/iu,
  ],
]
const LINE = /^[ \t]*(?:[-*+•] )?\*{0,2}(\p{L}[\p{L} ]{1,20}?)\*{0,2}[:：]\*{0,2}[ \t]*([^\n|]{2,80})$/gmu
const CELLS = /^[ \t]*\|(.+)\|[ \t]*$/
const RULE = /^[ \t]*\|[ \t:|-]+\|[ \t]*$/
const NAME =
  /^(?:\p{Lu}[\p{L}\p{N}&.'’-]*(?: (?:&|of|the|de|del|von|van|der|\p{Lu}[\p{L}\p{N}&.'’-]*)){0,5}|[\p{Script=Han}\p{Script=Katakana}ー]{2,14})$/u

/** Names in table columns and after labels that state their type: `| Supplier |`, `Hotel: Pension Elbe`. */
export function columnNames(text: string): TypedName[] {
  const found: TypedName[] = []
  for (const [, label = '', value = ''] of text.matchAll(LINE)) {
    const type = labelledType(label)
    for (const part of value.split(/[,;、]/)) add(found, part, type)
  }
  if (text.includes('|')) addCells(text.split('\n'), found)
  return found
}

function addCells(lines: readonly string[], found: TypedName[]): void {
  let types: (TypedName['type'] | undefined)[] = []
  lines.forEach((line, i) => {
    const cells = CELLS.exec(line)?.[1]?.split('|')
    if (cells === undefined) types = []
    else if (RULE.test(lines[i + 1] ?? '')) types = cells.map((cell) => labelledType(cell))
    else if (!RULE.test(line)) for (const [column, cell] of cells.entries()) add(found, cell, types[column])
  })
}

function labelledType(label: string): TypedName['type'] | undefined {
  const bare = label.replaceAll('*', '').trim()
  return LABELS.find(([, pattern]) => pattern.test(bare))?.[0]
}

function add(found: TypedName[], value: string, type: TypedName['type'] | undefined): void {
  const name = value.replaceAll('*', '').trim()
  if (type === undefined || !NAME.test(name)) return
  // A column "Name" can contain anything.
  if (type === 'person' && !isGivenName(name.split(' ')[0] ?? '') && !/^\p{Script=Han}/u.test(name)) return
  found.push({ name, type })
}
