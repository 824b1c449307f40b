import type { ShownLink } from '../../../http/app/schemas/people.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { formatTime } from '../../ui/formats.ts'

/** A link that works once, and is shown once. */
export function LinkDialog({
  title,
  link: { link, expires_at },
  onClose,
}: {
  readonly title: string
  readonly link: ShownLink
  readonly onClose: () => void
}) {
  return (
    <Dialog
      open
      insistent
      onClose={onClose}
      title={title}
      about="Give this link to the person, and to nobody else: whoever opens it first comes in by it. It is shown this once."
    >
      <p className="bg-raised rounded-lg p-3.5 font-mono text-[0.8125rem] break-all select-all">{link}</p>
      <p className="text-soft mt-2 text-[0.8125rem]">It works once, until {formatTime(expires_at)}.</p>
      <DialogActions>
        <CopyButton text={link} label="Copy the link" size="normal" look="primary" />
        <Button onClick={onClose}>Done</Button>
      </DialogActions>
    </Dialog>
  )
}
