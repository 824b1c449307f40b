import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import type { AnswerOf } from '../../../http/app/schemas/routes.ts'
import { call } from '../../api/call.ts'
import { refetchShown } from '../../api/refetching.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { uiMessages } from '../../ui/messages.ts'
import { EmptyState, ProblemNote, Skeleton } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { SourceText, shownText } from '../../ui/source-text.tsx'
import { useToast } from '../../ui/toasts.tsx'
import { itemPath } from '../library/library-calls.ts'
import { messages } from './messages.ts'

type EditList = AnswerOf<'GET /edits'>
type EditedMemory = EditList['edits'][number]

const PAGE = 50

/** What people corrected, noted, pinned and hid in the account, each with undo. */
export function EditsPage() {
  const [offset, setOffset] = useState(0)
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['items', 'edits', offset],
    queryFn: ({ signal }) => call('GET /edits', { query: { offset, limit: PAGE }, signal }),
    placeholderData: keepPreviousData,
  })
  return (
    <Page
      title={messages.editsTitle}
      about={messages.editsAbout}
      back={{ href: '/library', title: uiMessages.titles.library }}
    >
      {error !== null && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton lines={8} />}
      {data?.total === 0 && <EmptyState title={messages.noEdits} />}
      {data !== undefined && data.total > 0 && (
        <div className="flex flex-col gap-4" aria-busy={isPlaceholderData}>
          <ul className="divide-line flex flex-col divide-y">
            {data.edits.map((edit) => (
              <Edit key={edit.id} edit={edit} />
            ))}
          </ul>
          <Pages list={data} onOffset={setOffset} />
        </div>
      )}
    </Page>
  )
}

function Edit({ edit }: { readonly edit: EditedMemory }) {
  const { id, kind, by, at, source_type: source, item_id, title, text, correction, note } = edit
  const queries = useQueryClient()
  const toast = useToast()
  const undo = useMutation({
    mutationFn: () => call('DELETE /edits/:id', { params: { id } }),
    onSuccess: async () => {
      for (const queryKey of [['recall'], ['ask']]) queries.removeQueries({ queryKey, type: 'inactive' })
      await refetchShown(queries, ['items'])
      toast(messages.editUndone)
    },
  })
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 py-3 text-sm">
      <div className="flex min-w-0 flex-1 basis-72 flex-col gap-1">
        <p className="flex flex-wrap items-center gap-2">
          <Badge>{messages.editKinds[kind]}</Badge>
          <Link href={itemPath({ source, item_id })} className="font-medium underline [overflow-wrap:anywhere]">
            <bdi>{shownText(title ?? item_id)}</bdi>
          </Link>
        </p>
        {text !== null && (
          <p className={correction === null ? '' : 'text-soft line-through'}>
            <SourceText text={text} />
          </p>
        )}
        {correction !== null && (
          <p>
            <SourceText text={correction} />
          </p>
        )}
        {note !== null && (
          <p className="border-line border-s-2 ps-3">
            <SourceText text={note} />
          </p>
        )}
        <p className="text-soft text-[0.8125rem]">
          <bdi>{shownText(messages.editedBy(by, at))}</bdi>
        </p>
        {undo.error !== null && <ProblemNote error={undo.error} />}
      </div>
      <Button size="small" busy={undo.isPending} onClick={() => undo.mutate()}>
        <Undo2 aria-hidden />
        {uiMessages.undo}
        <span className="sr-only">: {shownText(title ?? item_id)}</span>
      </Button>
    </li>
  )
}

function Pages({ list, onOffset }: { readonly list: EditList; readonly onOffset: (offset: number) => void }) {
  const { total, offset, edits } = list
  if (total <= PAGE) return null
  return (
    <nav className="flex items-center gap-3 text-sm" aria-label={messages.editsTitle}>
      <Button size="small" disabled={offset === 0} onClick={() => onOffset(Math.max(0, offset - PAGE))}>
        {messages.newerEdits}
      </Button>
      <span className="text-soft">{messages.editRange(offset + 1, offset + edits.length, total)}</span>
      <Button size="small" disabled={offset + edits.length >= total} onClick={() => onOffset(offset + PAGE)}>
        {messages.olderEdits}
      </Button>
    </nav>
  )
}
