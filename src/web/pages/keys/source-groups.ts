import type { SourceType } from '../../../http/app/schemas/sources.ts'
import { messages } from './messages.ts'

/** Source types grouped for selection, in display order. */
const GROUP_OF = {
  text: 'files',
  pdf: 'files',
  technical_docs: 'files',
  weekly_updates: 'files',
  gdocs: 'files',
  'ms-onedrive': 'files',
  'ms-sharepoint': 'files',
  email: 'mail',
  calendar: 'mail',
  contacts: 'mail',
  'ms-outlook': 'mail',
  'ms-calendar': 'mail',
  slack: 'chat',
  'ms-teams': 'chat',
  google_meets: 'chat',
  github: 'code',
  claude_code: 'code',
  codex: 'code',
  cursor: 'code',
  vscode: 'code',
  asana: 'tasks',
  tasks: 'tasks',
  browser: 'life',
  stream: 'life',
  youtube: 'life',
  books: 'life',
  photos: 'life',
  fit: 'life',
} as const satisfies Record<SourceType, string>

/** Each group with its source types. */
export const SOURCE_GROUPS = [...new Set(Object.values(GROUP_OF))].map((group) => ({
  title: messages.groups[group],
  sources: (Object.keys(GROUP_OF) as SourceType[]).filter((source) => GROUP_OF[source] === group),
}))
