import { createHash } from 'node:crypto'
import { z } from 'zod'
import { tolerantRow } from '../../src/connector/listed-rows.ts'
import { SourceError } from '../../src/connector/source-error.ts'

/** Optional text; other types count as missing. */
export const optionalText = z.string().optional().catch(undefined)

/** Likewise for a number; some APIs write 64-bit integers as text. */
export const optionalNumber = z.coerce.number().optional().catch(undefined)

/** The valid entries of a listing; invalid ones are skipped. */
export function rowsOf<T>(schema: z.ZodType<T>) {
  return z
    .array(z.unknown())
    .nullish()
    .transform((rows) => (rows ?? []).flatMap((row) => schema.safeParse(row).data ?? []))
}

/**
 * Every entry of a listing, without the fields in an unexpected form. One that can't do without them refuses the page:
 * an entry that a listing leaves out looks deleted.
 */
export function listedRowsOf<T>(schema: z.ZodType<T>) {
  const row = z.unknown().transform((raw, { issues }): T => {
    const taken = tolerantRow(schema, raw)
    if (taken !== undefined) return taken
    issues.push({ code: 'custom', message: 'an entry without its id', input: raw })
    return z.NEVER
  })
  return z
    .array(row)
    .nullish()
    .transform((rows) => rows ?? [])
}

/** A token in another form must not look like the end of a listing. */
export const pageToken = z
  .string()
  .nullish()
  .transform((token) => token ?? undefined)

/** One page of a listing: its entries under their name, and the token of the next page. */
export function pageOf<Name extends string, T>(name: Name, row: z.ZodType<T>) {
  return z
    .looseObject({ [name]: listedRowsOf(row), nextPageToken: pageToken })
    .transform((page) => ({ rows: page[name] as T[], nextPageToken: page.nextPageToken as string | undefined }))
}

/** All entries of a listing. @param ask requests one page */
export async function* allPages<T>(
  ask: (
    pageToken: string | undefined,
  ) => Promise<{ readonly rows: readonly T[]; readonly nextPageToken?: string | undefined }>,
): AsyncGenerator<T> {
  for (let token: string | undefined; ; ) {
    const { rows, nextPageToken } = await ask(token)
    yield* rows
    token = followingPage(token, nextPageToken)
    if (token === undefined) return
  }
}

/**
 * The token of the next page.
 * @throws SourceError `retry` when it equals `sent`, because an endless listing is never complete
 */
export function followingPage(sent: string | undefined, given: string | undefined): string | undefined {
  if (!given) return undefined
  if (given === sent) throw new SourceError('retry', 'Google keeps returning the same page of a list.')
  return given
}

/** A digest of the content. @param content everything that the item's document contains */
export function contentRevision(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 20)
}

/** An RFC 3339 time; `undefined` when it is invalid. */
export function instantOf(text: string | undefined): Date | undefined {
  const at = text === undefined ? Number.NaN : Date.parse(text)
  return Number.isNaN(at) ? undefined : new Date(at)
}

/** The account of a token without an identity: the connection. */
export function connectionAccount(name: string): { readonly account: string; readonly title: string } {
  return { account: `connection:${name}`, title: name }
}

/** Whether the server cannot return the account: a proxy, or a server other than Google's. */
export function isIdentityUnknown({ status }: { readonly status?: number }): boolean {
  return status === 400 || status === 404
}
