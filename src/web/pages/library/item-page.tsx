import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Download, FileQuestion, PanelRightClose, PanelRightOpen, RotateCw, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { Link, useLocation, useSearchParams } from 'wouter'
import type { ItemFacts } from '../../../http/app/schemas/library.ts'
import { openableAddress } from '../../../lib/markup/openable-address.ts'
import { address, CallError } from '../../api/call.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { focusPage } from '../../ui/focus.ts'
import { EmptyState, Note, ProblemNote, Skeleton } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { SafeLink } from '../../ui/safe-link.tsx'
import { ShareButton } from '../../ui/share-button.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { SourceIcon, sourceTitle } from '../../ui/source-type.tsx'
import { citationText, quotedText } from '../reading/citation.ts'
import { messages as reading } from '../reading/messages.ts'
import { useDeletions } from './deletion-queue.ts'
import { ItemFactsPanel, itemDates, LeftOutPanel } from './item-facts-panel.tsx'
import { ItemImage } from './item-image.tsx'
import { useItemLink } from './item-link.ts'
import { ItemMemories } from './item-memories.tsx'
import { ItemPassages } from './item-passages.tsx'
import { ItemTags } from './item-tags.tsx'
import { chunksQuery, type ItemRef, itemPath, itemQuery, useReprocess } from './library-calls.ts'
import { messages } from './messages.ts'
import { StateBadge } from './state-badge.tsx'

/** One item: its details, its text, and its memories. */
export function ItemPage({ reference }: { readonly reference: ItemRef }) {
  const item = useQuery(itemQuery(reference))
  const isGone = item.error instanceof CallError && item.error.status === 404
  if (isGone) return <Absent />
  if (item.data !== undefined) return <Shown item={item.data} />
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

function Shown({ item }: { readonly item: ItemFacts }) {
  const reprocess = useReprocess()
  const { queue } = useDeletions()
  const [, navigate] = useLocation()
  const onDelete = () => {
    queue.add([item])
    navigate('/library')
    focusPage()
  }
  return (
    <Page
      title={shownText(item.title)}
      back={{ href: '/library', title: messages.title }}
      actions={
        <>
          <a href={address(`${itemPath(item)}/original`)} download className={buttonClass()}>
            <Download aria-hidden />
            {messages.downloadOriginal}
          </a>
          <Button busy={reprocess.isPending} onClick={() => reprocess.mutate([item])}>
            <RotateCw aria-hidden />
            {messages.reprocess}
          </Button>
          <Button look="danger" onClick={onDelete}>
            <Trash2 aria-hidden />
            {messages.delete}
          </Button>
        </>
      }
    >
      <div className="-mt-3 flex flex-wrap items-center gap-x-4 gap-y-2" aria-live="polite">
        <ItemLine item={item} />
        {item.status !== 'ready' && <StateBadge state={item.status} />}
        {item.status !== 'ready' && item.status !== 'failed' && (
          <span className="text-soft text-sm">{waiting(item)}</span>
        )}
      </div>
      <ItemTags item={item} />
      {reprocess.error !== null && <ProblemNote error={reprocess.error} />}
      {item.error !== null && <Note tone="warn">{shownText(item.error)}</Note>}
      <ItemImage item={item} />
      <ItemContents item={item} />
      <ItemFactsPanel item={item} />
      <LeftOutPanel item={item} />
    </Page>
  )
}

/** Where an item is from, when and by which agent, with its original and a citation. */
function ItemLine({ item }: { readonly item: ItemFacts }) {
  const { source, connector, url, title, file_name, date_from, agent } = item
  const original = openableAddress(url ?? undefined)
  const queries = useQueryClient()
  const quoted = async () => {
    const { chunks } = await queries.fetchQuery(chunksQuery(item, 0))
    return quotedText(chunks, citation, item.chunks)
  }
  const citation = citationText({ title, person: null, at: date_from, when: null, location: original ?? file_name })
  return (
    <>
      <span className="text-soft flex items-center gap-2 text-sm">
        <SourceIcon sourceType={source} className="size-4 shrink-0" />
        {[connector ?? sourceTitle(source), ...(date_from === null ? [] : [itemDates(item)])].join(' · ')}
        {agent !== null && (
          <>
            {' · '}
            {messages.writtenByAgent}
            <bdi>{shownText(agent)}</bdi>
          </>
        )}
      </span>
      {original !== undefined && <SafeLink href={original}>{reading.openOriginal}</SafeLink>}
      <span className="-ml-2 flex flex-wrap">
        <CopyButton look="quiet" text={citation} label={reading.copyCitation} />
        {item.chunks > 0 && <CopyButton look="quiet" text={quoted} label={messages.copyWithCitation} />}
        {item.chunks > 0 && <ShareButton title={shownText(title)} text={quoted} />}
      </span>
    </>
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

/** The text of an item; the memories that agents see of it are shown beside it on request. */
function ItemContents({ item }: { readonly item: ItemFacts }) {
  const [hasMemories, setMemories] = useState(false)
  const text = useRef<HTMLDivElement>(null)
  const link = useItemLink()
  const hit = useHit()
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
    <div className="bg-sheet border-line rounded-card flex flex-col overflow-hidden border">
      <div className="border-line flex min-h-12 items-center justify-between gap-3 border-b py-1.5 pr-2.5 pl-5">
        <h2 className="text-sm font-semibold">{reading.text}</h2>
        <Button
          look="quiet"
          size="small"
          aria-expanded={hasMemories}
          onClick={() => {
            link.choose(undefined)
            setMemories(!hasMemories)
          }}
        >
          {messages.agentsView(item.memories)}
          {hasMemories ? <PanelRightClose aria-hidden /> : <PanelRightOpen aria-hidden />}
        </Button>
      </div>
      <div className={classNames('flex flex-col', hasMemories && 'lg:grid lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]')}>
        {hasMemories && (
          <div className="border-line order-last min-w-0 max-lg:order-first max-lg:border-b lg:border-l">
            <ItemMemories
              key={version}
              reference={item}
              count={item.memories}
              link={link}
              onShow={() => text.current?.scrollIntoView({ block: 'nearest' })}
            />
          </div>
        )}
        <div ref={text} className="min-w-0">
          <ItemPassages
            key={version}
            reference={item}
            count={item.chunks}
            link={link}
            hit={hit}
            hasMemories={hasMemories}
            className="max-h-[72dvh] outline-offset-[-2px]"
          />
        </div>
      </div>
    </div>
  )
}

/** The passage in the address (`?passage=12`, counted from 1), as its position. */
function useHit(): number | undefined {
  const passage = Number(useSearchParams()[0].get('passage'))
  return Number.isInteger(passage) && passage > 0 ? passage - 1 : undefined
}
