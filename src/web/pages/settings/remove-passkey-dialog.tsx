import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { PasskeyInfo } from '../../../http/app/schemas/security.ts'
import { call } from '../../api/call.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { ProblemNote } from '../../ui/notices.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { useTell } from '../../ui/toasts.tsx'

export function RemovePasskeyDialog({
  passkey,
  onClose,
}: {
  readonly passkey: PasskeyInfo
  readonly onClose: () => void
}) {
  const queries = useQueryClient()
  const tell = useTell()
  const name = shownText(passkey.name)
  const remove = useMutation({
    mutationFn: () => call(`/security/passkeys/${encodeURIComponent(passkey.id)}`, { method: 'DELETE' }),
    onSuccess: async () => {
      // First, so that the focus does not go back to a button that is about to go.
      await queries.invalidateQueries({ queryKey: ['people', 'security'] })
      onClose()
      tell(`${name} was removed`, 'Remove it from your device or password manager as well.')
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Remove ${name}?`}
      about={`You cannot sign in with this passkey any more. It was made for ${passkey.host}.`}
    >
      {remove.error !== null && <ProblemNote error={remove.error} />}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
          Remove
        </Button>
      </DialogActions>
    </Dialog>
  )
}
