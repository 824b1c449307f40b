import { RefreshCw, Trash2 } from 'lucide-react'
import type { ApiKey } from '../../../http/app/schemas/keys.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { SourceIcon, sourceTitle } from '../../ui/source-type.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'

/** One key: its name, what it reaches, its use, and what can be done with it. */
export function KeyRow({
  of: key,
  onRegenerate,
  onRevoke,
}: {
  readonly of: ApiKey
  readonly onRegenerate: (() => void) | undefined
  readonly onRevoke: (() => void) | undefined
}) {
  const name = shownText(key.name)
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 px-5 py-4">
      <div className="flex min-w-0 flex-1 basis-80 flex-col gap-2">
        <h3 className="flex flex-wrap items-center gap-2 font-medium">
          <bdi className="[overflow-wrap:anywhere]">{name}</bdi>
          {key.is_default && <Badge tone="accent">Default</Badge>}
        </h3>
        <Sources of={key} />
        <p className="text-soft text-[0.8125rem]">
          Created <TimeAgo time={key.created_at} />
          <span aria-hidden> · </span>
          {key.last_used_at === null ? (
            'Never used'
          ) : (
            <>
              Last used <TimeAgo time={key.last_used_at} />
            </>
          )}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        {onRegenerate && (
          <Button size="small" aria-label={`Regenerate ${name}`} onClick={onRegenerate}>
            <RefreshCw aria-hidden />
            Regenerate
          </Button>
        )}
        {onRevoke && (
          <Button look="danger" size="small" aria-label={`Revoke ${name}`} onClick={onRevoke}>
            <Trash2 aria-hidden />
            Revoke
          </Button>
        )}
      </div>
    </li>
  )
}

function Sources({ of: { sources } }: { readonly of: ApiKey }) {
  if (sources === 'all') {
    return (
      <p>
        <Badge>All sources</Badge>
      </p>
    )
  }
  if (sources.length === 0) {
    return (
      <p>
        <Badge tone="warn">No sources</Badge>
      </p>
    )
  }
  return (
    <ul aria-label="Sources" className="flex flex-wrap gap-1.5">
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
