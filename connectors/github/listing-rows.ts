import { z } from 'zod'

/** A page of a listing; a row that nobody can read does not refuse the others. */
export interface Rows<T> {
  readonly taken: readonly T[]
  readonly odd: readonly OddRow[]
  /** Of both, as GitHub sent them. */
  readonly count: number
}

export interface OddRow {
  readonly number: number
  readonly isPullRequest: boolean
  /** What is wrong with it, without its content. */
  readonly problem: string
}

/** What identifies a row; without it, the response is not a listing of GitHub. */
const identified = z.object({ number: z.int(), pull_request: z.unknown() }).or(z.object({ id: z.int() }))

export function rowsOf<T>(entry: z.ZodType<T>): z.ZodType<Rows<T>> {
  return z.array(identified.and(z.unknown())).transform((rows) => {
    const taken: T[] = []
    const odd: OddRow[] = []
    for (const row of rows) {
      const { data, error } = entry.safeParse(row)
      if (error === undefined) taken.push(data)
      else odd.push(oddRow(row, error))
    }
    return { taken, odd, count: rows.length }
  })
}

function oddRow(row: z.infer<typeof identified>, error: z.ZodError): OddRow {
  const field = error.issues[0]?.path.join('.') ?? ''
  const problem = `GitHub sent it in an unexpected form${field && ` (at ${field})`}`
  return 'number' in row
    ? { number: row.number, isPullRequest: Boolean(row.pull_request), problem }
    : { number: 0, isPullRequest: false, problem }
}
