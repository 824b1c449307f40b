import { ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'
import { Link } from 'wouter'
import type { FoundMemory } from '../../../http/app/schemas/recall.ts'
import { classNames } from '../../ui/class-names.ts'
import { openableAddress, SafeLink } from '../../ui/safe-link.tsx'
import { SourceText } from '../../ui/source-text.tsx'
import { itemPath } from './item-path.ts'
import { WhyPanel } from './why-panel.tsx'

type Part = 'passage' | 'why'

/** What can be opened of a result: the passage it was made from, why it is here, its item and the original. */
export function ResultMore({ result }: { readonly result: FoundMemory }) {
  const { source, item_id, url, body, matches, score, why } = result
  const [open, setOpen] = useState<Part>()
  const panel = useId()
  const part = (name: Part) => ({
    isOpen: open === name,
    panel,
    onToggle: () => setOpen(open === name ? undefined : name),
  })
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-1 text-[0.8125rem]">
        {body !== null && <Toggle title="Passage" {...part('passage')} />}
        <Toggle title="Why this?" {...part('why')} />
        <Link href={itemPath(source, item_id)} className="text-accent underline-offset-2 hover:underline">
          Open item
        </Link>
        {openableAddress(url ?? undefined) !== undefined && <SafeLink href={url ?? undefined}>Original</SafeLink>}
      </div>
      <div id={panel} className={classNames(open === undefined && 'hidden')}>
        {open === 'passage' && body !== null && (
          <blockquote className="border-line border-l-2 pl-4 text-sm">
            <SourceText text={body} spans={matches.body} />
          </blockquote>
        )}
        {open === 'why' && <WhyPanel score={score} why={why} />}
      </div>
    </>
  )
}

function Toggle({
  title,
  isOpen,
  panel,
  onToggle,
}: {
  readonly title: string
  readonly isOpen: boolean
  readonly panel: string
  readonly onToggle: () => void
}) {
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      aria-controls={panel}
      onClick={onToggle}
      className={classNames('flex items-center gap-1 font-medium', isOpen ? 'text-ink' : 'text-soft hover:text-ink')}
    >
      {title}
      <ChevronDown className={classNames('size-3.5 transition-transform', isOpen && 'rotate-180')} aria-hidden />
    </button>
  )
}
