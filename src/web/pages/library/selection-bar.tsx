import { RotateCw, Trash2, X } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { formatNoun } from '../../ui/formats.ts'
import { ProblemNote } from '../../ui/notices.tsx'
import { ForgetDialog } from './forget-dialog.tsx'
import type { ItemRef } from './library-calls.ts'
import { useReprocess } from './use-item-actions.ts'
import type { Selection } from './use-selection.ts'

/** What can be done with the items that are ticked. */
export function SelectionBar({ selection }: { readonly selection: Selection }) {
  const [forgetting, setForgetting] = useState<readonly ItemRef[]>([])
  const reprocess = useReprocess()
  const { refs } = selection
  return (
    <>
      {reprocess.error !== null && <ProblemNote error={reprocess.error} />}
      {refs.length > 0 && (
        <div
          role="toolbar"
          aria-label="Selected items"
          className="bg-ink text-paper sticky bottom-4 z-20 mx-auto flex w-fit max-w-full flex-wrap items-center gap-2 rounded-xl px-4 py-2 shadow-xl"
        >
          <span className="mr-2 text-sm font-medium" aria-live="polite">
            {formatNoun(refs.length, 'item')} selected
          </span>
          <Button size="small" busy={reprocess.isPending} onClick={() => reprocess.mutate(refs)}>
            <RotateCw aria-hidden />
            Process again
          </Button>
          <Button look="danger" size="small" onClick={() => setForgetting(refs)}>
            <Trash2 aria-hidden />
            Forget
          </Button>
          <Button look="quiet" size="small" className="text-inherit! hover:bg-white/15!" onClick={selection.clear}>
            <X aria-hidden />
            Clear
          </Button>
        </div>
      )}
      <ForgetDialog items={forgetting} onClose={() => setForgetting([])} onForgotten={selection.drop} />
    </>
  )
}
