/** Every `source_type` of the interface, in the order the specification lists them (2.1). */
export const SOURCE_TYPES = [
  'text',
  'email',
  'pdf',
  'stream',
  'browser',
  'vscode',
  'calendar',
  'github',
  'slack',
  'asana',
  'claude_code',
  'cursor',
  'codex',
  'google_meets',
  'technical_docs',
  'weekly_updates',
  'gdocs',
  'tasks',
  'contacts',
  'youtube',
  'photos',
  'books',
  'fit',
  'ms-outlook',
  'ms-calendar',
  'ms-teams',
  'ms-onedrive',
  'ms-sharepoint',
] as const

export type SourceType = (typeof SOURCE_TYPES)[number]

/** What `source_type` is when an upload does not say (specification 2.1). */
export const DEFAULT_SOURCE_TYPE: SourceType = 'text'

/** Source types whose items are those of a tracker, a description with comments, and what one is called. */
const TRACKED: Readonly<Partial<Record<SourceType, 'issue' | 'task'>>> = {
  github: 'issue',
  asana: 'task',
  tasks: 'task',
}

/** `issue` or `task` for an item of a tracker; `undefined` for other source types. */
export function trackedNoun(sourceType: SourceType): 'issue' | 'task' | undefined {
  return TRACKED[sourceType]
}

const EVENTS: ReadonlySet<SourceType> = new Set(['calendar', 'ms-calendar'])

/** Whether its items are events of a calendar. */
export function isEventSource(sourceType: SourceType): boolean {
  return EVENTS.has(sourceType)
}

const KNOWN: ReadonlySet<string> = new Set(SOURCE_TYPES)

export function isSourceType(value: string): value is SourceType {
  return KNOWN.has(value)
}
