import type { Quotas } from '../../../http/app/schemas/billing.ts'
import { formatBytes, formatCount, formatNoun } from '../../ui/formats.ts'

/** What a plan can limit, in the order it is shown. */
export const QUOTAS: readonly {
  readonly quota: keyof Quotas
  readonly title: string
  readonly format: (amount: number) => string
  /** What a plan allows: `5,000 uploads a month`. */
  readonly allows: (amount: number) => string
}[] = [
  { quota: 'items', title: 'Items held', format: formatCount, allows: (most) => formatNoun(most, 'item') },
  { quota: 'storage_bytes', title: 'Bytes held', format: formatBytes, allows: formatBytes },
  monthly('uploads_per_month', 'upload'),
  monthly('recalls_per_month', 'recall'),
  monthly('asks_per_month', 'question'),
]

function monthly(quota: keyof Quotas, noun: string) {
  return {
    quota,
    title: `${noun[0]?.toUpperCase()}${noun.slice(1)}s this month`,
    format: formatCount,
    allows: (most: number) => `${formatNoun(most, noun)} a month`,
  }
}
