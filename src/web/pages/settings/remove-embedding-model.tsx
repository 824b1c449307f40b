import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { uiMessages } from '../../ui/messages.ts'
import { ProblemNote, Skeleton } from '../../ui/notices.tsx'
import { messages } from './messages.ts'
import { useEmbeddedVectors, useEmbeddingModel } from './settings-calls.ts'

/** Switches back to the built-in model, after stating what that deletes. */
export function RemoveEmbeddingModel() {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button look="danger" onClick={() => setAsking(true)}>
        <Trash2 aria-hidden />
        {messages.removeEmbeddingModel}
      </Button>
      {isAsking && <Confirmation onClose={() => setAsking(false)} />}
    </>
  )
}

function Confirmation({ onClose }: { readonly onClose: () => void }) {
  const { data, error } = useEmbeddedVectors()
  const { remove } = useEmbeddingModel()
  const problem = error ?? remove.error
  return (
    <Dialog open onClose={onClose} title={messages.removeEmbeddingTitle}>
      <div className="flex flex-col gap-5">
        {data === undefined && error === null && <Skeleton lines={2} />}
        {data !== undefined && <p className="text-sm">{messages.vectorsDeleted(data)}</p>}
        {problem !== null && <ProblemNote error={problem} />}
        <DialogActions>
          <Button onClick={onClose}>{uiMessages.cancel}</Button>
          <Button
            look="danger"
            busy={remove.isPending}
            disabled={data === undefined}
            onClick={() => remove.mutate(undefined, { onSuccess: onClose })}
          >
            {messages.removeEmbeddingConfirm}
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  )
}
