import type { SourceType } from '../../domain/source-type.ts'
import type { ItemChunks } from '../../store/search/search.ts'

export interface ConnectorFilter extends ItemChunks {
  readonly id: string
}

/** The filters in a question, apart from its subject. */
export interface QuestionFilters {
  /** Sources in the question; empty if there are none. */
  readonly sources: readonly SourceType[]
  /** Required (`emails from Priya`) if they have any results; otherwise they only rank higher. */
  readonly isRequired: boolean
  /** The connector in the question, with what it brought; only one that brought something. */
  readonly connector?: ConnectorFilter
  /** The author or speaker. */
  readonly person: string | undefined
  /** The question without the words of required sources. */
  readonly rest: string
}

export const NO_FILTERS = { sources: [], isRequired: false, person: undefined } as const

const SOURCE_NAMES: readonly (readonly [RegExp, readonly SourceType[]])[] = [
  [/slack/, ['slack']],
  [/e-?mails?|mails?|gmail|inbox/, ['email', 'ms-outlook']],
  [/outlook/, ['ms-outlook', 'ms-calendar', 'email']],
  [/github|pull requests?|prs?/, ['github']],
  [/(?:my |the |our )?calendar/, ['calendar', 'ms-calendar']],
  [/asana/, ['asana']],
  [/(?:microsoft |ms )?teams/, ['ms-teams']],
  [/sharepoint/, ['ms-sharepoint']],
  [/onedrive/, ['ms-onedrive']],
  [/google docs?|gdocs?/, ['gdocs']],
  [/pdfs?/, ['pdf']],
  [/claude code/, ['claude_code']],
  [/cursor/, ['cursor']],
  [/codex/, ['codex']],
  [/vs ?code/, ['vscode']],
  [/(?:my )?browser(?: history)?/, ['browser']],
  [/google meet|meetings?|meeting notes|transcripts?/, ['google_meets']],
  [/youtube/, ['youtube']],
  [/weekly updates?/, ['weekly_updates']],
]
const OF_SOURCE =
  'messages?|threads?|dms?|channels?|conversations?|from|by|sent|issues?|comments?|sessions?|events?|tasks?|about|with|regarding'
/** A word for a collection at the start: the question asks for its items. */
const LISTS = /^\W*(?:(?:show|find|list|give)\s+(?:me\s+)?)?(?:all\s+)?(?:the\s+|my\s+)?/.source
/** The patterns of each source, built once: building them took longer than the tests. */
const SOURCES = SOURCE_NAMES.map(([{ source: name }, sources]) => ({
  sources,
  listed: new RegExp(`${LISTS}(?:${name})\\s+(?:${OF_SOURCE})\\b`),
  named: new RegExp(`(?:${name})`),
  placed: new RegExp(
    `\\b(?:in|on|from|via|over|through|by)\\s+(?:(?:my|the|our|an?)\\s+)?(?:${name})\\b|\\b(?:${name})\\s+(?:${OF_SOURCE})\\b`,
  ),
}))
const PERSON = /\b(?:from|by)\s+((?:\p{Lu}[\p{L}\p{M}'’.-]*)(?:\s+\p{Lu}[\p{L}\p{M}'’.-]*){0,2})/u

/**
 * The sources and the person in a question: `in slack`, `from my email`, `emails from Ann`, `slack messages`. A hint
 * for the ranking unless the question asks for items of the source: `How do I post in Slack?` may be answered by a
 * document.
 */
export function questionFilters(text: string): QuestionFilters {
  const lower = text.toLowerCase()
  for (const { sources, listed, named, placed } of SOURCES) {
    if (listed.test(lower)) {
      const name = named.exec(lower)!
      const rest = text.slice(name.index + name[0].length).trim()
      return { sources, isRequired: true, person: PERSON.exec(text)?.[1], rest }
    }
    if (placed.test(lower)) return { sources, isRequired: false, person: undefined, rest: text }
  }
  return { ...NO_FILTERS, rest: text }
}
