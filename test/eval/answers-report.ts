import type { Embedder } from '../../src/models/model.ts'
import { LOSSES } from './answer-losses.ts'
import { ANSWERS_HEAD, answersRow, isBad, type MarkedAnswer } from './answer-marks.ts'
import type { InstalledModels } from './encoder.ts'
import type { EvaluationSet } from './evaluation-set.ts'
import type { HomeHalf } from './home/questions.ts'
import { LANGUAGE_LIVES, LIVES } from './lives/lives.ts'
import { measureHomeAnswers, measureLifeAnswers, measureSetAnswers } from './measure-answers.ts'
import type { ResultsSection } from './results-file.ts'
import { tableHead, tableRow } from './table.ts'

const ALL_LIVES = [...LIVES, ...LANGUAGE_LIVES]
/** The sets whose answers are measured: those with answers in words, and our own. */
export const ANSWERED_SETS = [
  'home',
  ...ALL_LIVES.map(({ name }) => name),
  'lifebench-dev',
  'locomo-dev',
  'realtalk-dev',
]

const INTRODUCTION = `## Answers

Every session or item is uploaded as a file, and the service answers every question without a language model. Percent.
Answered: of the questions that have an answer. Right: the answer, without its list of sources, contains what was asked for; in
the sets with an answer in words, three fifths of its words. In the first line: the same in the line before the first quotation
below; in the first sentence: up to its first full stop, even within a quotation. Abstained: of the unanswerable ones. Speaker,
date, current value: the first line names the speaker, the date, and the value that is current when the question is asked. \`home\`
is a fictional home ([its questions and rules](home/README.md)), here the development half; \`--final\` prints the held-back questions.
\`german\` to \`chinese\` are lives in these languages, each with two halves, too ([lives](lives/README.md)).`

interface AnswersOptions {
  readonly names: readonly string[]
  readonly half: HomeHalf
  /** How many bad answers of each set are printed. */
  readonly failures: number
  /** Counts where wrong answers were lost, and prints so many bad ones of each. */
  readonly losses?: number
  /** Measures every set once more with these plugged in. */
  readonly models?: InstalledModels | undefined
}

/** Measures the sets and prints a row for each of their kinds. @returns the section of RESULTS.md */
export async function answersReport(
  sets: readonly EvaluationSet[],
  embedder: Embedder,
  { names, half, failures, losses, models }: AnswersOptions,
): Promise<ResultsSection> {
  const rows: string[] = []
  for (const name of names) {
    const set = sets.find((one) => one.name === name)
    const life = ALL_LIVES.find((one) => one.name === name)
    if (name !== 'home' && life === undefined && set === undefined) continue
    const measure = async (options: Parameters<typeof measureHomeAnswers>[2]) => {
      if (set !== undefined) return measureSetAnswers(set, embedder, options)
      return life ? measureLifeAnswers(life, half, embedder, options) : measureHomeAnswers(half, embedder, options)
    }
    const answers = await measure({ withLosses: losses !== undefined })
    const own = answerRows(name, answers)
    if (models !== undefined) own.push(tableRow(answersRow(`${name}, minilm`, await measure({ models }))))
    console.log([...(rows.length === 0 ? tableHead(ANSWERS_HEAD) : []), ...own].join('\n'))
    rows.push(...own)
    if (losses !== undefined) console.log(lossText(name, answers, losses))
    for (const answer of answers.filter(isBad).slice(0, failures)) console.log(failureText(answer))
  }
  return { introduction: INTRODUCTION, head: ANSWERS_HEAD, rows }
}

/** How many answers of a set were lost where, in percent of the answerable questions, with examples of each. */
function lossText(name: string, answers: readonly MarkedAnswer[], examples: number): string {
  const answerable = answers.filter(({ marks }) => marks.isAnswerable).length
  const parts = LOSSES.flatMap((loss) => {
    const lost = answers.filter((answer) => answer.loss === loss)
    const share = ((100 * lost.length) / Math.max(1, answerable)).toFixed(1)
    return [`${name} lost, ${loss}: ${lost.length} (${share} %)`, ...lost.slice(0, examples).map(failureText)]
  })
  return parts.join('\n')
}

function answerRows(name: string, answers: readonly MarkedAnswer[]): string[] {
  const kinds = [...new Set(answers.map(({ kind }) => kind))]
  return [
    tableRow(answersRow(name, answers)),
    ...kinds.map((kind) =>
      tableRow(
        answersRow(
          `${name}: ${kind}`,
          answers.filter((one) => one.kind === kind),
        ),
      ),
    ),
  ]
}

function failureText({ kind, question, expected, response, marks }: MarkedAnswer): string {
  const { isAnswerable, outdated, right, first, speaker, date, current } = marks
  const failed = Object.entries({ right, first, speaker, date, current }).flatMap(([name, mark]) => {
    return mark === false ? [name] : []
  })
  const problem = isAnswerable ? `not ${failed.join(', ')}${outdated ? '; outdated' : ''}` : 'not abstained'
  return `\n# ${kind}: ${question}\nexpected: ${expected}; ${problem}\n${response}`
}
