import { readFileSync } from 'node:fs'
import { packagePath } from '../../src/lib/files.ts'
import { loadStaticEmbedder } from '../../src/models/static/static-embedder.ts'
import type { FittedWeights } from '../../src/retrieval/recall/weights.ts'
import { readSets } from './evaluation-set.ts'
import { fitChoice } from './fit/choice.ts'
import { ORDER_INPUTS, type OrderExample, type OrderInput, orderExamples } from './fit/order-examples.ts'

// node test/eval/fit-order.ts [--only locomo-dev,faq-dev]
// Measures whether a further input beside the present score orders the best chunks better, each set left out of the fit; prints it.
// Decision 57 has what was found. To try another input, add it to fit/order-examples.ts.

/** Chunks that take a new order; the others stay below. */
const ORDERED = 20

/** Percent. */
interface OrderFigures {
  readonly hit1: number
  readonly recall10: number
}

function figures(examples: readonly OrderExample[], score: (example: OrderExample, place: number) => number) {
  let [hit1, recall10] = [0, 0]
  for (const example of examples) {
    const places = [...example.candidates.keys()]
    const scores = places.map((place) => score(example, place))
    const best = places.slice(0, ORDERED).sort((a, b) => scores[b]! - scores[a]! || a - b)
    const isRight = best.map((place) => example.isRight[place]!)
    if (isRight[0]) hit1 += 1 / examples.length
    recall10 += isRight.slice(0, 10).filter(Boolean).length / example.evidence / examples.length
  }
  return { hit1: 100 * hit1, recall10: 100 * recall10 }
}

function leftOut(set: string, examples: readonly OrderExample[], input: OrderInput): OrderFigures {
  const others = examples.filter((example) => example.set !== set)
  const [ofShare, ofInput] = fitChoice(
    others.map(({ set: name, candidates, isRight }) => ({
      set: name,
      inputs: candidates.slice(0, ORDERED).map((candidate) => [candidate.share, candidate[input]]),
      isRight: isRight.slice(0, ORDERED),
    })),
  )
  const own = examples.filter((example) => example.set === set)
  return figures(own, ({ candidates }, place) => {
    const candidate = candidates[place]!
    return ofShare! * candidate.share + ofInput! * candidate[input]
  })
}

const at = process.argv.indexOf('--only')
const only = at < 0 ? undefined : process.argv[at + 1]?.split(',')
const sets = readSets(packagePath('../shared/eval')).filter(({ name }) => only === undefined || only.includes(name))
const embedder = await loadStaticEmbedder(packagePath('models/static-en-40k'))
const weights: Record<string, FittedWeights> = JSON.parse(
  readFileSync(packagePath('test/eval/fit/left-out-weights.json'), 'utf8'),
)
const examples: OrderExample[] = []
for (const set of sets) examples.push(...(await orderExamples(set, embedder, weights[set.name])))
for (const { name } of sets) {
  const now = figures(
    examples.filter(({ set }) => set === name),
    ({ candidates }, place) => candidates[place]!.share,
  )
  console.log(`${name}: hit@1 ${now.hit1.toFixed(1)}, recall@10 ${now.recall10.toFixed(1)}`)
  for (const input of sets.length > 1 ? ORDER_INPUTS : []) {
    const { hit1, recall10 } = leftOut(name, examples, input)
    console.log(`  with ${input}: ${(hit1 - now.hit1).toFixed(1)}, ${(recall10 - now.recall10).toFixed(1)}`)
  }
}
