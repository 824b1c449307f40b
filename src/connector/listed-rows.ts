import { z } from 'zod'
import { problemSentence } from '../domain/source-problems.ts'
import type { Change, ItemRef } from './connector.ts'
import { SourceError } from './source-error.ts'

/** A page of a listing: a row in an unexpected form does not refuse the others. */
export interface ListedRows<T> {
  readonly taken: readonly T[]
  readonly odd: readonly OddRow[]
}

export interface OddRow {
  readonly id: string
  /** The field that is not as expected. */
  readonly field: string
}

const identified = z.record(z.string(), z.unknown())
const idValue = z.union([z.string().min(1), z.number()]).transform(String)

/**
 * The rows of a page. A row without its id refuses the whole page, because an item that a listing leaves out looks
 * deleted.
 * @param name of the field that identifies a row
 */
export function listedRows<T>(row: z.ZodType<T>, name: string) {
  const known = identified.transform((raw, { issues }) => {
    const id = idValue.safeParse(raw[name])
    if (!id.success) issues.push({ code: 'custom', message: `a row without ${name}`, input: raw })
    return { raw, id: id.data ?? '' }
  })
  return z.array(known).transform((rows): ListedRows<T> => {
    const read = rows.map(({ raw, id }) => ({ id, answer: row.safeParse(raw) }))
    return {
      taken: read.flatMap(({ answer }) => (answer.success ? [answer.data] : [])),
      odd: read.flatMap(({ id, answer }) =>
        answer.success ? [] : [{ id, field: answer.error.issues[0]?.path.join('.') ?? '' }],
      ),
    }
  })
}

/** A row, without the fields in an unexpected form; `undefined` when it can't do without one of them. */
export function tolerantRow<T>(row: z.ZodType<T>, raw: unknown): T | undefined {
  const { data, error } = row.safeParse(raw)
  if (error === undefined) return data
  const odd = new Set(error.issues.map(({ path }) => path[0]))
  const fields = Object.entries(identified.safeParse(raw).data ?? {})
  return row.safeParse(Object.fromEntries(fields.filter(([name]) => !odd.has(name)))).data
}

/** What a run says of a row that can't be read: the item stays as it was. @param source for the message: `Linear` */
export function oddRowChange(source: string, ref: ItemRef, { id, field }: OddRow): Change<never> {
  const problem = problemSentence('unexpected_fields', { title: source, asked: ref.title ?? id, fields: field })
  return { type: 'failed', ref, error: new SourceError('skip', problem) }
}
