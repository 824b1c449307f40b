import { KeyRound, Plus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import type { ApiKey, KeyList, ShownKey } from '../../../http/app/schemas/keys.ts'
import { useBilling } from '../../api/use-billing.ts'
import { useViewer } from '../../shell/use-session.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Note, ProblemNote, Skeleton } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { CreateKeyDialog } from './create-key-dialog.tsx'
import { useKeys } from './key-calls.ts'
import { KeyRow } from './key-row.tsx'
import { RegenerateDialog, RevokeDialog } from './replace-dialogs.tsx'
import { ShownKeyDialog } from './shown-key-dialog.tsx'

/** What is open over the page. */
type Asking =
  | { readonly what: 'create' }
  | { readonly what: 'regenerate' | 'revoke'; readonly key: ApiKey }
  | { readonly what: 'show'; readonly key: ShownKey }

/** Keys of the account: who may use the memory from elsewhere, and what of it. */
export function KeysPage() {
  const { data, error, refetch } = useKeys()
  const isOwner = useViewer().account.role === 'owner'
  const [asking, setAsking] = useState<Asking>()
  const list = useRef<HTMLElement>(null)
  const isFull = data !== undefined && data.keys.length >= data.most
  const close = () => setAsking(undefined)
  const isAsking = asking !== undefined
  useEffect(() => {
    if (!isAsking) return undefined
    // The button that opened the dialog may be gone with its key, and then nothing would have the focus.
    return () => void requestAnimationFrame(() => document.activeElement === document.body && list.current?.focus())
  }, [isAsking])
  const show = (key: ShownKey) => setAsking({ what: 'show', key })
  return (
    <Page
      title="Keys"
      about="Agents and programs reach the memory with a key. Give each one of its own: what it may see is up to you, and it can be revoked without the others."
      actions={
        isOwner && (
          <Button look="primary" disabled={data === undefined || isFull} onClick={() => setAsking({ what: 'create' })}>
            <Plus aria-hidden />
            New key
          </Button>
        )
      }
    >
      {error !== null && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton lines={4} label="Loading keys" />}
      {data !== undefined && (
        <section ref={list} tabIndex={-1} aria-labelledby="key-count" className="flex flex-col gap-3 outline-none">
          <Notes list={data} isOwner={isOwner} />
          <div className="bg-sheet border-line rounded-card border">
            <h2 id="key-count" className="border-line flex items-center gap-2 border-b px-5 py-3 text-sm font-medium">
              <KeyRound className="text-soft size-4" aria-hidden />
              {data.keys.length} of {data.most} keys
            </h2>
            <ul className="divide-line divide-y">
              {data.keys.map((key) => (
                <KeyRow
                  key={key.id}
                  of={key}
                  onRegenerate={isOwner ? () => setAsking({ what: 'regenerate', key }) : undefined}
                  onRevoke={isOwner && !key.is_default ? () => setAsking({ what: 'revoke', key }) : undefined}
                />
              ))}
            </ul>
          </div>
        </section>
      )}
      {asking?.what === 'create' && <CreateKeyDialog onClose={close} onCreated={show} />}
      {asking?.what === 'regenerate' && <RegenerateDialog of={asking.key} onClose={close} onRegenerated={show} />}
      {asking?.what === 'revoke' && <RevokeDialog of={asking.key} onClose={close} />}
      {asking?.what === 'show' && <ShownKeyDialog shown={asking.key} onClose={close} />}
    </Page>
  )
}

/** Why a further key cannot be made now, and what helps. */
function Notes({ list, isOwner }: { readonly list: KeyList; readonly isOwner: boolean }) {
  const { account, person } = useViewer()
  const status = useBilling().data?.status
  if (!isOwner) return <Note>Only owners of {account.name} make, regenerate and revoke keys.</Note>
  if (list.keys.length >= list.most) {
    return <Note>An account has at most {list.most} keys. To make another, revoke one that is not used any more.</Note>
  }
  if (status === undefined || status === 'active') return null
  return (
    <Note tone={status === 'past_due' ? 'warn' : 'plain'}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <span>
          {status === 'none'
            ? 'Further keys need a plan. This server charges nothing for it.'
            : 'The billing of this account is past due. Until it is settled, every key is refused.'}
          {!person.is_admin && ' Ask an administrator of this server.'}
        </span>
        {person.is_admin && (
          <Link href="/usage?plan=change" className={buttonClass('secondary', 'small')}>
            {status === 'none' ? 'Choose a plan' : 'Go to billing'}
          </Link>
        )}
      </div>
    </Note>
  )
}
