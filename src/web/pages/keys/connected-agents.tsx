import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Bot, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import type { ConnectedAgent } from '../../../http/app/schemas/agents.ts'
import { call } from '../../api/call.ts'
import { refetchShown } from '../../api/refetching.ts'
import { useViewer } from '../../shell/use-session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { formatDay } from '../../ui/formats.ts'
import { uiMessages } from '../../ui/messages.ts'
import { ProblemNote, Skeleton } from '../../ui/notices.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'
import { useToast } from '../../ui/toasts.tsx'
import { messages } from './messages.ts'
import { SourceBadges } from './source-badges.tsx'

/** Agents connected by OAuth, below the keys. */
export function ConnectedAgents({ isOwner }: { readonly isOwner: boolean }) {
  const { base_url: baseUrl } = useViewer()
  const { data, error, refetch } = useQuery({
    queryKey: ['keys', 'agents'],
    queryFn: ({ signal }) => call('GET /agents', { signal }),
    // As for keys: their use is not reported.
    staleTime: 0,
  })
  const [revoking, setRevoking] = useState<ConnectedAgent>()
  const section = useRef<HTMLElement>(null)
  const close = () => {
    setRevoking(undefined)
    // The button that opened the dialog may be gone with its agent.
    requestAnimationFrame(() => document.activeElement === document.body && section.current?.focus())
  }
  return (
    <section ref={section} tabIndex={-1} aria-labelledby="agents" className="flex flex-col gap-3 outline-none">
      <div>
        <h3 id="agents" className="font-semibold">
          {messages.agents}
        </h3>
        <p className="text-soft mt-1 text-sm">{messages.agentsAbout}</p>
      </div>
      {error !== null && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton lines={2} label={messages.loadingAgents} />}
      {data?.agents.length === 0 && (
        <p className="border-line rounded-card text-soft border border-dashed px-5 py-6 text-sm">
          {messages.noAgents}{' '}
          <code className="bg-raised rounded px-1 [overflow-wrap:anywhere]">{`${baseUrl}/mcp`}</code>
        </p>
      )}
      {data !== undefined && data.agents.length > 0 && (
        <ul className="divide-line bg-sheet border-line rounded-card divide-y border">
          {data.agents.map((agent) => (
            <AgentRow key={agent.id} agent={agent} onRevoke={isOwner ? () => setRevoking(agent) : undefined} />
          ))}
        </ul>
      )}
      {revoking && <RevokeDialog agent={revoking} onClose={close} />}
    </section>
  )
}

function AgentRow({
  agent,
  onRevoke,
}: {
  readonly agent: ConnectedAgent
  readonly onRevoke: (() => void) | undefined
}) {
  const name = shownText(agent.name)
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 px-5 py-4">
      <div className="flex min-w-0 flex-1 basis-80 flex-col gap-2">
        <h3 className="flex flex-wrap items-center gap-2 font-medium">
          <Bot className="text-soft size-4" aria-hidden />
          <bdi className="[overflow-wrap:anywhere]">{name}</bdi>
          {agent.host !== null && (
            <span className="text-soft text-[0.8125rem] font-normal">{messages.describedBy(agent.host)}</span>
          )}
          <Badge tone={agent.access === 'write' ? 'accent' : 'plain'}>
            {agent.access === 'write' ? messages.mayWrite : messages.mayRead}
          </Badge>
        </h3>
        <SourceBadges sources={agent.sources} />
        <p className="text-soft text-[0.8125rem] [overflow-wrap:anywhere]">
          {messages.connectedBy(shownText(agent.connected_by))} <TimeAgo time={agent.connected_at} />
          {', '}
          {agent.expires_at === null ? messages.untilRevoked : messages.untilDay(formatDay(agent.expires_at))}
          <span aria-hidden> · </span>
          {agent.last_used_at === null ? (
            messages.neverUsed
          ) : (
            <>
              {messages.lastUsed} <TimeAgo time={agent.last_used_at} />
            </>
          )}
        </p>
      </div>
      {onRevoke && (
        <Button look="danger" size="small" aria-label={messages.revokeNamed(name)} onClick={onRevoke}>
          <Trash2 aria-hidden />
          {messages.revoke}
        </Button>
      )}
    </li>
  )
}

/** Confirms revoking the access of an agent. */
function RevokeDialog({ agent, onClose }: { readonly agent: ConnectedAgent; readonly onClose: () => void }) {
  const queries = useQueryClient()
  const toast = useToast()
  const name = shownText(agent.name)
  const revoke = useMutation({
    mutationFn: () => call('DELETE /agents/:id', { params: { id: agent.id } }),
    onSuccess: async () => {
      await refetchShown(queries, ['keys'])
      toast(messages.revoked(name))
      onClose()
    },
  })
  return (
    <Dialog open onClose={onClose} title={messages.revokeTitle(name)}>
      <div className="flex flex-col gap-3 text-sm">
        <p>{messages.revokeAgentAbout}</p>
        {revoke.error !== null && <ProblemNote error={revoke.error} />}
      </div>
      <DialogActions>
        <Button onClick={onClose}>{uiMessages.cancel}</Button>
        <Button look="danger" busy={revoke.isPending} onClick={() => revoke.mutate()}>
          {messages.revoke}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
