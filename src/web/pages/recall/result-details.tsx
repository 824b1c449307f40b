import { ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'
import { Link } from 'wouter'
import type { FoundMemory, Why, WhyKind } from '../../../http/app/schemas/recall.ts'
import { classNames } from '../../ui/class-names.ts'
import { openableAddress, SafeLink } from '../../ui/safe-link.tsx'
import { SourceText, shownText } from '../../ui/source-text.tsx'
import { itemPath } from './recall-calls.ts'
import { wholePoints } from './round-to-sum.ts'

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

const TITLES: Readonly<Record<WhyKind, string>> = {
  words: 'It has words of your question',
  names: 'Its people, headings or date have such words',
  meaning: 'It means something similar',
  around: 'What stands before and after it fits',
  time: 'It lies in the time you asked for',
  answer: 'It has what such a question asks for',
  self: 'Somebody tells of themselves in it',
  length: 'How long it is',
  source: 'It is from a source you named',
  reranker: 'The ranking model finds that it fits',
  update: 'It is the newest on its subject',
}
const OUTDATED = 'Something newer was said about it'
const WHERE = { text: '', names: 'in its people, headings or date, ', around: 'before or after it, ' } as const

/** How the score came about, in points of 100, and which words it was found by. */
function WhyPanel({ score, why }: { readonly score: number; readonly why: Why }) {
  const points = wholePoints(
    why.parts.map(({ value }) => value * 100),
    Math.round(score * 100),
  )
  const parts = why.parts
    .map((part, place) => ({ ...part, points: points[place] ?? 0 }))
    .filter((part) => part.points !== 0)
  const most = Math.max(1, ...parts.map((part) => Math.abs(part.points)))
  return (
    <div className="bg-raised flex flex-col gap-3 rounded-lg p-4 text-[0.8125rem]">
      <table className="w-full max-w-lg border-collapse">
        <caption className="text-soft mb-1.5 text-left">
          Of 100 points it has {Math.round(score * 100)}, the more the better it fits:
        </caption>
        <thead className="sr-only">
          <tr>
            <th scope="col">What counts</th>
            <th scope="col">Points</th>
          </tr>
        </thead>
        <tbody>
          {parts.map((part) => (
            <tr key={part.kind}>
              <th scope="row" className="py-0.5 pr-3 text-left font-normal">
                {part.kind === 'update' && part.points < 0 ? OUTDATED : TITLES[part.kind]}
              </th>
              <td className="w-24 py-0.5 sm:w-40">
                <Bar points={part.points} most={most} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {why.words.length > 0 && <Words words={why.words} />}
    </div>
  )
}

function Bar({ points, most }: { readonly points: number; readonly most: number }) {
  return (
    <span className="flex items-center gap-2">
      <span className="w-8 shrink-0 text-right tabular-nums">{points > 0 ? `+${points}` : `−${-points}`}</span>
      <span aria-hidden className="h-1.5 flex-1">
        <span
          className={classNames('block h-full rounded-full', points > 0 ? 'bg-accent' : 'bg-edge')}
          style={{ width: `${(Math.abs(points) / most) * 100}%` }}
        />
      </span>
    </span>
  )
}

/** The rarer a word, the more it counts. */
function Words({ words }: Pick<Why, 'words'>) {
  const sorted = words.toSorted((a, b) => b.weight - a.weight)
  return (
    <p>
      <span className="text-soft">Words of your question: </span>
      {sorted.map(({ word, weight, where }, place) => (
        <span key={`${word} ${where}`}>
          {place > 0 && ', '}
          <bdi className="font-medium [overflow-wrap:anywhere]">{shownText(word)}</bdi>
          <span className="text-soft">
            {' '}
            ({WHERE[where]}
            {Math.round(weight * 100)}%)
          </span>
        </span>
      ))}
      <span className="text-soft">. The rarer a word, the more it counts.</span>
    </p>
  )
}
