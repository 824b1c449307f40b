import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Library, RotateCw, SearchX } from 'lucide-react'
import { useCallback, useState } from 'react'
import { Link } from 'wouter'
import type { LibraryList } from '../../../http/app/schemas/library.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { formatCount, formatNoun } from '../../ui/formats.ts'
import { EmptyState, ProblemNote, Skeleton } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { DropArea } from './drop-area.tsx'
import { type LibraryFilter, listQuery } from './library-calls.ts'
import { LibraryFilters } from './library-filters.tsx'
import { LibraryTable } from './library-table.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { UploadButton } from './upload-button.tsx'
import { UploadList } from './upload-list.tsx'
import { useRetryFailed } from './use-item-actions.ts'
import { useLibraryFilter } from './use-library-filter.ts'
import { useSelection } from './use-selection.ts'
import { useUploads } from './use-uploads.ts'

/** Everything that the account holds, over every source. */
export function LibraryPage() {
  const { filter, change } = useLibraryFilter()
  const list = useQuery({ ...listQuery(filter, 0), placeholderData: keepPreviousData })
  const selection = useSelection()
  const { uploads, queue } = useUploads()
  const [source, setSource] = useState('')
  const onFiles = useCallback(
    (files: readonly File[]) => queue.add(files, source === '' ? undefined : source),
    [queue, source],
  )
  return (
    <DropArea onFiles={onFiles}>
      <Page
        title="Library"
        wide
        about="Everything your memory is made of, whichever way it came. Drop files anywhere on this page to add them."
        actions={<UploadButton source={source} onSource={setSource} onFiles={onFiles} />}
      >
        <UploadList uploads={uploads} queue={queue} />
        {list.error !== null && <ProblemNote error={list.error} onRetry={() => void list.refetch()} />}
        {list.data === undefined && list.error === null && <Skeleton lines={8} />}
        {list.data !== undefined && isEmpty(list.data, filter) && <NothingHere />}
        {list.data !== undefined && !isEmpty(list.data, filter) && (
          <>
            <LibraryFilters filter={filter} onChange={change} list={list.data} />
            <div className="flex flex-col gap-3" aria-busy={list.isPlaceholderData}>
              <Heading list={list.data} />
              {list.data.total === 0 ? (
                <EmptyState icon={<SearchX aria-hidden />} title="No item matches these filters">
                  <p>Try another word, source or state.</p>
                </EmptyState>
              ) : (
                <LibraryTable
                  filter={filter}
                  total={list.data.total}
                  selection={selection}
                  onSort={(sort) => change({ sort })}
                />
              )}
            </div>
          </>
        )}
        <SelectionBar selection={selection} />
      </Page>
    </DropArea>
  )
}

function isEmpty({ held }: LibraryList, { text }: LibraryFilter): boolean {
  return held === 0 && text === ''
}

/** How many there are, and what can be done about those that failed. */
function Heading({ list }: { readonly list: LibraryList }) {
  const retry = useRetryFailed()
  return (
    <div className="flex min-h-8 flex-wrap items-center justify-between gap-2">
      {retry.error !== null && (
        <div className="basis-full">
          <ProblemNote error={retry.error} />
        </div>
      )}
      <p className="text-soft text-sm" role="status">
        {list.is_capped
          ? `The newest ${formatCount(list.total)} items that match; type more to narrow it down`
          : formatNoun(list.total, 'item')}
      </p>
      {list.states.failed > 0 && (
        <Button size="small" busy={retry.isPending} onClick={() => retry.mutate()}>
          <RotateCw aria-hidden />
          Retry all failed
        </Button>
      )}
    </div>
  )
}

function NothingHere() {
  return (
    <EmptyState
      icon={<Library aria-hidden />}
      title="Nothing in the library yet"
      actions={
        <Link href="/sources/new" className={buttonClass('primary')}>
          Connect a source
        </Link>
      }
    >
      <p>
        Drop files on this page, or connect a source such as your mail, chats or documents. Each item is listed here
        with the memories made from it.
      </p>
    </EmptyState>
  )
}
