import { CircleAlert, CircleCheck, Download } from 'lucide-react'
import type { ForgetReceipt } from '../../../http/app/schemas/library.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { formatNoun, formatTime } from '../../ui/formats.ts'
import { SourceText, shownText } from '../../ui/source-text.tsx'
import { sourceTitle } from '../../ui/source-type.tsx'

/** More are in the file that can be saved. */
const MOST_SHOWN = 20

/** What was deleted and what a search for it found, to be read, copied and kept. */
export function ForgetReceipts({ receipts }: { readonly receipts: readonly ForgetReceipt[] }) {
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
        <p className="text-soft text-sm">And {formatNoun(receipts.length - MOST_SHOWN, 'further receipt')}.</p>
      )}
      <div className="flex flex-wrap gap-2">
        <CopyButton text={json} label="Copy as JSON" />
        <Button size="small" onClick={() => save(json)}>
          <Download aria-hidden />
          Save as JSON
        </Button>
      </div>
    </div>
  )
}

function Receipt({ receipt }: { readonly receipt: ForgetReceipt }) {
  const { questions, connection } = receipt
  const isProven = questions.every(({ found }) => !found)
  return (
    <section className="border-line rounded-card flex flex-col gap-3 border p-4 text-sm">
      <div>
        <h3 className="font-semibold [overflow-wrap:anywhere]">
          <bdi>{shownText(receipt.title)}</bdi>
        </h3>
        <p className="text-soft">
          {sourceTitle(receipt.source)} · {formatNoun(receipt.deleted_memories, 'memory', 'memories')} and{' '}
          {formatNoun(receipt.deleted_chunks, 'passage')} deleted · {formatTime(receipt.checked_at)}
        </p>
      </div>
      {questions.length === 0 ? (
        <p className="text-soft">No text of it had been read, so there was nothing to look for.</p>
      ) : (
        <div>
          <p className={isProven ? 'text-good font-medium' : 'text-bad font-medium'}>
            {isProven
              ? `Asked for ${formatNoun(questions.length, 'thing')} that it said: nothing of it came back.`
              : 'Something of it can still be recalled: it may have been uploaded again meanwhile.'}
          </p>
          <ul className="mt-2 flex flex-col gap-1.5">
            {questions.map(({ text, found }) => (
              <li key={text} className="flex items-start gap-2">
                {found ? (
                  <CircleAlert className="text-bad mt-0.5 size-4 shrink-0" aria-label="Found" />
                ) : (
                  <CircleCheck className="text-good mt-0.5 size-4 shrink-0" aria-label="Not found" />
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
          {connection} will not bring it back by itself. To let it, run{' '}
          <code>recalld retry {connection} --forgotten</code>.
        </p>
      )}
    </section>
  )
}

function save(json: string): void {
  const url = URL.createObjectURL(new Blob([json], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = 'recalld-receipt.json'
  link.click()
  URL.revokeObjectURL(url)
}
