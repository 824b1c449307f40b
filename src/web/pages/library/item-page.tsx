import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, Download, FileQuestion, RotateCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { ItemFacts } from '../../../http/app/schemas/library.ts'
import { address, CallError } from '../../api/call.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { EmptyState, Note, ProblemNote, Skeleton } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { SegmentedChoice } from '../../ui/segmented-choice.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { ItemFactsPanel, LeftOutPanel } from './item-facts-panel.tsx'
import { useItemLink } from './item-link.ts'
import { ItemMemories } from './item-memories.tsx'
import { ItemPassages } from './item-passages.tsx'
import { type ItemRef, itemPath, itemQuery, useReprocess } from './library-calls.ts'
import { messages } from './messages.ts'
import { StateBadge } from './state-badge.tsx'

/** One item: its details, its text, and its memories. */
export function ItemPage({ reference }: { readonly reference: ItemRef }) {
  // A copy, because the receipt outlives the item.
  const [deletion, setForgetting] = useState<readonly ItemFacts[]>([])
  const [, navigate] = useLocation()
  return (
    <>
      <ItemOrProblem reference={reference} onForget={(item) => setForgetting([item])} />
      <DeleteDialog items={deletion} onClose={() => setForgetting([])} onForgotten={() => navigate('/library')} />
    </>
  )
}

interface ForgetProps {
  readonly onForget: (item: ItemFacts) => void
}

function ItemOrProblem({ reference, onForget }: { readonly reference: ItemRef } & ForgetProps) {
  const item = useQuery(itemQuery(reference))
  if (item.error instanceof CallError && item.error.status === 404) return <Absent />
  if (item.data !== undefined) return <Shown item={item.data} onForget={onForget} />
  return (
    <Page title={messages.item} wide>
      {item.error === null ? (
        <Skeleton lines={8} />
      ) : (
        <ProblemNote error={item.error} onRetry={() => void item.refetch()} />
      )}
    </Page>
  )
}

function Shown({ item, onForget }: { readonly item: ItemFacts } & ForgetProps) {
  const reprocess = useReprocess()
  return (
    <Page
      title={shownText(item.title)}
      wide
      actions={
        <>
          <Link href="/library" className={buttonClass('quiet')}>
            <ArrowLeft aria-hidden />
            {messages.title}
          </Link>
          <a href={address(`${itemPath(item)}/original`)} download className={buttonClass()}>
            <Download aria-hidden />
            {messages.downloadOriginal}
          </a>
          <Button busy={reprocess.isPending} onClick={() => reprocess.mutate([item])}>
            <RotateCw aria-hidden />
            {messages.reprocess}
          </Button>
          <Button look="danger" onClick={() => onForget(item)}>
            <Trash2 aria-hidden />
            {messages.delete}
          </Button>
        </>
      }
    >
      <div className="flex flex-wrap items-center gap-3" aria-live="polite">
        <StateBadge state={item.status} />
        {item.status !== 'ready' && item.status !== 'failed' && (
          <span className="text-soft text-sm">{waiting(item)}</span>
        )}
      </div>
      {reprocess.error !== null && <ProblemNote error={reprocess.error} />}
      {item.error !== null && <Note tone="warn">{shownText(item.error)}</Note>}
      <ItemFactsPanel item={item} />
      <ItemContents item={item} />
      <LeftOutPanel item={item} />
    </Page>
  )
}

function waiting({ memories, chunks }: ItemFacts): string {
  if (chunks === 0) return messages.processingNew
  return memories === 0 ? messages.processingAgain : messages.processingOld
}

function Absent() {
  return (
    <Page title={messages.item}>
      <EmptyState
        icon={<FileQuestion aria-hidden />}
        title={messages.itemNotFound}
        actions={
          <Link href="/library" className={buttonClass()}>
            {messages.allItems}
          </Link>
        }
      >
        <p>{messages.itemNotFoundAbout}</p>
      </EmptyState>
    </Page>
  )
}

type Side = 'text' | 'memories'

/** Text and memories side by side; on narrow screens one at a time. */
function ItemContents({ item }: { readonly item: ItemFacts }) {
  const [side, setSide] = useState<Side>('text')
  const link = useItemLink()
  if (item.chunks === 0) {
    return (
      <EmptyState title={item.status === 'ready' ? messages.noText : messages.noTextYet}>
        <p>{item.status === 'failed' ? messages.failedAbout : ''}</p>
      </EmptyState>
    )
  }
  // Reprocessing changes passages and memories.
  const version = `${item.updated_at} ${item.chunks}`
  return (
    <div className="bg-sheet border-line rounded-card overflow-hidden border lg:grid lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <div className="border-line border-b p-3 lg:hidden">
        <SegmentedChoice
          label={messages.view}
          value={side}
          onValue={setSide}
          options={[
            { value: 'text', label: messages.text },
            { value: 'memories', label: messages.memoriesCount(item.memories) },
          ]}
        />
      </div>
      <div className={classNames('min-w-0 lg:border-line lg:block lg:border-r', side === 'text' ? 'block' : 'hidden')}>
        <Heading>{messages.text}</Heading>
        <ItemPassages key={version} reference={item} count={item.chunks} link={link} />
      </div>
      <div className={classNames('min-w-0 lg:block', side === 'memories' ? 'block' : 'hidden')}>
        <Heading>{messages.memories}</Heading>
        <ItemMemories key={version} reference={item} count={item.memories} link={link} onShow={() => setSide('text')} />
      </div>
    </div>
  )
}

function Heading({ children }: { readonly children: string }) {
  return <h2 className="border-line hidden border-b px-6 py-3 text-sm font-semibold lg:block">{children}</h2>
}
