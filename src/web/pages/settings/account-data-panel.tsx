import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import type { DeletedAccount, DeletionBegun } from '../../../http/app/schemas/settings.ts'
import { address, call } from '../../api/call.ts'
import { useViewer } from '../../shell/use-session.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Panel } from '../../ui/card.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { formatBytes, formatNoun } from '../../ui/formats.ts'
import { ProblemNote } from '../../ui/notices.tsx'
import { shownText } from '../../ui/source-text.tsx'

/** All of the account, to take away and to delete; for its owners. */
export function AccountDataPanel() {
  const { account } = useViewer()
  const [isAsking, setIsAsking] = useState(false)
  const [receipt, setReceipt] = useState<DeletedAccount | DeletionBegun>()
  return (
    <>
      <Panel
        title="Your data"
        about="Everything of this account in one file that needs no recalld to be read: every item byte for byte, the memories made from it, and what happened."
        actions={
          <a className={buttonClass()} href={address('/account/export')} download>
            <Download aria-hidden />
            Download everything
          </a>
        }
      />
      <Panel
        title="Delete the account"
        about="All items, memories, keys, sources and members of this account go, for good. You get a receipt that it is gone, as a file."
        actions={
          <Button look="danger" onClick={() => setIsAsking(true)}>
            Delete this account
          </Button>
        }
      />
      {isAsking && <DeleteDialog name={account.name} onClose={() => setIsAsking(false)} onDeleted={setReceipt} />}
      {receipt !== undefined &&
        ('state' in receipt ? <BegunDialog begun={receipt} /> : <ReceiptDialog receipt={receipt} />)}
    </>
  )
}

function DeleteDialog({
  name,
  onClose,
  onDeleted,
}: {
  readonly name: string
  readonly onClose: () => void
  readonly onDeleted: (receipt: DeletedAccount | DeletionBegun) => void
}) {
  const [typed, setTyped] = useState('')
  const remove = useMutation({
    mutationFn: () => call<DeletedAccount | DeletionBegun>('/account', { method: 'DELETE', body: { name: typed } }),
    onSuccess: (receipt) => {
      if (!('state' in receipt)) keepFile(receipt)
      onClose()
      onDeleted(receipt)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    remove.mutate()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Delete ${shownText(name)}?`}
      about="It cannot be brought back, but from a backup of the server or from what you downloaded. Its keys end at once, and so do the sessions of people who look at it."
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label={`Type ${shownText(name)} to delete it`}
          value={typed}
          onValue={setTyped}
          autoComplete="off"
          required
        />
        {remove.error !== null && <ProblemNote error={remove.error} />}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="danger" busy={remove.isPending} disabled={typed !== name}>
            Delete for good
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** As a download: the session may end with the account, and the page with the session. */
function keepFile(receipt: DeletedAccount): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(receipt, null, 2)], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `deleted-${receipt.account_id}.json`
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** There is no receipt yet, and whoever began it may be signed out when there is. */
function BegunDialog({ begun: { account_id: accountId, name } }: { readonly begun: DeletionBegun }) {
  return (
    <OutcomeDialog title={`${shownText(name)} is being deleted`}>
      <p>
        Nobody sees anything of it any more. Removing what it held takes a while longer; recalld goes on with that by
        itself.
      </p>
      <p className="text-soft">
        The receipt is made when all of it is gone. Whoever runs the server finds it by the id of the account:{' '}
        <code className="font-mono text-[0.8125rem] break-all">{accountId}</code>
      </p>
    </OutcomeDialog>
  )
}

/** What is told once. */
function ReceiptDialog({ receipt }: { readonly receipt: DeletedAccount }) {
  const tables = Object.keys(receipt.verified).length
  return (
    <OutcomeDialog title={`${shownText(receipt.name)} is gone`}>
      <p>
        It held {formatNoun(receipt.items, 'item')} ({formatBytes(receipt.bytes)}) and{' '}
        {formatNoun(receipt.memories, 'memory', 'memories')}. Afterwards {formatNoun(tables, 'table')} of the database
        were searched, and none holds any of it.
      </p>
      <p className="text-soft">
        SHA-256 over the hashes of its items:{' '}
        <code className="font-mono text-[0.8125rem] break-all">{receipt.bodies_hash}</code>
      </p>
    </OutcomeDialog>
  )
}

/** Whoever belongs to no other account is signed out behind it. */
function OutcomeDialog({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const leave = () => window.location.assign('/app/')
  return (
    <Dialog open onClose={leave} title={title}>
      <div className="flex flex-col gap-3 text-sm">
        {children}
        <DialogActions>
          <Button look="primary" onClick={leave}>
            Done
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  )
}
