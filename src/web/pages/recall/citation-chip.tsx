import { PreviewCard } from '@base-ui/react/preview-card'
import { useLocation } from 'wouter'
import type { CitedPassage, FoundMemory } from '../../../http/app/schemas/recall.ts'
import { shownText } from '../../ui/source-text.tsx'
import { SourceIcon, sourceTitle } from '../../ui/source-type.tsx'
import { formatWhen } from '../../ui/when-text.ts'
import { PlainLine } from '../reading/marked-words.tsx'
import { memoryKey } from './memory-key.ts'
import { messages } from './messages.ts'
import { itemPath } from './recall-calls.ts'

/**
 * A citation with its number and title. Pointing at it or focusing it shows the quotation with title and day; a click shows the
 * passage, or opens its item if it is not among the results.
 */
export function CitationChip({
  citation,
  isFurther,
  results,
  onShow,
}: {
  readonly citation: CitedPassage
  /** Of the same item as the one before it, whose title says so. */
  readonly isFurther: boolean
  readonly results: readonly FoundMemory[]
  readonly onShow: (key: string) => void
}) {
  const { n, source, item_id, title } = citation
  const [, navigate] = useLocation()
  const name = title ?? sourceTitle(source)
  const open = () => {
    const shown =
      results.find((result) => memoryKey(result) === memoryKey(citation)) ??
      results.find((result) => result.source === source && result.item_id === item_id)
    if (shown === undefined) navigate(itemPath(source, item_id))
    else onShow(memoryKey(shown))
  }
  return (
    <PreviewCard.Root>
      <PreviewCard.Trigger
        delay={150}
        closeDelay={100}
        render={
          <button
            type="button"
            onClick={open}
            className="bg-raised text-soft hover:text-ink inline-flex min-h-6 max-w-56 items-center gap-1.5 rounded-full px-2.5 text-xs font-medium"
          />
        }
      >
        <span className="text-accent font-semibold">
          <span className="sr-only">{messages.citation} </span>
          {n}
        </span>
        <bdi className={isFurther ? 'sr-only' : 'truncate'}>{shownText(name)}</bdi>
      </PreviewCard.Trigger>
      {/* Within the page, so that its text is in a landmark. */}
      <PreviewCard.Portal container={document.getElementById('page')}>
        <PreviewCard.Positioner sideOffset={6} align="start" className="z-40">
          <PreviewCard.Popup className="bg-sheet border-line flex w-[min(22rem,calc(100vw-2rem))] flex-col gap-1.5 rounded-xl border p-3.5 text-sm shadow-xl">
            <Quotation citation={citation} name={name} />
          </PreviewCard.Popup>
        </PreviewCard.Positioner>
      </PreviewCard.Portal>
    </PreviewCard.Root>
  )
}

function Quotation({
  citation: { source, quote, when },
  name,
}: {
  readonly citation: CitedPassage
  readonly name: string
}) {
  return (
    <>
      <p className="flex items-center gap-2">
        <SourceIcon sourceType={source} className="text-soft size-4 shrink-0" />
        <bdi className="min-w-0 flex-1 truncate font-semibold">{shownText(name)}</bdi>
      </p>
      <blockquote className="line-clamp-6">
        <PlainLine text={quote} />
      </blockquote>
      {when !== null && (
        <p className="text-soft text-xs">
          <bdi>{shownText(formatWhen(when))}</bdi>
        </p>
      )}
    </>
  )
}
