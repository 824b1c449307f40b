import { calendarWord } from '../../../lib/calendar-names.ts'
import type { TypedName } from './name-types.ts'
import { isGivenName } from './person-names.ts'

/** The type of names in a column or after a label. */
const LABELS: readonly (readonly [TypedName['type'], RegExp])[] = [
  [
    'organization',
    /^(?:suppliers?|vendors?|company|companies|organi[sz]ation|institution|merchants?|shops?|stores?|sellers?|manufacturers?|makers?|brands?|employers?|carriers?|airlines?|hotels?|banks?|insurers?|publishers?|labels?|galler(?:y|ies)|schools?|sponsors?|contractors?|providers?|agency|installers?|lieferant(?:en)?|anbieter|händler|firma|firmen|hersteller|marke|auftraggeber|auftragnehmer|verkäufer|versicherung|verlag|fournisseurs?|prestataires?|entreprise|société|marque|assureur|vendeur|transporteur|proveedor(?:es)?|empresa|marca|vendedor|tienda|aerolínea|aseguradora|供应商|供應商|商家|公司|厂家|品牌|店铺|单位|仕入先|取引先|会社|業者|メーカー|店名|勤務先|販売店)$/iu,
  ],
  [
    'person',
    /^(?:name|who|person|people|present|attending|in attendance|apologies|absent|anwesend|entschuldigt|présente?s?|excusée?s?|asistentes|presentes|personen|personnes|personas|lead|owner|responsible|assignee|assigned to|contact(?: person)?|host|guests?|members?|participants?|passengers?|attendees|speakers?|authors?|artists?|teachers?|trainers?|coach|students?|drivers?|doctor|reviewers?|approvers?|managers?|supervisor|candidates?|applicants?|tenants?|patients?|employees?|wer|verantwortlich(?:e|er)?|zuständig|ansprechpartner(?:in)?|leitung|teilnehmer(?:in)?|mitglied|künstler(?:in)?|autor(?:in)?|referent(?:in)?|fahrer(?:in)?|mieter(?:in)?|patient(?:in)?|kontakt|qui|nom|responsable|contact|passagers?|artiste|auteur|intervenante?|locataire|élève|chauffeur|quién|pasajeros?|nombre|encargad[oa]|contacto|artista|autora?|ponente|profesora?|alumn[oa]|inquilin[oa]|conductora?|负责人|姓名|联系人|成员|学生|老师|讲师|作者|司机|客户|担当|担当者|氏名|お名前|名前|参加者|講師|作者|運転手)$/iu,
  ],
  [
    'place',
    /^(?:city|town|place|locations?|address|where|adresse|dirección|site|venue|station|stop|destination|departure|arrival|places|orte|lieux|lugares|ort|stadt|standort|treffpunkt|veranstaltungsort|ziel|abfahrt|ankunft|lieu|ville|site|destination|départ|arrivée|ciudad|lugar|sede|destino|salida|llegada|地点|城市|地址|目的地|出发地|出发|到达|产地|場所|会場|目的地|出発|到着|産地|拠点)$/iu,
  ],
  [
    'product',
    /^(?:products?|models?|devices?|software|tools?|produkte?|gerät|modell|produit|modèle|logiciel|producto|modelo|equipo|产品|型号|製品|機種|商品名)$/iu,
  ],
  ['project', /^(?:projects?|projekte?|projets?|proyectos?|项目|プロジェクト|案件)$/iu],
]
const LINE = /^[ \t]*(?:[-*+•] )?\*{0,2}(\p{L}[\p{L} ]{1,20}?)\*{0,2}[:：]\*{0,2}[ \t]*([^\n|]{2,80})$/gmu
const SEPARATOR = /[,;、/]| & | (?:and|und|et|y|e) (?=\p{Lu})/u
/** `Rosa Klein (lead)` */
const REMARK = /\s*[(（][^()（）]{0,60}[)）]\s*$/u
const CELLS = /^[ \t]*\|(.+)\|[ \t]*$/
const RULE = /^[ \t]*\|[ \t:|-]+\|[ \t]*$/
const NAME =
  /^(?:\p{Lu}[\p{L}\p{N}&.'’-]*(?: (?:&|of|the|de|del|von|van|der|\p{Lu}[\p{L}\p{N}&.'’-]*)){0,5}|[\p{Script=Han}\p{Script=Katakana}ー]{2,14})$/u

/** Names in table columns and after labels that state their type: `| Supplier |`, `Hotel: Pension Elbe`. */
export function columnNames(text: string): TypedName[] {
  const found: TypedName[] = []
  for (const [, label = '', value = ''] of text.matchAll(LINE)) {
    const type = labeledType(label)
    for (const part of value.split(SEPARATOR)) add(found, part, type, label)
  }
  if (text.includes('|')) addCells(text.split('\n'), found)
  return found
}

function addCells(lines: readonly string[], found: TypedName[]): void {
  let types: (TypedName['type'] | undefined)[] = []
  lines.forEach((line, i) => {
    const cells = CELLS.exec(line)?.[1]?.split('|')
    if (cells === undefined) types = []
    else if (RULE.test(lines[i + 1] ?? '')) types = cells.map((cell) => labeledType(cell))
    else if (!RULE.test(line))
      for (const [column, cell] of cells.entries())
        for (const part of cell.split(SEPARATOR)) add(found, part, types[column], '')
  })
}

function labeledType(label: string): TypedName['type'] | undefined {
  const bare = label.replaceAll('*', '').trim()
  return LABELS.find(([, pattern]) => pattern.test(bare))?.[0]
}

/** Labels of people who were there. */
const PRESENT =
  /^(?:present|attending|attendees|participants|in attendance|apologies|anwesend|teilnehmer|présents?|asistentes)/i

function add(found: TypedName[], value: string, type: TypedName['type'] | undefined, label: string): void {
  const name = value.replaceAll('*', '').replace(REMARK, '').trim()
  // "Arrival: Friday"
  if (type === undefined || !NAME.test(name) || calendarWord(name) !== undefined) return
  // A column "Name" can contain anything, and "Model" a material.
  const isWholeName = PRESENT.test(label) && /^\p{Lu}\p{Ll}+ \p{Lu}\p{L}+$/u.test(name)
  if (type === 'person' && !isWholeName && !isGivenName(name.split(' ')[0] ?? '') && !/^\p{Script=Han}/u.test(name))
    return
  if (type === 'product' && !/\d|\p{Lu}.* \p{Lu}/u.test(name)) return
  found.push({ name, type })
}
