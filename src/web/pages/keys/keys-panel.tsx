import { type UseQueryResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { KeyRound, Plus, RefreshCw, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import type { ApiKey, KeyList, ShownKey } from '../../../http/app/schemas/keys.ts'
import { call } from '../../api/call.ts'
import { refetchShown } from '../../api/refetching.ts'
import { useBilling } from '../../api/usage-calls.ts'
import { useViewer } from '../../shell/use-session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { uiMessages } from '../../ui/messages.ts'
import { Note, ProblemNote, Skeleton } from '../../ui/notices.tsx'
import { Section } from '../../ui/section.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'
import { useToast } from '../../ui/toasts.tsx'
import { ConnectedAgents } from './connected-agents.tsx'
import { CreateKeyDialog } from './create-key-dialog.tsx'
import { messages } from './messages.ts'
import { ShownKeyDialog } from './shown-key-dialog.tsx'
import { SourceBadges } from './source-badges.tsx'

/** The open dialog. */
type Asking =
  | { readonly what: 'create' }
  | { readonly what: 'regenerate' | 'revoke'; readonly key: ApiKey }
  | { readonly what: 'show'; readonly key: ShownKey }

/** The keys of the account. */
export function KeysPanel() {
  const { data, error, refetch } = useKeys()
  const isOwner = useViewer().account.role === 'owner'
  const [asking, setAsking] = useState<Asking>()
  const list = useRef<HTMLElement>(null)
  const isFull = data !== undefined && data.keys.length >= data.most
  const close = () => setAsking(undefined)
  const isAsking = asking !== undefined
  useEffect(() => {
    if (!isAsking) return undefined
    // The button that opened the dialog may be gone with its key.
    return () => void requestAnimationFrame(() => document.activeElement === document.body && list.current?.focus())
  }, [isAsking])
  const show = (key: ShownKey) => setAsking({ what: 'show', key })
  return (
    <Section
      title={messages.title}
      about={messages.about}
      actions={
        isOwner && (
          <Button look="primary" disabled={data === undefined || isFull} onClick={() => setAsking({ what: 'create' })}>
            <Plus aria-hidden />
            {messages.newKey}
          </Button>
        )
      }
    >
      {error !== null && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton lines={4} label={messages.loadingKeys} />}
      {data !== undefined && (
        <section ref={list} tabIndex={-1} aria-labelledby="key-count" className="flex flex-col gap-3 outline-none">
          <Notes list={data} isOwner={isOwner} />
          <div className="bg-sheet border-line rounded-card border">
            <h3 id="key-count" className="border-line flex items-center gap-2 border-b px-5 py-3 text-sm font-medium">
              <KeyRound className="text-soft size-4" aria-hidden />

              {messages.keyCount(data.keys.length, data.most)}
            </h3>
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
      <ConnectedAgents isOwner={isOwner} />
      {asking?.what === 'create' && <CreateKeyDialog onClose={close} onCreated={show} />}
      {asking?.what === 'regenerate' && <RegenerateDialog of={asking.key} onClose={close} onRegenerated={show} />}
      {asking?.what === 'revoke' && <RevokeDialog of={asking.key} onClose={close} />}
      {asking?.what === 'show' && <ShownKeyDialog shown={asking.key} onClose={close} />}
    </Section>
  )
}

/** Why no further key can be created, and the remedy. */
function Notes({ list, isOwner }: { readonly list: KeyList; readonly isOwner: boolean }) {
  const { account, person } = useViewer()
  const { data: billing } = useBilling()
  const status = billing?.is_billed ? billing.status : 'active'
  if (!isOwner) return <Note>{messages.ownersOnly(account.name)}</Note>
  if (list.keys.length >= list.most) {
    return <Note>{messages.keyLimit(list.most)}</Note>
  }
  if (status === 'active') return null
  return (
    <Note tone={status === 'past_due' ? 'warn' : 'plain'}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <span>
          {status === 'none' ? messages.planNeeded : messages.pastDue}
          {!person.is_admin && ` ${messages.askAdmin}`}
        </span>
        {person.is_admin && (
          <Link href="/settings/usage?plan=change" className={buttonClass('secondary', 'small')}>
            {status === 'none' ? messages.choosePlan : messages.openBilling}
          </Link>
        )}
      </div>
    </Note>
  )
}

/** One key: name, access, last use and actions. */
function KeyRow({
  of: key,
  onRegenerate,
  onRevoke,
}: {
  readonly of: ApiKey
  readonly onRegenerate: (() => void) | undefined
  readonly onRevoke: (() => void) | undefined
}) {
  const name = shownText(key.name)
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 px-5 py-4">
      <div className="flex min-w-0 flex-1 basis-80 flex-col gap-2">
        <h4 className="flex flex-wrap items-center gap-2 font-medium">
          <bdi className="[overflow-wrap:anywhere]">{name}</bdi>
          {key.is_default && <Badge tone="accent">{messages.defaultKey}</Badge>}
        </h4>
        <SourceBadges sources={key.sources} />
        <p className="text-soft text-[0.8125rem]">
          {messages.created} <TimeAgo time={key.created_at} />
          <span aria-hidden> · </span>
          {key.last_used_at === null ? (
            messages.neverUsed
          ) : (
            <>
              {messages.lastUsed} <TimeAgo time={key.last_used_at} />
            </>
          )}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        {onRegenerate && (
          <Button size="small" aria-label={messages.regenerateNamed(name)} onClick={onRegenerate}>
            <RefreshCw aria-hidden />
            {messages.regenerate}
          </Button>
        )}
        {onRevoke && (
          <Button look="danger" size="small" aria-label={messages.revokeNamed(name)} onClick={onRevoke}>
            <Trash2 aria-hidden />
            {messages.revoke}
          </Button>
        )}
      </div>
    </li>
  )
}

/** Confirms regenerating a key. */
function RegenerateDialog({
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
    <Dialog open onClose={onClose} title={messages.regenerateTitle(shownText(key.name))}>
      <div className="flex flex-col gap-3 text-sm">
        <p>{messages.regenerateAbout}</p>
        {key.is_default && <p className="text-soft">{messages.regenerateOwnMachine}</p>}
        <LastUse of={key} />
        {regenerate.error !== null && <ProblemNote error={regenerate.error} />}
      </div>
      <DialogActions>
        <Button onClick={onClose}>{uiMessages.cancel}</Button>
        <Button look="primary" busy={regenerate.isPending} onClick={() => regenerate.mutate(key)}>
          {messages.regenerateKey}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/** Confirms revoking a key. */
function RevokeDialog({ of: key, onClose }: { readonly of: ApiKey; readonly onClose: () => void }) {
  const queries = useQueryClient()
  const toast = useToast()
  const revoke = useMutation({
    mutationFn: revokeKey,
    onSuccess: async () => {
      await refetchShown(queries, ['keys'])
      toast(messages.revoked(shownText(key.name)))
      onClose()
    },
  })
  return (
    <Dialog open onClose={onClose} title={messages.revokeTitle(shownText(key.name))}>
      <div className="flex flex-col gap-3 text-sm">
        <p>{messages.revokeAbout}</p>
        <LastUse of={key} />
        {revoke.error !== null && <ProblemNote error={revoke.error} />}
      </div>
      <DialogActions>
        <Button onClick={onClose}>{uiMessages.cancel}</Button>
        <Button look="danger" busy={revoke.isPending} onClick={() => revoke.mutate(key)}>
          {messages.revokeKey}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function LastUse({ of: { last_used_at: time } }: { readonly of: ApiKey }) {
  return (
    <p className="text-soft">
      {time === null ? (
        messages.neverUsedSentence
      ) : (
        <>
          {messages.lastUsedSentence} <TimeAgo time={time} />.
        </>
      )}
    </p>
  )
}

/** Refetched when the page opens, because the event stream does not report key use or changes in a terminal. */
function useKeys(): UseQueryResult<KeyList> {
  return useQuery({
    queryKey: ['keys', 'list'],
    queryFn: ({ signal }) => call('GET /keys', { signal }),
    staleTime: 0,
  })
}

function regenerateKey({ id }: ApiKey): Promise<ShownKey> {
  return call('POST /keys/:id/regenerate', { params: { id } })
}

function revokeKey({ id }: ApiKey): Promise<ApiKey> {
  return call('DELETE /keys/:id', { params: { id } })
}
