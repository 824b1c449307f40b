import type { Sources } from '../../../http/app/schemas/sources.ts'
import { Note } from '../../ui/notices.tsx'

/** Why the viewer sees no connections or may not change them, and what is wrong with the server; nothing where all is well. */
export function SourceLimits({ sources }: { readonly sources: Sources }) {
  const { memory_of_other: isOfOther, editable, why_not_editable: why, notice } = sources
  if (isOfOther)
    return (
      <Note>
        {why ?? 'What is connected to this server fills the memory of another account, so its sources are shown there.'}
      </Note>
    )
  return (
    <>
      {!editable && why !== null && <Note>{why}</Note>}
      {notice !== null && <Note tone="warn">{notice}</Note>}
    </>
  )
}
