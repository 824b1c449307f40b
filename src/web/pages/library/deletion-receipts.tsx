import { CircleAlert, CircleCheck, Download } from 'lucide-react'
import type { ForgetReceipt } from '../../../http/app/schemas/library.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { focusPage } from '../../ui/focus.ts'
import { uiMessages } from '../../ui/messages.ts'
import { SourceText, shownText } from '../../ui/source-text.tsx'
import { sourceTitle } from '../../ui/source-type.tsx'
import { saveFile } from './library-calls.ts'
import { messages } from './messages.ts'

/** The outcome of a deletion. */
export function deletionTitle(receipts: readonly ForgetReceipt[], done: number): string {
  const isVerified = receipts.every(({ questions }) => questions.every(({ found }) => !found))
  return isVerified ? messages.itemsDeleted(done) : messages.stillFound
}

/** Most receipts shown; the file has all. */
const MOST_SHOWN = 20

/** Deletion receipts with the searches that verified them, to copy or save. */
export function DeletionReceipts({ receipts }: { readonly receipts: readonly ForgetReceipt[] }) {
  const json = JSON.stringify(receipts.length === 1 ? receipts[0] : receipts, null, 2)
  return (
    <div className="flex flex-col gap-4">
      <ul className="flex max-h-[55dvh] flex-col gap-4 overflow-y-auto">
        {receipts.slice(0, MOST_SHOWN).map((receipt) => (
          <li key={`${receipt.source}/${receipt.item_id}`}>
            <Receipt receipt={receipt} />
          </li>
        ))}
      </ul>
      {receipts.length > MOST_SHOWN && (
        <p className="text-soft text-sm">{messages.moreReceipts(receipts.length - MOST_SHOWN)}</p>
      )}
      <div className="flex flex-wrap gap-2">
        <CopyButton text={json} label={messages.copyJson} />
        <Button
          size="small"
          onClick={() => saveFile(new Blob([json], { type: 'application/json' }), 'recalld-receipt.json')}
        >
          <Download aria-hidden />
          {messages.saveJson}
        </Button>
      </div>
    </div>
  )
}

function Receipt({ receipt }: { readonly receipt: ForgetReceipt }) {
  const { questions, connection } = receipt
  const isVerified = questions.every(({ found }) => !found)
  return (
    <section className="border-line rounded-card flex flex-col gap-3 border p-4 text-sm">
      <div>
        <h3 className="font-semibold [overflow-wrap:anywhere]">
          <bdi>{shownText(receipt.title)}</bdi>
        </h3>
        <p className="text-soft">
          {messages.receiptFacts(
            sourceTitle(receipt.source),
            receipt.deleted_memories,
            receipt.deleted_chunks,
            receipt.checked_at,
          )}
        </p>
      </div>
      {questions.length === 0 ? (
        <p className="text-soft">{messages.nothingToCheck}</p>
      ) : (
        <div>
          <p className={isVerified ? 'text-good font-medium' : 'text-bad font-medium'}>
            {isVerified ? messages.checkPassed(questions.length) : messages.checkFailed}
          </p>
          <ul className="mt-2 flex flex-col gap-1.5">
            {questions.map(({ text, found }) => (
              <li key={text} className="flex items-start gap-2">
                {found ? (
                  <CircleAlert className="text-bad mt-0.5 size-4 shrink-0" aria-label={messages.found} />
                ) : (
                  <CircleCheck className="text-good mt-0.5 size-4 shrink-0" aria-label={messages.notFound} />
                )}
                <span className="text-soft min-w-0">
                  <SourceText text={text} />
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
      {connection !== null && (
        <p className="text-soft">
          {messages.noResync(connection)} <code>recalld retry {connection} --forgotten</code>.
        </p>
      )}
    </section>
  )
}

interface ReceiptsDialogProps {
  /** Empty: closed. */
  readonly receipts: readonly ForgetReceipt[]
  /** Number of items that somebody else deleted before. */
  readonly gone?: number
  readonly onClose: () => void
}

/** The receipts of a deletion. */
export function ReceiptsDialog({ receipts, gone = 0, onClose }: ReceiptsDialogProps) {
  const isOpen = receipts.length > 0
  const close = () => {
    onClose()
    focusPage()
  }
  return (
    <Dialog open={isOpen} onClose={close} wide title={deletionTitle(receipts, receipts.length + gone)}>
      {gone > 0 && <p className="mb-4 text-sm">{messages.alreadyDeleted(gone)}</p>}
      <DeletionReceipts receipts={receipts} />
      <DialogActions>
        <Button onClick={close}>{uiMessages.done}</Button>
      </DialogActions>
    </Dialog>
  )
}
