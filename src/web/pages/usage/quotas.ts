import type { Quotas } from '../../../app-api/wire/billing.ts'
import { formatBytes, formatCount } from '../../ui/formats.ts'

/** What a plan can limit, in the order it is shown. */
export const QUOTAS: readonly {
  readonly quota: keyof Quotas
  readonly title: string
  readonly format: (amount: number) => string
}[] = [
  { quota: 'items', title: 'Items held', format: formatCount },
  { quota: 'storage_bytes', title: 'Bytes held', format: formatBytes },
  { quota: 'uploads_per_month', title: 'Uploads this month', format: formatCount },
  { quota: 'recalls_per_month', title: 'Recalls this month', format: formatCount },
  { quota: 'asks_per_month', title: 'Questions this month', format: formatCount },
]
