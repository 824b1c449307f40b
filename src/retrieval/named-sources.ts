import type { SourceType } from '../domain/source-type.ts'

const NAMES: readonly (readonly [RegExp, readonly SourceType[]])[] = [
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

/**
 * The sources that a question names as the place to look: `in slack`, `from my email`, `emails from Ann`, `slack messages`.
 * A hint for the ranking, not a filter: `How do I post in Slack?` may be answered by a document. Empty when there is none.
 */
export function findNamedSources(text: string): readonly SourceType[] {
  const lower = text.toLowerCase()
  for (const [name, sources] of NAMES) {
    const placed = new RegExp(
      `\\b(?:in|on|from|via|over|through|by)\\s+(?:(?:my|the|our|an?)\\s+)?(?:${name.source})\\b`,
    )
    const described = new RegExp(
      `\\b(?:${name.source})\\s+(?:messages?|threads?|dms?|channels?|conversations?|from|sent|issues?|comments?|sessions?|events?|tasks?|about|with|regarding)\\b`,
    )
    if (placed.test(lower) || described.test(lower)) return sources
  }
  return []
}
