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
import { uiMessages } from '../../ui/messages.ts'
import { ProblemNote } from '../../ui/notices.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { messages } from './messages.ts'

/** Exporting and deleting the account, for its owners. */
export function AccountDataPanel() {
  const { account } = useViewer()
  const [isAsking, setIsAsking] = useState(false)
  const [receipt, setReceipt] = useState<DeletedAccount | DeletionBegun>()
  return (
    <>
      <Panel
        title={messages.yourData}
        about={messages.yourDataAbout}
        actions={
          <a className={buttonClass()} href={address('/account/export')} download>
            <Download aria-hidden />
            {messages.downloadEverything}
          </a>
        }
      />
      <Panel
        title={messages.deleteAccountTitle}
        about={messages.deleteAccountAbout}
        actions={
          <Button look="danger" onClick={() => setIsAsking(true)}>
            {messages.deleteThisAccount}
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
    mutationFn: () => call('DELETE /account', { body: { name: typed } }),
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
    <Dialog open onClose={onClose} title={messages.deleteNamed(shownText(name))} about={messages.deleteDialogAbout}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label={messages.typeToDelete(shownText(name))}
          value={typed}
          onValue={setTyped}
          autoComplete="off"
          required
        />
        {remove.error !== null && <ProblemNote error={remove.error} />}
        <DialogActions>
          <Button onClick={onClose}>{uiMessages.cancel}</Button>
          <Button type="submit" look="danger" busy={remove.isPending} disabled={typed !== name}>
            {messages.deletePermanently}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** Saved as a download, because the session and the page may end with the account. */
function keepFile(receipt: DeletedAccount): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(receipt, null, 2)], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `deleted-${receipt.account_id}.json`
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** Deletion started; the receipt comes later, when this person may be signed out. */
function BegunDialog({ begun: { account_id: accountId, name } }: { readonly begun: DeletionBegun }) {
  return (
    <OutcomeDialog title={messages.deleting(shownText(name))}>
      <p>{messages.deletingAbout}</p>
      <p className="text-soft">
        {messages.receiptLater} <code className="font-mono text-[0.8125rem] break-all">{accountId}</code>
      </p>
    </OutcomeDialog>
  )
}

/** A dialog shown once. */
function ReceiptDialog({ receipt }: { readonly receipt: DeletedAccount }) {
  const tables = Object.keys(receipt.verified).length
  return (
    <OutcomeDialog title={messages.accountDeleted(shownText(receipt.name))}>
      <p>{messages.receiptFacts(receipt.items, receipt.bytes, receipt.memories, tables)}</p>
      <p className="text-soft">
        {messages.receiptHash} <code className="font-mono text-[0.8125rem] break-all">{receipt.bodies_hash}</code>
      </p>
    </OutcomeDialog>
  )
}

/** A person without another account is signed out. */
function OutcomeDialog({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const leave = () => window.location.assign('/app/')
  return (
    <Dialog open onClose={leave} title={title}>
      <div className="flex flex-col gap-3 text-sm">
        {children}
        <DialogActions>
          <Button look="primary" onClick={leave}>
            {uiMessages.done}
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  )
}
