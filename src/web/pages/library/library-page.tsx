import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import {
  Braces,
  Download,
  FileText,
  Library,
  LoaderCircle,
  ReceiptText,
  RotateCw,
  SearchX,
  Trash2,
  X,
} from 'lucide-react'
import { useCallback, useState } from 'react'
import { Link, Route, Switch } from 'wouter'
import type { LibraryList } from '../../../http/app/schemas/library.ts'
import { ActionMenu } from '../../ui/action-menu.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { focusPage } from '../../ui/focus.ts'
import { uiMessages } from '../../ui/messages.ts'
import { EmptyState, ProblemNote, Skeleton } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { useToast } from '../../ui/toasts.tsx'
import { EditsPage } from '../memory-edits/edits-page.tsx'
import { messages as editMessages } from '../memory-edits/messages.ts'
import { DeleteDialog } from './delete-dialog.tsx'
import { useDeletions } from './deletion-queue.ts'
import { ReceiptsDialog } from './deletion-receipts.tsx'
import { ItemPage } from './item-page.tsx'
import { TagForm } from './item-tags.tsx'
import {
  exportItems,
  type ItemRef,
  type LibraryFilter,
  listQuery,
  useReprocess,
  useRetryFailed,
} from './library-calls.ts'
import { LibraryFilters, useLibraryFilter } from './library-filters.tsx'
import { LibraryTable, type Selection, useSelection } from './library-table.tsx'
import { messages } from './messages.ts'
import { SelectAll } from './select-all.tsx'
import { DropArea, UploadButton, UploadList } from './upload-area.tsx'
import { useUploads } from './upload-queue.ts'

