import { type Scope, scopeSources } from '../../domain/scope.ts'
import { SOURCE_TYPES, type SourceType } from '../../domain/source-type.ts'

/** Stored with every chunk in place of the name. Persisted: numbers are never changed or used again. */
const CODES: Readonly<Record<SourceType, number>> = {
  text: 1,
  email: 2,
  pdf: 3,
  stream: 4,
  browser: 5,
  vscode: 6,
  calendar: 7,
  github: 8,
  slack: 9,
  asana: 10,
  claude_code: 11,
  cursor: 12,
  codex: 13,
  google_meets: 14,
  technical_docs: 15,
  weekly_updates: 16,
  gdocs: 17,
  tasks: 18,
  contacts: 19,
  youtube: 20,
  photos: 21,
  books: 22,
  fit: 23,
  'ms-outlook': 24,
  'ms-calendar': 25,
  'ms-teams': 26,
  'ms-onedrive': 27,
  'ms-sharepoint': 28,
}

export function sourceCode(source: SourceType): number {
  return CODES[source]
}

/** @throws Error when no source type has the number */
export function sourceOfCode(code: number): SourceType {
  const source = SOURCE_TYPES.find((each) => CODES[each] === code)
  if (source === undefined) throw new Error(`No source type has the number ${code}`)
  return source
}

/** The source types a statement may touch: those of the scope, cut down to one when a filter names it. */
export function allowedSources(scope: Scope, source?: SourceType): readonly SourceType[] {
  const sources = scopeSources(scope)
  if (source === undefined) return sources
  return sources.includes(source) ? [source] : []
}

/** The same, but `'all'` when nothing is excluded, so that a statement can leave the condition out. */
export function sourceRestriction(scope: Scope, source?: SourceType): 'all' | readonly SourceType[] {
  const sources = allowedSources(scope, source)
  return sources.length === SOURCE_TYPES.length ? 'all' : sources
}
