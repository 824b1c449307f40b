/** A connector in a question, and the question without the words for it. */
export interface NamedConnector {
  readonly id: string
  readonly rest: string
}

/** Only connectors whose source types say less than they do; `questionFilters` knows the others. */
const NAMES: readonly (readonly [string, RegExp])[] = [
  ['notion', /notion(?! (?:of|that)\b)/i],
  ['confluence', /confluence/i],
  ['jira', /jira/i],
  ['gitlab', /gitlab/i],
  ['zoom', /Zoom/],
  ['obsidian', /obsidian/i],
  ['whatsapp', /whats ?app/i],
  ['telegram', /telegram/i],
  ['imessage', /imessage/i],
  ['chatgpt', /chat ?gpt/i],
  ['gemini_cli', /gemini cli/i],
  ['opencode', /opencode/i],
  // Common words unless they are names.
  ['linear', /Linear/],
  ['signal', /Signal/],
]
const ITEMS =
  'pages?|notes?|docs?|documents?|issues?|tickets?|tasks?|comments?|messages?|chats?|groups?|conversations?|threads?|merge requests?|vault|wiki|boards?|projects?|spaces?|databases?|sessions?'
const SAYS = 'says?|said|mentions?|states?|has|have|contains?|knows?'
/** The patterns of each connector, built once. Each form keeps its first group, if it has one. */
const CONNECTORS = NAMES.map(([id, { source: name, flags }]) => ({
  id,
  name: new RegExp(`\\b${name}\\b`, flags),
  forms: [
    `\\b(?:in|on|from|via|over|through|within|according\\s+to)\\s+(?:(?:my|the|our)\\s+)?${name}(?:\\s+(?:${ITEMS}))?\\b`,
    `\\b${name}\\s+((?:${ITEMS})\\b)`,
    `\\b(?:(?:do|does|did)\\s+)(?:my|the|our)?\\s*${name}\\s+((?:${SAYS})\\b)`,
    `\\b${name}\\s+((?:${SAYS})\\b)`,
  ].map((form) => new RegExp(form, flags)),
}))
/** A question about how to use it, which any source may explain. */
const ASKS_HOW = /^\W*(?:how\s+(?:do|can|could|should|would|to)|can\s+(?:i|we|you))\b/i

/** `in Notion`, `on WhatsApp`, `Jira tickets`, `what does Confluence say`, `according to Linear`. */
export function namedConnector(text: string): NamedConnector | undefined {
  if (ASKS_HOW.test(text)) return undefined
  for (const { id, name, forms } of CONNECTORS) {
    if (!name.test(text)) continue
    for (const form of forms) {
      const found = form.exec(text)
      if (found === null) continue
      const [whole, kept = ''] = found
      const rest = `${text.slice(0, found.index)}${kept}${text.slice(found.index + whole.length)}`
      return { id, rest: rest.replace(/\s+/g, ' ').trim() }
    }
  }
  return undefined
}
