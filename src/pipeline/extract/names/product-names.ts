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
/** Numbered things that are not products. */
const NUMBERED =
  /^(?:Flight|Gate|Room|Seat|Terminal|Figure|Table|Unit|Building|Section|Version|Appendix|Annex|Platform|Bus|Line|Level|Floor|Zimmer|Raum|Gleis|Linie|Tor|Halle|Block|Haus|Vol|Vuelo|Sala|Salle|Train|Zug|Autobahn|Route|Highway|Exit|Booth|Stand|Phase|Step|Task|Ticket|Issue|Q|Week|Grade|Class|Klasse|Team|Group|Row|Zone|Sector|Bay|Ward|Study|Model|Type|Track|Layer|Slide|Page|Chapter|Grundstück|Apt|Apartment|Suite|Depto|Piso|No|Nr)$/i

/** Whether a name is a product: a known one, or a maker with a model (`Lumen X200`). */
export function isNamedLikeAProduct(words: readonly string[]): boolean {
  if (KNOWN.has(words.join(' '))) return true
  const [first = '', ...others] = words
  const last = others.at(-1) ?? ''
  return others.length >= 1 && MODEL.test(last) && !NUMBERED.test(words.at(-2) ?? '') && !/^[A-Z]{1,3}$/.test(first)
}
