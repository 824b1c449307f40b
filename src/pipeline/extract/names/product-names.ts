import { isListed } from './name-lists.ts'

/** Well-known products with unambiguous names. */
const KNOWN: ReadonlySet<string> = new Set(
  (
    'iPhone|iPad|MacBook|AirPods|Apple Watch|Kindle|PlayStation|Xbox|Nintendo Switch|ThinkPad|Chromebook|Galaxy Watch|Raspberry Pi|GoPro|Fitbit|Thermomix|' +
    'Windows|macOS|Android|Ubuntu|Photoshop|Illustrator|InDesign|Lightroom|Figma|Excel|PowerPoint|OneDrive|SharePoint|Google Docs|Google Sheets|Google Maps|Google Drive|' +
    'Jira|Confluence|Notion|Trello|Airtable|Obsidian|Grafana|Prometheus|PostgreSQL|Postgres|MySQL|SQLite|MongoDB|Redis|Elasticsearch|Kubernetes|Docker|Terraform|Ansible|AutoCAD|SketchUp|Salesforce|HubSpot|QuickBooks|Shopify|WordPress|Zapier|Ableton Live|Logic Pro'
  ).split('|'),
)
/** `V200W`, `X1`, `WH-1000XM5`: letters and digits of a model. */
const MODEL = /^(?=.*\d)(?![QHPTVWKS]\d{1,2}$|FY|KW)(?:[A-Z]{1,5}-?\d{1,5}[A-Z]{0,3}\d?|\d{1,4}[A-Z]{1,3})$/
/** `VP-50`: a model, where it is no ticket. */
const MODEL_CODE = /^[A-Z]{2}-\d{2}[A-Z]?$/
/** Numbered things that are not products. */
const NUMBERED =
  /^(?:Flight|Gate|Room|Seat|Terminal|Figure|Table|Unit|Building|Section|Version|Appendix|Annex|Platform|Bus|Line|Level|Floor|Zimmer|Raum|Gleis|Linie|Tor|Halle|Block|Haus|Vol|Vuelo|Sala|Salle|Train|Zug|Autobahn|Route|Highway|Exit|Booth|Stand|Phase|Step|Task|Ticket|Issue|Q|Week|Grade|Class|Klasse|Team|Group|Row|Zone|Sector|Bay|Ward|Study|Model|Type|Track|Layer|Slide|Page|Chapter|Grundstück|Apt|Apartment|Suite|Depto|Piso|No|Nr|Order|Invoice|Booking|Confirmation|Reference|Receipt|Contract|Rechnung|Bestellung|Angebot|Lieferschein|Vertrag|Auftrag|Auftragsbestätigung|Commande|Facture|Devis|Pedido|Factura|Reserva|IBAN|BIC|SWIFT|Year|Coach|Plot|Plots|Sheet|Lot|Position|Pos|TOP|Punkt)$/i

/** Whether a name is a product: a known one, or a maker with a model (`Lumen X200`). */
export function isNamedLikeAProduct(words: readonly string[]): boolean {
  const name = words.join(' ')
  if (KNOWN.has(name) || isListed('products', name) || MODEL_CODE.test(name)) return true
  const [first = '', ...others] = words
  const last = others.at(-1) ?? ''
  // "Redis 8", "Postgres 17.2", "Visual Studio 2015"
  const unnumbered = words.slice(0, -1).join(' ')
  if (/^\d/.test(last) && (KNOWN.has(unnumbered) || isListed('products', unnumbered))) return true
  return others.length >= 1 && MODEL.test(last) && !NUMBERED.test(words.at(-2) ?? '') && !/^[A-Z]{1,3}$/.test(first)
}
