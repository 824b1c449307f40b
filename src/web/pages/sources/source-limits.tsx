import type { Sources } from '../../../app-api/wire/sources.ts'
import { Note } from '../../ui/notices.tsx'

/** Why the viewer sees no connections, may not change them, or cannot run them from here; nothing where all of it works. */
export function SourceLimits({ sources }: { readonly sources: Sources }) {
  const { memory_of_other: isOfOther, editable, why_not_editable: why, runs_here: runsHere } = sources
  if (isOfOther)
    return (
      <Note>
        {why ?? 'What is connected to this server fills the memory of another account, so its sources are shown there.'}
      </Note>
    )
  return (
    <>
      {!editable && why !== null && <Note>{why}</Note>}
      {!runsHere && sources.why_not_here !== null && <Note>{sources.why_not_here}</Note>}
    </>
  )
}
