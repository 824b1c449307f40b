import type { SourceType } from '../../../http/app/schemas/sources.ts'

/** Source types grouped for selection, in display order. */
const GROUP_OF = {
  text: 'Files and notes',
  pdf: 'Files and notes',
  technical_docs: 'Files and notes',
  weekly_updates: 'Files and notes',
  gdocs: 'Files and notes',
  'ms-onedrive': 'Files and notes',
  'ms-sharepoint': 'Files and notes',
  email: 'Mail, calendar and people',
  calendar: 'Mail, calendar and people',
  contacts: 'Mail, calendar and people',
  'ms-outlook': 'Mail, calendar and people',
  'ms-calendar': 'Mail, calendar and people',
  slack: 'Chat and meetings',
  'ms-teams': 'Chat and meetings',
  google_meets: 'Chat and meetings',
  github: 'Code and agents',
  claude_code: 'Code and agents',
  codex: 'Code and agents',
  cursor: 'Code and agents',
  vscode: 'Code and agents',
  asana: 'Tasks',
  tasks: 'Tasks',
  browser: 'Web and life',
  stream: 'Web and life',
  youtube: 'Web and life',
  books: 'Web and life',
  photos: 'Web and life',
  fit: 'Web and life',
} as const satisfies Record<SourceType, string>

/** Each group with its source types. */
export const SOURCE_GROUPS = [...new Set(Object.values(GROUP_OF))].map((title) => ({
  title,
  sources: (Object.keys(GROUP_OF) as SourceType[]).filter((source) => GROUP_OF[source] === title),
}))