/** All items of the account. */
function LibraryPage() {
  const { filter, change } = useLibraryFilter()
  const list = useQuery({ ...listQuery(filter, 0), placeholderData: keepPreviousData })
  const selection = useSelection()
  const [deletion, setDeletion] = useState<readonly ItemRef[]>([])
  const { uploads, queue } = useUploads()
  const [source, setSource] = useState('')
  const onFiles = useCallback(
    (files: readonly File[]) => queue.add(files, source === '' ? undefined : source),
    [queue, source],
  )
  return (
    <DropArea onFiles={onFiles}>
      <Page
        title={messages.title}
        wide
        about={
          <>
            {messages.about} <span className="pointer-coarse:hidden">{messages.dropAnywhere} </span>
            <Link href="/library/changes" className="font-medium underline">
              {editMessages.editsTitle}
            </Link>
          </>
        }
        actions={<UploadButton source={source} onSource={setSource} onFiles={onFiles} />}
      >
        <UploadList uploads={uploads} queue={queue} />
        {list.error !== null && <ProblemNote error={list.error} onRetry={() => void list.refetch()} />}
        {list.data === undefined && list.error === null && <Skeleton lines={8} />}
        {list.data !== undefined && isEmpty(list.data, filter) && <EmptyLibrary />}
        {list.data !== undefined && !isEmpty(list.data, filter) && (
          <>
            <LibraryFilters filter={filter} onChange={change} list={list.data} />
            <div className="flex flex-col gap-3" aria-busy={list.isPlaceholderData}>
              <Heading list={list.data} filter={filter} onSelect={selection.add} />
              <SelectionBar selection={selection} onDelete={setDeletion} />
              {list.data.total === 0 ? (
                <EmptyState icon={<SearchX aria-hidden />} title={messages.noMatches}>
                  <p>{messages.noMatchesAbout}</p>
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
        <DeleteDialog items={deletion} onClose={() => setDeletion([])} onForgotten={selection.drop} />
      </Page>
    </DropArea>
  )
}

function isEmpty({ held }: LibraryList, { text, tag, connector }: LibraryFilter): boolean {
  return held === 0 && text === '' && tag === '' && connector === ''
}

/** Number of items, selecting all of them, and retrying failed ones. */
function Heading({
  list,
  filter,
  onSelect,
}: {
  readonly list: LibraryList
  readonly filter: LibraryFilter
  readonly onSelect: (refs: readonly ItemRef[]) => void
}) {
  const retry = useRetryFailed()
  return (
    <div className="flex min-h-8 flex-wrap items-center justify-between gap-2">
      {retry.error !== null && (
        <div className="basis-full">
          <ProblemNote error={retry.error} />
        </div>
      )}
      <p className="text-soft text-sm" role="status">
        {list.is_capped ? messages.newestMatches(list.total) : messages.itemCount(list.total)}
      </p>
      <div className="flex flex-wrap gap-2">
        {list.total > 1 && <SelectAll filter={filter} total={list.total} onSelect={onSelect} />}
        <ShownReceipts />
        {list.states.failed > 0 && (
          <Button size="small" busy={retry.isPending} onClick={() => retry.mutate()}>
            <RotateCw aria-hidden />
            {messages.retryFailed}
          </Button>
        )}
      </div>
    </div>
  )
}

/** The receipts of what was deleted since the page was loaded. */
function ShownReceipts() {
  const { receipts } = useDeletions()
  const [isOpen, setOpen] = useState(false)
  if (receipts.length === 0) return null
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        <ReceiptText aria-hidden />
        {messages.receipts(receipts.length)}
      </Button>
      <ReceiptsDialog receipts={isOpen ? receipts : []} onClose={() => setOpen(false)} />
    </>
  )
}

function EmptyLibrary() {
  return (
    <EmptyState
      icon={<Library aria-hidden />}
      title={messages.emptyTitle}
      actions={
        <Link href="/sources/new" className={buttonClass('primary')}>
          {messages.connectSource}
        </Link>
      }
    >
      <p>{messages.emptyAbout}</p>
    </EmptyState>
  )
}

/** Everything below /library. */
export function LibraryPages() {
  return (
    <Switch>
      <Route path="/library" component={LibraryPage} />
      <Route path="/library/changes" component={EditsPage} />
      <Route path="/library/:source/:item">
        {({ source, item }) => <ItemPage key={`${source}/${item}`} reference={{ source, item_id: whole(item) }} />}
      </Route>
      <Route>
        <Page title={messages.title}>
          <EmptyState
            title={uiMessages.pageNotFound}
            actions={
              <Link href="/library" className={buttonClass()}>
                {messages.allItems}
              </Link>
            }
          />
        </Page>
      </Route>
    </Switch>
  )
}

/** The router leaves `:`, `=` and other characters of an id encoded as in the address. No id contains a `%`. */
function whole(item: string): string {
  return item.replace(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
}

/** Actions for the selected items: displayed below the visible rows, but reached by Tab before them. */
function SelectionBar({
  selection,
  onDelete,
}: {
  readonly selection: Selection
  /** Present the dialog for more items than are deleted with undo. */
  readonly onDelete: (refs: readonly ItemRef[]) => void
}) {
  const reprocess = useReprocess()
  const toast = useToast()
  const { queue } = useDeletions()
  const { refs } = selection
  const remove = () => {
    if (!queue.add(refs)) return onDelete(refs)
    selection.clear()
    focusPage()
  }
  const onClear = () => {
    selection.clear()
    focusPage()
  }
  return (
    <>
      {reprocess.error !== null && <ProblemNote error={reprocess.error} />}
      {refs.length > 0 && (
        <div
          role="toolbar"
          aria-label={messages.selectedItems}
          className="bg-ink text-paper sticky bottom-4 order-last max-md:bottom-20 z-20 mx-auto flex w-fit max-w-full flex-wrap items-center gap-2 rounded-xl px-4 py-2 shadow-xl"
        >
          <span className="mr-2 text-sm font-medium" aria-live="polite">
            {messages.selectedCount(refs.length)}
          </span>
          <Button size="small" busy={reprocess.isPending} onClick={() => reprocess.mutate(refs)}>
            <RotateCw aria-hidden />
            {messages.reprocess}
          </Button>
          <TagForm refs={refs} className="text-ink" onTagged={(tag) => toast(messages.tagged(refs.length, tag))} />
          <ExportMenu refs={refs} />
          <Button look="danger" size="small" onClick={remove}>
            <Trash2 aria-hidden />
            {messages.delete}
          </Button>
          <Button look="quiet" size="small" className="text-inherit! hover:bg-white/15!" onClick={onClear}>
            <X aria-hidden />
            {messages.clear}
          </Button>
        </div>
      )}
    </>
  )
}

function ExportMenu({ refs }: { readonly refs: readonly ItemRef[] }) {
  const toast = useToast()
  const exporting = useMutation({
    mutationFn: (format: 'jsonl' | 'markdown') => exportItems(refs, format),
    onSuccess: () => toast(messages.exported(refs.length)),
    onError: ({ message }) => toast(messages.notExported, message),
  })
  const disabled = exporting.isPending
  return (
    <ActionMenu
      label={messages.export}
      actions={[
        { label: messages.exportMarkdown, icon: FileText, disabled, onChoose: () => exporting.mutate('markdown') },
        { label: messages.exportJsonLines, icon: Braces, disabled, onChoose: () => exporting.mutate('jsonl') },
      ]}
    >
      {disabled ? <LoaderCircle className="animate-spin" aria-hidden /> : <Download aria-hidden />}
      {messages.export}
    </ActionMenu>
  )
}
