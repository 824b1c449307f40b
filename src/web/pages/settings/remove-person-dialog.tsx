import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { MemberOfAccount } from '../../../http/app/schemas/people.ts'
import { call } from '../../api/call.ts'
import { useViewer } from '../../shell/use-session.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { ProblemNote } from '../../ui/notices.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { useTell } from '../../ui/toasts.tsx'

export function RemovePersonDialog({
  member,
  onClose,
}: {
  readonly member: MemberOfAccount
  readonly onClose: () => void
}) {
  const { account } = useViewer()
  const queries = useQueryClient()
  const tell = useTell()
  const [name, place] = [shownText(member.name), shownText(account.name)]
  const remove = useMutation({
    mutationFn: () => call(`/people/${encodeURIComponent(member.id)}`, { method: 'DELETE' }),
    onSuccess: () => {
      onClose()
      tell(member.is_you ? `You left ${place}` : `${name} was removed from ${place}`)
      void queries.invalidateQueries({ queryKey: [member.is_you ? 'session' : 'people'] })
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={member.is_you ? `Leave ${place}?` : `Remove ${name} from ${place}?`}
      about={
        member.is_you
          ? 'You do not see this memory any more. If you belong to no other one, you are removed from this server.'
          : 'They do not see this memory any more, from this moment on. If they belong to no other one, they are removed from this server, and signed out everywhere. What they uploaded stays.'
      }
    >
      {remove.error !== null && <ProblemNote error={remove.error} />}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
          {member.is_you ? 'Leave' : 'Remove'}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
