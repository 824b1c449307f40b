import type { GoldenScores, SpaceComparison } from '../../administration/reindex-contract.ts'
import { type Io, printable } from '../../lib/terminal-text.ts'
import type { GoldenChange } from '../../service/golden-report.ts'
import { cut, lineWidth, styleFor, table } from '../terminal/layout.ts'
import { messages } from './messages.ts'

/** A rank and the previous one, with the question. */
export type AskedQuestion = GoldenChange & { readonly question: string }

/** Maximum characters of a question in a table. */
const LEAST_QUESTION = 40
const COLUMNS_BEFORE = 30

/** `18 of 20 found in the top 10, 15 in the top 5; mean reciprocal rank 0.71`. */
export function scoresText(scores: GoldenScores): string {
  const { asked, found_in_5: in5, found_in_10: in10, without_item: withoutItem } = scores
  const deleted = withoutItem === 0 ? '' : messages.withoutItem(withoutItem)
  return `${messages.scores(in10, asked, in5, scores.mean_reciprocal_rank.toFixed(2))}${deleted}`
}

/** `3`, or `1 -> 3` if it has changed. */
export function rankText({ rank, before, change }: GoldenChange): string {
  const now = rank === null ? messages.notFound : String(rank)
  if (before === undefined || change === 'same' || change === 'new') return now
  return `${before === null ? messages.notFound : before} -> ${now}`
}

/** A line for each question; better ones green, worse ones red. */
export function questionsText(questions: readonly AskedQuestion[], io: Io): string {
  const style = styleFor(io.stdout, io.env)
  const width = Math.max(LEAST_QUESTION, lineWidth(io.stdout) - COLUMNS_BEFORE)
  const rows = questions.map((asked) => [
    String(asked.number),
    rankText(asked),
    asked.change === 'better' || asked.change === 'worse' ? asked.change : '',
    cut(printable(asked.question), width),
  ])
  const looks = { better: 'green', worse: 'red', same: undefined, new: undefined } as const
  return table([['', 'rank', '', 'question'], ...rows])
    .split('\n')
    .map((line, i) => {
      const look = looks[questions[i - 1]?.change ?? 'same']
      return look === undefined ? line : style(look, line)
    })
    .join('\n')
}

/** How the results of the golden questions of an account change. @param hasOthers whether there are several accounts */
export function comparisonText(
  { account_id: account, before, after, questions }: SpaceComparison,
  io: Io,
  hasOthers: boolean,
): string {
  const changed = questions.filter(({ change }) => change === 'better' || change === 'worse')
  return [
    `${hasOthers ? messages.goldenOf(account) : messages.goldenQuestions}\n`,
    `${messages.before(scoresText(before))}\n`,
    `${messages.after(scoresText(after))}\n`,
    changed.length === 0 ? '' : questionsText(changed, io),
    `${messages.unchanged(questions.length - changed.length)}\n`,
  ].join('')
}
