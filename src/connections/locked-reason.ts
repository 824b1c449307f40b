import type { Viewer } from '../service/viewer.ts'
import type { SourcesContext } from './sources-context.ts'

/** Why this person cannot change sources here. */
export function lockedReason({ settings }: SourcesContext, { isAdmin }: Viewer): string | undefined {
  if (!isAdmin) return 'Only administrators of this server connect and change sources.'
  return settings.lockedReason()
}
