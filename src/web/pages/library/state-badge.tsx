import { CircleAlert, CircleCheck, Clock3, LoaderCircle } from 'lucide-react'
import type { ListedItem } from '../../../http/app/schemas/library.ts'
import { Badge } from '../../ui/badge.tsx'

type State = ListedItem['status']

/** In the order in which they are offered. */
export const STATES: readonly { readonly value: State; readonly label: string }[] = [
  { value: 'ready', label: 'Ready' },
  { value: 'failed', label: 'Failed' },
  { value: 'processing', label: 'Processing' },
  { value: 'queued', label: 'Waiting' },
]

export function StateBadge({ state }: { readonly state: State }) {
  switch (state) {
    case 'ready':
      return (
        <Badge tone="good">
          <CircleCheck aria-hidden />
          Ready
        </Badge>
      )
    case 'failed':
      return (
        <Badge tone="bad">
          <CircleAlert aria-hidden />
          Failed
        </Badge>
      )
    case 'processing':
      return (
        <Badge tone="accent">
          <LoaderCircle className="animate-spin" aria-hidden />
          Processing
        </Badge>
      )
    default:
      return (
        <Badge>
          <Clock3 aria-hidden />
          Waiting
        </Badge>
      )
  }
}
