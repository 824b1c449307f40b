import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { SessionInfo } from '../../../http/app/schemas/security.ts'
import { call } from '../../api/call.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/card.tsx'
import { focusIfLost } from '../../ui/focus-if-lost.ts'
import { formatNoun, formatTime } from '../../ui/formats.ts'
import { ProblemNote } from '../../ui/notices.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'
import { useTell } from '../../ui/toasts.tsx'

/** Where the person is signed in, and the way to end it there. */
export function SessionsPanel({ sessions }: { readonly sessions: readonly SessionInfo[] }) {
  const queries = useQueryClient()
  const tell = useTell()
  const list = useRef<HTMLUListElement>(null)
  const refresh = () => queries.invalidateQueries({ queryKey: ['people', 'security'] })
  const end = useMutation({
    mutationFn: (id: string) => call(`/security/sessions/${encodeURIComponent(id)}`, { method: 'DELETE' }),
    onSettled: () => refresh().then(() => focusIfLost(list.current)),
  })
  const endOthers = useMutation({
    mutationFn: () => call<{ ended: number }>('/security/sessions/end-others', { method: 'POST' }),
    onSuccess: ({ ended }) => tell(`You were signed out in ${formatNoun(ended, 'other place')}`),
    onSettled: refresh,
  })
  const problem = end.error ?? endOthers.error
  return (
    <Panel
      title="Where you are signed in"
      about="A place that was not used for 30 days is signed out by itself."
      actions={
        sessions.length > 1 ? (
          <Button busy={endOthers.isPending} onClick={() => endOthers.mutate()}>
            Sign out everywhere else
          </Button>
        ) : undefined
      }
    >
      {problem !== null && <ProblemNote error={problem} />}
      <ul ref={list} tabIndex={-1} aria-label="Sessions" className="divide-line -mx-5 -mb-3 divide-y outline-none">
        {sessions.map((session) => (
          <li
            key={session.id}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-5 py-3 text-sm"
          >
            <div className="min-w-0">
              <p className="flex flex-wrap items-center gap-2 font-medium">
                {session.device}
                {session.is_this && <Badge tone="good">This one</Badge>}
              </p>
              <p className="text-soft text-[0.8125rem]">
                used <TimeAgo time={session.seen_at} />, signed in {formatTime(session.created_at)}
              </p>
            </div>
            {!session.is_this && (
              <Button
                size="small"
                busy={end.isPending && end.variables === session.id}
                aria-label={`Sign out ${session.device}`}
                onClick={() => end.mutate(session.id)}
              >
                Sign out
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  )
}
