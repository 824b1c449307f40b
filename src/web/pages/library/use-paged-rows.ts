import { type UseQueryOptions, useQueries } from '@tanstack/react-query'
import { PAGE_SIZE } from './library-calls.ts'

/**
 * Rows of a list that is too long to be read whole: the pages around what is seen, and nothing for rows whose page is
 * still to come.
 *
 * @param query of one page
 * @param rowsOf an answer
 */
export function usePagedRows<Answer, Row>(
  range: { readonly first: number; readonly last: number },
  query: (page: number) => UseQueryOptions<Answer>,
  rowsOf: (answer: Answer) => readonly Row[],
): { readonly rowAt: (place: number) => Row | undefined; readonly error: unknown } {
  const firstPage = Math.floor(Math.max(0, range.first) / PAGE_SIZE)
  const lastPage = Math.max(firstPage, Math.floor(range.last / PAGE_SIZE))
  const pages = Array.from({ length: lastPage - firstPage + 1 }, (_, n) => firstPage + n)
  const answers = useQueries({ queries: pages.map(query) })
  return {
    rowAt(place) {
      const answer = answers[Math.floor(place / PAGE_SIZE) - firstPage]?.data
      return answer === undefined ? undefined : rowsOf(answer)[place % PAGE_SIZE]
    },
    error: answers.find(({ error }) => error !== null)?.error ?? null,
  }
}
