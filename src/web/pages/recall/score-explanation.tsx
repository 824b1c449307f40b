import type { Why } from '../../../http/app/schemas/recall.ts'
import { classNames } from '../../ui/class-names.ts'
import { shownText } from '../../ui/source-text.tsx'
import { messages } from './messages.ts'
import { roundToSum } from './scores.ts'

/** The score breakdown in points of 100, and the matching words. */
export function ScoreExplanation({ score, why }: { readonly score: number; readonly why: Why }) {
  const points = roundToSum(
    why.parts.map(({ value }) => value * 100),
    Math.round(score * 100),
  )
  const parts = why.parts
    .map((part, index) => ({ ...part, points: points[index] ?? 0 }))
    .filter((part) => part.points !== 0)
  const most = Math.max(1, ...parts.map((part) => Math.abs(part.points)))
  return (
    <div className="mt-2 flex flex-col gap-3 text-[0.8125rem]">
      <table className="w-full max-w-lg border-collapse">
        <caption className="text-soft mb-1.5 text-left">{messages.scoreParts(Math.round(score * 100))}</caption>
        <thead className="sr-only">
          <tr>
            <th scope="col">{messages.reason}</th>
            <th scope="col">{messages.points}</th>
          </tr>
        </thead>
        <tbody>
          {parts.map((part) => (
            <tr key={part.kind}>
              <th scope="row" className="py-0.5 pr-3 text-left font-normal">
                {part.kind === 'update' && part.points < 0 ? messages.outdatedReason : messages.reasons[part.kind]}
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

/** Rarer words weigh more. */
function Words({ words }: Pick<Why, 'words'>) {
  const sorted = words.toSorted((a, b) => b.weight - a.weight)
  return (
    <p>
      <span className="text-soft">{messages.questionWords}</span>
      {sorted.map(({ word, weight, where }, index) => (
        <span key={`${word} ${where}`}>
          {index > 0 && ', '}
          <bdi className="font-medium [overflow-wrap:anywhere]">{shownText(word)}</bdi>
          <span className="text-soft">
            {' '}
            ({messages.foundIn[where]}
            {Math.round(weight * 100)}%)
          </span>
        </span>
      ))}
      <span className="text-soft">{messages.rareWords}</span>
    </p>
  )
}
