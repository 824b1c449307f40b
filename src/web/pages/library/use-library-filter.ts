import { useSearchParams } from 'wouter'
import type { LibrarySort } from '../../../http/app/schemas/library.ts'
import type { LibraryFilter } from './library-calls.ts'

export const SORTS: readonly { readonly value: LibrarySort; readonly label: string }[] = [
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
  { value: 'name', label: 'Name, A to Z' },
  { value: 'name_back', label: 'Name, Z to A' },
  { value: 'largest', label: 'Largest first' },
  { value: 'smallest', label: 'Smallest first' },
  { value: 'state', label: 'Problems first' },
]

/** What the address says is to be shown, so that a link or the way back shows the same. */
export function useLibraryFilter(): {
  readonly filter: LibraryFilter
  readonly change: (change: Partial<LibraryFilter>) => void
} {
  const [params, setParams] = useSearchParams()
  const listed = (name: string) => (params.get(name) ?? '').split(',').filter((value) => value !== '')
  const filter: LibraryFilter = {
    sources: listed('sources'),
    states: listed('states'),
    text: params.get('text') ?? '',
    sort: SORTS.find(({ value }) => value === params.get('sort'))?.value ?? 'newest',
  }
  const change = (changed: Partial<LibraryFilter>) => {
    const { sources, states, text, sort } = { ...filter, ...changed }
    const next = new URLSearchParams()
    if (sources.length > 0) next.set('sources', sources.join(','))
    if (states.length > 0) next.set('states', states.join(','))
    if (text !== '') next.set('text', text)
    if (sort !== 'newest') next.set('sort', sort)
    setParams(next, { replace: true })
  }
  return { filter, change }
}
