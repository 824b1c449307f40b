import type { DayEntry } from '../../../http/app/schemas/days.ts'
import type { SourceType } from '../../../http/app/schemas/sources.ts'

/** The parts of a day, in the order in which they are shown. */
export const DAY_GROUPS = ['meetings', 'messages', 'work', 'tasks', 'documents', 'web', 'life'] as const
export type DayGroup = (typeof DAY_GROUPS)[number]

const GROUP_OF: Readonly<Record<SourceType, DayGroup>> = {
  calendar: 'meetings',
  'ms-calendar': 'meetings',
  google_meets: 'meetings',
  email: 'messages',
  'ms-outlook': 'messages',
  slack: 'messages',
  'ms-teams': 'messages',
  contacts: 'messages',
  github: 'work',
  claude_code: 'work',
  codex: 'work',
  cursor: 'work',
  vscode: 'work',
  asana: 'tasks',
  tasks: 'tasks',
  text: 'documents',
  pdf: 'documents',
  technical_docs: 'documents',
  weekly_updates: 'documents',
  gdocs: 'documents',
  'ms-onedrive': 'documents',
  'ms-sharepoint': 'documents',
  browser: 'web',
  stream: 'web',
  youtube: 'web',
  books: 'web',
  photos: 'life',
  fit: 'life',
}

/** The entries of a day by group, each in order of time; only groups with entries. */
export function groupEntries(entries: readonly DayEntry[]): { group: DayGroup; entries: DayEntry[] }[] {
  const byGroup = Map.groupBy(entries, ({ source }) => GROUP_OF[source])
  return DAY_GROUPS.flatMap((group) => {
    const found = byGroup.get(group)
    return found === undefined ? [] : [{ group, entries: found }]
  })
}
