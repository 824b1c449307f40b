import type { ApiKey } from '../../../http/app/schemas/keys.ts'
import { Badge } from '../../ui/badge.tsx'
import { SourceIcon, sourceTitle } from '../../ui/source-type.tsx'
import { messages } from './messages.ts'

/** The sources that a key or an agent may access. */
export function SourceBadges({ sources }: Pick<ApiKey, 'sources'>) {
  if (sources === 'all') {
    return (
      <p>
        <Badge>{messages.allSources}</Badge>
      </p>
    )
  }
  if (sources.length === 0) {
    return (
      <p>
        <Badge tone="warn">{messages.noSources}</Badge>
      </p>
    )
  }
  return (
    <ul aria-label={messages.sources} className="flex flex-wrap gap-1.5">
      {sources.map((source) => (
        <li key={source}>
          <Badge>
            <SourceIcon sourceType={source} />
            {sourceTitle(source)}
          </Badge>
        </li>
      ))}
    </ul>
  )
}
