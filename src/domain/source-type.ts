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

/** The default `source_type` of an upload (specification 2.1). */
export const DEFAULT_SOURCE_TYPE: SourceType = 'text'

/** Source types with tracker items (a description with comments), and the noun for one. */
const TRACKED: Readonly<Partial<Record<SourceType, 'issue' | 'task'>>> = {
  github: 'issue',
  asana: 'task',
  tasks: 'task',
}

/** The noun for a tracker item: `issue` or `task`; `undefined` for other source types. */
export function trackedNoun(sourceType: SourceType): 'issue' | 'task' | undefined {
  return TRACKED[sourceType]
}

const EVENTS: ReadonlySet<SourceType> = new Set(['calendar', 'ms-calendar'])

/** Sessions of coding agents. */
export const AGENT_SOURCES: ReadonlySet<SourceType> = new Set(['claude_code', 'codex', 'cursor', 'vscode'])

/** Whether its items are calendar events. */
export function isEventSource(sourceType: SourceType): boolean {
  return EVENTS.has(sourceType)
}

const KNOWN: ReadonlySet<string> = new Set(SOURCE_TYPES)

export function isSourceType(value: string): value is SourceType {
  return KNOWN.has(value)
}
