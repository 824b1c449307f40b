import { Link } from 'wouter'
import type { CitedPassage } from '../../../http/app/schemas/recall.ts'
import { openableAddress, SafeLink } from '../../ui/safe-link.tsx'
import { SourceText, shownText } from '../../ui/source-text.tsx'
import { SourceIcon, sourceTitle } from '../../ui/source-type.tsx'
import { itemPath } from './item-path.ts'
import { memoryKey } from './memory-key.ts'

const LINK = 'text-accent underline-offset-2 hover:underline'

/** What an answer rests on: the words, where they stand, and the way there. */
export function CitationList({
  citations,
  here,
  onShow,
  idOf,
}: {
  readonly citations: readonly CitedPassage[]
  /** Memories that are among the results, by `memoryKey`. */
  readonly here: ReadonlySet<string>
  readonly onShow: (key: string) => void
  readonly idOf: (n: number) => string
}) {
  return (
    <ol aria-label="Sources of the answer" className="flex flex-col gap-3 text-[0.8125rem]">
      {citations.map(({ n, source, item_id, custom_id, title, when, quote, url }) => (
        <li
          key={n}
          id={idOf(n)}
          tabIndex={-1}
          className="border-line focus:border-accent flex flex-col gap-1.5 border-l-2 pl-3 outline-none"
        >
          <p className="flex items-center gap-2">
            <span className="text-accent font-semibold tabular-nums">{n}</span>
            <SourceIcon sourceType={source} className="text-soft size-3.5 shrink-0" />
            <bdi title={shownText(title ?? '')} className="min-w-0 flex-1 truncate font-medium">
              {shownText(title ?? sourceTitle(source))}
            </bdi>
            {when !== null && <bdi className="text-soft shrink-0">{shownText(when)}</bdi>}
          </p>
          <blockquote className="text-soft line-clamp-6">
            <SourceText text={quote} />
          </blockquote>
          <p className="flex flex-wrap gap-x-4 gap-y-1">
            {here.has(memoryKey({ source, custom_id })) ? (
              <button type="button" className={LINK} onClick={() => onShow(memoryKey({ source, custom_id }))}>
                Show among the results
              </button>
            ) : (
              <Link href={itemPath(source, item_id)} className={LINK}>
                Open item
              </Link>
            )}
            {openableAddress(url ?? undefined) !== undefined && <SafeLink href={url ?? undefined}>Original</SafeLink>}
          </p>
        </li>
      ))}
    </ol>
  )
}
