import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Library, RotateCw, SearchX, Trash2, X } from 'lucide-react'
import { useCallback, useState } from 'react'
import { Link, Route, Switch } from 'wouter'
import type { LibraryList } from '../../../http/app/schemas/library.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { formatCount, formatNoun } from '../../ui/formats.ts'
import { EmptyState, ProblemNote, Skeleton } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { ForgetDialog } from './forget-dialog.tsx'
import { ItemPage } from './item-page.tsx'
import { type ItemRef, type LibraryFilter, listQuery, useReprocess, useRetryFailed } from './library-calls.ts'
import { LibraryFilters, useLibraryFilter } from './library-filters.tsx'
import { LibraryTable, type Selection, useSelection } from './library-table.tsx'
import { DropArea, UploadButton, UploadList } from './upload-area.tsx'
import { useUploads } from './upload-queue.ts'

/** Everything that the account holds, over every source. */
function LibraryPage() {
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

/** Everything below /library. */
export function LibraryPages() {
  return (
    <Switch>
      <Route path="/library" component={LibraryPage} />
      <Route path="/library/:source/:item">
        {({ source, item }) => <ItemPage key={`${source}/${item}`} reference={{ source, item_id: whole(item) }} />}
      </Route>
      <Route>
        <Page title="Library">
          <EmptyState title="There is no such page" actions={<Link href="/library">All items</Link>} />
        </Page>
      </Route>
    </Switch>
  )
}

/** The router leaves `:`, `=` and others of an id as addresses write them. No id holds a `%`. */
function whole(item: string): string {
  return item.replace(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
}

/** What can be done with the items that are ticked. */
function SelectionBar({ selection }: { readonly selection: Selection }) {
  const [forgetting, setForgetting] = useState<readonly ItemRef[]>([])
  const reprocess = useReprocess()
  const { refs } = selection
  return (
    <>
      {reprocess.error !== null && <ProblemNote error={reprocess.error} />}
      {refs.length > 0 && (
        <div
          role="toolbar"
          aria-label="Selected items"
          className="bg-ink text-paper sticky bottom-4 z-20 mx-auto flex w-fit max-w-full flex-wrap items-center gap-2 rounded-xl px-4 py-2 shadow-xl"
        >
          <span className="mr-2 text-sm font-medium" aria-live="polite">
            {formatNoun(refs.length, 'item')} selected
          </span>
          <Button size="small" busy={reprocess.isPending} onClick={() => reprocess.mutate(refs)}>
            <RotateCw aria-hidden />
            Process again
          </Button>
          <Button look="danger" size="small" onClick={() => setForgetting(refs)}>
            <Trash2 aria-hidden />
            Forget
          </Button>
          <Button look="quiet" size="small" className="text-inherit! hover:bg-white/15!" onClick={selection.clear}>
            <X aria-hidden />
            Clear
          </Button>
        </div>
      )}
      <ForgetDialog items={forgetting} onClose={() => setForgetting([])} onForgotten={selection.drop} />
    </>
  )
}
