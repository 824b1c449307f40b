import { Link } from 'wouter'
import type { KnownStatement } from '../../../http/app/schemas/subjects.ts'
import { shownText } from '../../ui/source-text.tsx'
import { SourceIcon, sourceTitle } from '../../ui/source-type.tsx'
import { formatWhen } from '../../ui/when-text.ts'
import { itemPath } from '../library/library-calls.ts'
import { PlainLine } from '../reading/marked-words.tsx'

type Cited = KnownStatement['citations'][number]

/** Statements with the items that they come from; nothing when there are none. */
export function StatementList({
  title,
  statements,
}: {
  readonly title: string
  readonly statements: readonly KnownStatement[]
}) {
  if (statements.length === 0) return null
  return (
    <section>
      <h2 className="text-soft mb-1.5 text-[0.8125rem] font-medium">{title}</h2>
      <ul className="border-line bg-sheet rounded-card divide-line divide-y border">
        {statements.map(({ text, citations }) => (
          <li key={text} className="px-4 py-3">
            <PlainLine text={text} />
            <ul className="mt-1 flex flex-col gap-1">
              {citations.map((cited) => (
                <li key={`${cited.source}/${cited.custom_id}`} className="min-w-0">
                  <Citation cited={cited} said={text} />
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Whether a title has no word that the statement lacks, so that both would say the same. */
function isSaid({ title = '' }: Cited, said: string): boolean {
  const words = wordsIn(said)
  return wordsIn(title).isSubsetOf(words)
}

function wordsIn(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu))
}

/** A link to the item of a memory: its title and day. @param said the statement above it */
export function Citation({ cited, said = '' }: { readonly cited: Cited; readonly said?: string }) {
  const { source, custom_id: customId, when } = cited
  const title = isSaid(cited, said) ? undefined : cited.title
  return (
    <Link
      href={itemPath({ source, item_id: itemOf(customId) })}
      className="text-soft hover:text-ink flex min-w-0 flex-wrap items-center gap-x-3 text-[0.8125rem] underline-offset-2"
    >
      <span className="flex max-w-full min-w-0 items-center gap-1.5">
        <SourceIcon sourceType={source} className="size-3.5 shrink-0" />
        <bdi className="truncate">{shownText(title ?? sourceTitle(source))}</bdi>
      </span>
      {when !== undefined && <bdi>{shownText(formatWhen(when))}</bdi>}
    </Link>
  )
}

/** `plan` of `plan_memory_3`. */
function itemOf(customId: string): string {
  return customId.replace(/_memory_\d+$/, '')
}
