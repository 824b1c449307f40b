import { Link } from 'wouter'
import type { FoundMemory } from '../../../http/app/schemas/recall.ts'
import { formatNoun } from '../../ui/formats.ts'
import { shownText } from '../../ui/source-text.tsx'
import { SourceIcon, sourceTitle } from '../../ui/source-type.tsx'
import { itemPath } from './item-path.ts'

/** Where the same is said to the word; those are no results of their own. */
export function AlsoIn({ copies }: { readonly copies: FoundMemory['also_in'] }) {
  if (copies.length === 0) return null
  return (
    <details className="text-[0.8125rem]">
      <summary className="text-soft hover:text-ink w-fit font-medium select-none">
        The same in {formatNoun(copies.length, 'other place')}
      </summary>
      <ul className="mt-2 flex flex-col gap-1.5">
        {copies.map(({ custom_id, source, item_id, title, when }) => (
          <li key={custom_id} className="flex min-w-0 items-center gap-2">
            <SourceIcon sourceType={source} className="text-soft size-3.5 shrink-0" />
            <Link
              href={itemPath(source, item_id)}
              className="text-accent min-w-0 truncate underline-offset-2 hover:underline"
            >
              <bdi>{shownText(title ?? sourceTitle(source))}</bdi>
            </Link>
            {when !== null && <bdi className="text-soft shrink-0">{shownText(when)}</bdi>}
          </li>
        ))}
      </ul>
    </details>
  )
}
