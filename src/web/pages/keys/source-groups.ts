import type { ApiKey } from '../../../http/app/schemas/keys.ts'

type SourceType = Exclude<ApiKey['sources'], 'all'>[number]

/** Source types that belong together, for choosing among them. Each stands in one group. */
export const SOURCE_GROUPS: readonly { readonly title: string; readonly sources: readonly SourceType[] }[] = [
  {
    title: 'Files and notes',
    sources: ['text', 'pdf', 'technical_docs', 'weekly_updates', 'gdocs', 'ms-onedrive', 'ms-sharepoint'],
  },
  { title: 'Mail, calendar and people', sources: ['email', 'calendar', 'contacts', 'ms-outlook', 'ms-calendar'] },
  { title: 'Chat and meetings', sources: ['slack', 'ms-teams', 'google_meets'] },
  { title: 'Code and agents', sources: ['github', 'claude_code', 'codex', 'cursor', 'vscode'] },
  { title: 'Tasks', sources: ['asana', 'tasks'] },
  { title: 'Web and life', sources: ['browser', 'stream', 'youtube', 'books', 'photos', 'fit'] },
]
