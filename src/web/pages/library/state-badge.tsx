import { CircleAlert, CircleCheck, Clock3, LoaderCircle } from 'lucide-react'
import type { ListedItem } from '../../../http/app/schemas/library.ts'
import { Badge } from '../../ui/badge.tsx'
import { messages } from './messages.ts'

type State = ListedItem['status']

/** In display order. */
export const STATES: readonly { readonly value: State; readonly label: string }[] = [
  { value: 'ready', label: messages.ready },
  { value: 'failed', label: messages.failed },
  { value: 'processing', label: messages.processing },
  { value: 'queued', label: messages.queued },
]

export function StateBadge({ state }: { readonly state: State }) {
  switch (state) {
    case 'ready':
      return (
        <Badge tone="good">
          <CircleCheck aria-hidden />
          {messages.ready}
        </Badge>
      )
    case 'failed':
      return (
        <Badge tone="bad">
          <CircleAlert aria-hidden />
          {messages.failed}
        </Badge>
      )
    case 'processing':
      return (
        <Badge tone="accent">
          <LoaderCircle className="animate-spin" aria-hidden />
          {messages.processing}
        </Badge>
      )
    default:
      return (
        <Badge>
          <Clock3 aria-hidden />
          {messages.queued}
        </Badge>
      )
  }
}
