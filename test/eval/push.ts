import { existsSync, writeFileSync } from 'node:fs'
import { SHOWN_FRAME_TOKENS } from '../../src/domain/suggestions.ts'
import { packagePath } from '../../src/lib/files.ts'
import { loadStaticEmbedder } from '../../src/models/static/static-embedder.ts'
import { PUSH_THRESHOLD, type PushEvidence } from '../../src/retrieval/agents/push.ts'
import { PUSH_WEIGHTS } from '../../src/retrieval/recall/weights.ts'
import { fitLogistic, probability } from './fit/logistic.ts'
import { type ReplayedPrompt, replayPrompts } from './push/replay.ts'
import { tableHead, tableRow } from './table.ts'

// npm run eval:push -- [file] [--fit]
// Replays conversations and writes push/RESULTS.md: how often the right session is shown for a prompt that goes on with one, and
// how often anything is shown for the others, by threshold. With --fit it prints the weights, each person left out in turn and
// all together, and writes nothing.

const FILE =
  process.argv[2]?.startsWith('--') === false ? process.argv[2] : packagePath('../shared/replay/realmem-dev.json')
const THRESHOLDS = [0.1, 0.2, 0.25, 0.3, 0.35, PUSH_THRESHOLD, 0.4, 0.5, 0.6]
const INTRODUCTION = `# Passages shown to agents unsolicited

Written by \`npm run eval:push\`, which replays the months that five people spent with an assistant, in order. Before each prompt only earlier sessions are in memory. "Right": prompts that continue an earlier session, of which a
passage is shown. "Wrong": such prompts for which only other passages are shown. "Noise": other prompts for which anything is shown. Many of these do continue something (\`I'm ready to start the plan we
talked about\`) without a label, so true noise is lower. A passage is shown once in a session, with at most 600 tokens for a prompt, including fence and introduction.`

const HEAD = [
  'prompts',
  'threshold',
  'right',
  'wrong',
  'silent',
  'noise',
  'noise of first prompts',
  'tokens where shown',
]

interface Judged extends ReplayedPrompt {
  readonly score: number
}

const names = Object.keys(PUSH_WEIGHTS).filter((name) => name !== 'constant') as (keyof PushEvidence)[]

if (!existsSync(FILE)) {
  console.log(`There is no ${FILE}: nothing is replayed.`)
} else {
  const embedder = await loadStaticEmbedder(packagePath('models/static-en-40k'))
  const isFit = process.argv.includes('--fit')
  const prompts = await replayPrompts(FILE, embedder, isFit ? 0 : PUSH_THRESHOLD)
  if (isFit) printFit(prompts)
  else report(prompts)
}

function report(prompts: readonly ReplayedPrompt[]): void {
  const judged = prompts.map((prompt) => ({ ...prompt, score: prompt.suggestion.probability }))
  const rows = THRESHOLDS.map((threshold) => row('all', threshold, judged))
  const of = (name: string, some: readonly Judged[]) => row(name, PUSH_THRESHOLD, some)
  for (const [user, own] of Map.groupBy(judged, ({ user }) => user)) rows.push(of(user, own))
  for (const [category, own] of Map.groupBy(judged, ({ category = 'other' }) => category)) rows.push(of(category, own))
  const text = [...tableHead(HEAD), ...rows].join('\n')
  console.log(text)
  if (FILE === packagePath('../shared/replay/realmem-dev.json')) {
    writeFileSync(packagePath('test/eval/push/RESULTS.md'), `${INTRODUCTION}\n\n${text}\n`)
  }
}

function printFit(prompts: readonly ReplayedPrompt[]): void {
  const users = [...new Set(prompts.map(({ user }) => user))]
  const judged = users.flatMap((user): Judged[] => {
    const weights = fitted(prompts.filter((prompt) => prompt.user !== user))
    return prompts
      .filter((prompt) => prompt.user === user)
      .map((prompt) => ({
        ...prompt,
        score: prompt.suggestion.evidence ? probability(prompt.suggestion.evidence, weights) : 0,
      }))
  })
  console.log([...tableHead(HEAD), ...THRESHOLDS.map((threshold) => row('left out', threshold, judged))].join('\n'))
  console.log(fitted(prompts))
}

function fitted(prompts: readonly ReplayedPrompt[]) {
  const samples = prompts.flatMap(({ suggestion, evidence }) =>
    suggestion.evidence === undefined
      ? []
      : [
          {
            inputs: suggestion.evidence,
            label: isRight({ suggestion, evidence }) ? (1 as const) : (0 as const),
            weight: 1,
          },
        ],
  )
  return fitLogistic(samples, names)
}

/** Whether what could be shown is of a session that the prompt goes on with. */
function isRight({ suggestion, evidence }: Pick<ReplayedPrompt, 'suggestion' | 'evidence'>): boolean {
  return suggestion.passages.some(({ row }) => evidence.includes(row.itemId))
}

function row(name: string, threshold: number, some: readonly Judged[]): string {
  const isShown = ({ score, suggestion }: Judged) => score >= threshold && suggestion.passages.length > 0
  const asking = some.filter(({ evidence }) => evidence.length > 0)
  const quiet = some.filter(({ evidence }) => evidence.length === 0)
  const first = quiet.filter(({ suggestion }) => suggestion.evidence?.earlier === 0)
  const shown = asking.filter(isShown)
  const right = shown.filter(isRight)
  const tokens = some
    .filter(isShown)
    .map(({ suggestion }) => suggestion.passages.reduce((sum, passage) => sum + passage.tokens, SHOWN_FRAME_TOKENS))
  return tableRow([
    name,
    threshold,
    percent(right.length, asking.length),
    percent(shown.length - right.length, asking.length),
    percent(asking.length - shown.length, asking.length),
    percent(quiet.filter(isShown).length, quiet.length),
    percent(first.filter(isShown).length, first.length),
    tokens.length === 0 ? '-' : Math.round(tokens.reduce((sum, one) => sum + one, 0) / tokens.length),
  ])
}

function percent(count: number, all: number): string {
  return all === 0 ? '-' : ((100 * count) / all).toFixed(1)
}
