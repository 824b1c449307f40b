import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ListChecks } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { formatCount } from '../../ui/formats.ts'
import { ProblemNote } from '../../ui/notices.tsx'
import { type ItemRef, type LibraryFilter, listQuery, PAGE_SIZE } from './library-calls.ts'
import { messages } from './messages.ts'

/** As many as one action takes. */
const MOST_SELECTED = 1_000

/** Selects all items that match the filters, or the first of them. */
export function SelectAll({
  filter,
  total,
  onSelect,
}: {
  readonly filter: LibraryFilter
  readonly total: number
  readonly onSelect: (refs: readonly ItemRef[]) => void
}) {
  const queries = useQueryClient()
  const count = Math.min(total, MOST_SELECTED)
  const select = useMutation({
    mutationFn: async () => {
      const pages = Array.from({ length: Math.ceil(count / PAGE_SIZE) }, (_, page) => listQuery(filter, page))
      const lists = []
      // One after another, to spare a slow service.
      for (const page of pages) lists.push(await queries.fetchQuery(page))
      return lists.flatMap(({ items }) => items).slice(0, count)
    },
    onSuccess: onSelect,
  })
  return (
    <>
      <Button size="small" busy={select.isPending} onClick={() => select.mutate()}>
        <ListChecks aria-hidden />
        {count < total ? messages.selectFirst(formatCount(count)) : messages.selectAll(formatCount(total))}
      </Button>
      {select.error !== null && <ProblemNote error={select.error} />}
    </>
  )
}
