import type { Why, WhyKind } from '../../../http/app/schemas/recall.ts'
import { classNames } from '../../ui/class-names.ts'
import { shownText } from '../../ui/source-text.tsx'
import { wholePoints } from './whole-points.ts'

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
export function WhyPanel({ score, why }: { readonly score: number; readonly why: Why }) {
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
