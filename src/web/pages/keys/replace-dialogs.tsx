import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ApiKey, ShownKey } from '../../../http/app/schemas/keys.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { ProblemNote } from '../../ui/notices.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'
import { useTell } from '../../ui/toasts.tsx'
import { regenerateKey, revokeKey } from './key-calls.ts'

/** Asks before a key gets a new value, and says what stops working. */
export function RegenerateDialog({
  of: key,
  onClose,
  onRegenerated,
}: {
  readonly of: ApiKey
  readonly onClose: () => void
  readonly onRegenerated: (key: ShownKey) => void
}) {
  const regenerate = useMutation({ mutationFn: regenerateKey, onSuccess: onRegenerated, gcTime: 0 })
  return (
    <Dialog open onClose={onClose} title={`Regenerate ${shownText(key.name)}?`}>
      <div className="flex flex-col gap-3 text-sm">
        <p>
          The key gets a new value, and the old one stops working at once: whatever uses it is refused until it is given
          the new one.
        </p>
        {key.is_default && (
          <p className="text-soft">
            The recalld command and its MCP server on the machine of this service go on by themselves, if they use this
            key.
          </p>
        )}
        <LastUse of={key} />
        {regenerate.error !== null && <ProblemNote error={regenerate.error} />}
      </div>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" busy={regenerate.isPending} onClick={() => regenerate.mutate(key)}>
          Regenerate key
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/** Asks before a key is deleted for good. */
export function RevokeDialog({ of: key, onClose }: { readonly of: ApiKey; readonly onClose: () => void }) {
  const queries = useQueryClient()
  const tell = useTell()
  const revoke = useMutation({
    mutationFn: revokeKey,
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['keys'] })
      tell(`Revoked ${shownText(key.name)}`)
      onClose()
    },
  })
  return (
    <Dialog open onClose={onClose} title={`Revoke ${shownText(key.name)}?`}>
      <div className="flex flex-col gap-3 text-sm">
        <p>
          Whatever uses this key is refused from now on. This cannot be undone; what was uploaded with it stays in the
          memory.
        </p>
        <LastUse of={key} />
        {revoke.error !== null && <ProblemNote error={revoke.error} />}
      </div>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="danger" busy={revoke.isPending} onClick={() => revoke.mutate(key)}>
          Revoke key
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function LastUse({ of: { last_used_at: time } }: { readonly of: ApiKey }) {
  return (
    <p className="text-soft">
      {time === null ? (
        'It was never used.'
      ) : (
        <>
          It was last used <TimeAgo time={time} />.
        </>
      )}
    </p>
  )
}
