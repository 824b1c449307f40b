import { Star, X } from 'lucide-react'
import { useRef } from 'react'
import { Link } from 'wouter'
import { classNames } from '../../ui/class-names.ts'
import { type Search, searchQuery } from './search-address.ts'
import { searchTitle } from './search-title.ts'
import { startMessages as messages } from './start-messages.ts'
import { useSavedSearches } from './stored-choices.ts'

/** A star that saves the question with its filters, or removes it. */
export function SaveSearch({ search }: { readonly search: Search }) {
  const saved = useSavedSearches()
  const query = searchQuery(search)
  const isSaved = saved.texts.includes(query)
  return (
    <button
      type="button"
      aria-label={messages.saveSearch}
      aria-pressed={isSaved}
      title={isSaved ? messages.unsaveSearch : messages.saveSearch}
      onClick={() => (isSaved ? saved.remove(query) : saved.add(query))}
      className="text-soft hover:text-ink hover:bg-raised aria-pressed:text-accent grid size-8 shrink-0 place-items-center rounded-lg"
    >
      <Star className={classNames('size-4', isSaved && 'fill-current')} aria-hidden />
    </button>
  )
}

/** The saved searches, the last saved first; each leads to its results as they are now. */
export function SavedSearches() {
  const { texts, remove } = useSavedSearches()
  const list = useRef<HTMLUListElement>(null)
  if (texts.length === 0) return null
  const forget = (query: string, index: number) => {
    const removers = list.current?.querySelectorAll('button') ?? []
    // The focus stays in the list, or goes to the search box.
    const next = removers[index + 1] ?? removers[index - 1] ?? document.getElementById('question')
    next?.focus()
    remove(query)
  }
  return (
    <section>
      <h2 className="text-soft flex min-h-8 items-center text-sm font-medium">{messages.saved}</h2>
      <ul ref={list} className="mt-2 flex flex-wrap gap-2">
        {texts.map((query, index) => {
          const title = searchTitle(query)
          return (
            <li key={query} className="border-line bg-sheet flex max-w-full rounded-lg border">
              <Link
                href={`/?${query}`}
                className="text-ink hover:bg-raised flex min-h-9 min-w-0 items-center gap-2 rounded-l-lg py-1.5 pl-3.5 text-sm font-medium no-underline"
              >
                <Star className="text-accent size-4 shrink-0 fill-current" aria-hidden />
                <bdi className="[overflow-wrap:anywhere]">{title}</bdi>
              </Link>
              <button
                type="button"
                aria-label={messages.removeSaved(title)}
                title={messages.unsaveSearch}
                onClick={() => forget(query, index)}
                className="text-soft hover:text-ink hover:bg-raised grid min-h-9 w-8 shrink-0 place-items-center rounded-r-lg"
              >
                <X className="size-3.5" aria-hidden />
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
