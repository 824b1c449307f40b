import { keptSince, type RetentionDays, retentionReason } from '../domain/retention.ts'
import type { SourceType } from '../domain/source-type.ts'
import { type Ledger, type LedgerItem, ledgerKey } from '../store/ledger/ledger.ts'
import type { StoredItem } from '../store/library/library.ts'
import type { ScopedStore } from '../store/store.ts'

/** Expired items of one source or one connection. */
export interface Expired extends RetentionLimit {
  readonly sourceType: SourceType
  readonly items: number
  readonly memories: number
  readonly bytes: number
}

export interface RetentionLimit {
  readonly days: number
  /** `slack/acme`, when it has its own limit. */
  readonly connection?: string
}

/** Retention of a connection; overrides that of the source for its items. */
export interface ConnectionRetention {
  readonly connection: string
  readonly sourceTypes: readonly SourceType[]
  readonly days: number
}

export interface ExpiredRequest {
  readonly scoped: ScopedStore
  readonly ledger: Ledger
  readonly sourceType: SourceType
  /** Of the source; absent: kept forever. */
  readonly days: number | undefined
  /** Connections of this source with their own retention. */
  readonly connections: readonly ConnectionRetention[]
  readonly now: Date
  /** Nothing is deleted. */
  readonly dryRun: boolean
  /** After each page; `false` stops. */
  readonly mayGoOn: () => Promise<boolean>
}

interface OldItem {
  readonly item: StoredItem
  readonly limit: RetentionLimit
}

const PAGE = 500

/**
 * Deletes items whose content date, or upload date without one, is older than their retention. Connectors skip them
 * from then on, with the reason in the ledger. Items that arrive meanwhile stay.
 * @returns one result per limit, including those without expired items
 */
export async function forgetExpired(request: ExpiredRequest): Promise<Expired[]> {
  const { scoped, sourceType, days, connections } = request
  const limits: RetentionLimit[] = connections.map(({ connection, days }) => ({ connection, days }))
  if (days !== undefined) limits.unshift({ days })
  const found = limits.map((limit) => ({ sourceType, ...limit, items: 0, memories: 0, bytes: 0 }))
  for (let after = 0; ; ) {
    const page = await scoped.library.stored({ sourceType, after, limit: PAGE })
    const old = await oldItems(request, page, limits)
    const gone = request.dryRun ? old : await forget(request, old)
    for (const { item, limit } of gone) {
      const counted = found[limits.indexOf(limit)]
      if (counted === undefined) continue
      counted.items += 1
      counted.memories += item.memoryCount
      counted.bytes += item.sizeBytes
    }
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE || !(await request.mayGoOn())) return found
    after = last.key
  }
}

/** Queries the ledger for the connections, and so the limits, of possibly expired items. */
async function oldItems(
  { ledger, now }: ExpiredRequest,
  page: readonly StoredItem[],
  limits: readonly RetentionLimit[],
): Promise<OldItem[]> {
  const shortest = Math.min(...limits.map(({ days }) => days))
  const candidates = page.filter((item) => contentDate(item) < keptSince(shortest, now))
  const rows = candidates.length === 0 ? undefined : await ledger.findItems(candidates)
  return candidates.flatMap((item) => {
    const limit = limitOf(rows?.get(ledgerKey(item)), limits)
    return limit !== undefined && contentDate(item) < keptSince(limit.days, now) ? [{ item, limit }] : []
  })
}

function limitOf(row: LedgerItem | undefined, limits: readonly RetentionLimit[]): RetentionLimit | undefined {
  // An upload that replaces a deleted item does not belong to the connection.
  const brought = row?.contentHash === undefined ? undefined : `${row.connector}/${row.name}`
  const own = brought === undefined ? undefined : limits.find(({ connection }) => connection === brought)
  return own ?? limits.find(({ connection }) => connection === undefined)
}

/** The end of the content's time range; the upload without one. */
function contentDate({ statedUntil, statedFrom, uploadedAt }: StoredItem): Date {
  return statedUntil ?? statedFrom ?? uploadedAt
}

async function forget({ scoped }: ExpiredRequest, items: readonly OldItem[]): Promise<readonly OldItem[]> {
  const gone: OldItem[] = []
  for (const old of items) {
    const { days, connection } = old.limit
    const reason = retentionReason(old.item.sourceType, days, connection)
    if ((await scoped.forgetItem(old.item, reason)) !== undefined) gone.push(old)
  }
  return gone
}

/** The sources with a limit. */
export function limitedSources(days: RetentionDays): [sourceType: SourceType, days: number][] {
  return Object.entries(days) as [SourceType, number][]
}
