import { rowKinds } from '../../../src/retrieval/recall/row-kinds.ts'
import {
  ENCODER_COSINE,
  encoderWeights,
  type FittedWeights,
  type RowKind,
  weightsFor,
} from '../../../src/retrieval/recall/weights.ts'
import { tableRow } from '../table.ts'
import type { Example } from './gather.ts'
import { type Figures, figuresOf, meanFigures } from './search-weights.ts'

type Multiples = typeof ENCODER_COSINE

const TRIED = [1, 1.5, 2, 2.5, 3, 4, 5]
const KINDS = Object.keys(ENCODER_COSINE) as RowKind[]

/** A question with what each multiple of each kind among its rows makes of it, the other kinds as in the product. */
interface Tried {
  readonly example: Example
  readonly figures: ReadonlyMap<RowKind, ReadonlyMap<number, Figures>>
}

export const MULTIPLES_HEAD = [
  'set',
  'questions',
  'as it is',
  'by the other sets',
  'multiples',
  'by the other collections',
  'multiples',
  'by all',
]

/**
 * How often the encoder's cosine counts for each kind of row, compared with the built-in one: chosen on the other sets, on
 * all collections but one, and on all, for each set with the weights that the other sets gave.
 *
 * @returns rows of a table, hit@1 / recall@10; and the multiples that all sets give, each with the mean of both
 */
export function fitMultiples(
  examples: readonly Example[],
  leftOut: Readonly<Record<string, FittedWeights>>,
  product: FittedWeights,
): { readonly rows: readonly string[]; readonly byKind: readonly string[] } {
  const answerable = examples.filter(({ role }) => role === 'answerable')
  const kindsOf = new Map(answerable.map((example) => [example, new Set(rowKinds(example.rows))]))
  const tryAll = (weights: FittedWeights, kinds: ReadonlySet<RowKind>): Tried[] =>
    answerable.flatMap((example) => {
      const own = [...kindsOf.get(example)!.intersection(kinds)]
      if (own.length === 0) return []
      return [{ example, figures: new Map(own.map((kind) => [kind, tryKind(example, weights, kind)])) }]
    })
  const all = tryAll(product, new Set(KINDS))
  const rows: string[] = []
  for (const [name, own] of Map.groupBy(answerable, ({ set }) => set)) {
    const weights = leftOut[name]
    if (weights === undefined) throw new Error(`left-out-weights.json has no ${name}`)
    const tried = tryAll(weights, new Set(own.flatMap((example) => [...kindsOf.get(example)!])))
    const bySets = choose(tried.filter(({ example }) => example.set !== name))
    const collections = [...Map.groupBy(own, ({ question }) => question.collection)].map(([id, some]) => {
      const isOther = ({ example }: Tried) => example.set !== name || example.question.collection !== id
      return { some, multiples: choose(tried.filter(isOther)) }
    })
    const measured = (some: readonly Example[], multiples: Multiples): Figures[] =>
      some.map((example) => figuresOf(example, encoderWeights(weightsFor(weights, example.query.breadth), multiples)))
    const used = KINDS.filter((kind) => own.some((example) => kindsOf.get(example)!.has(kind)))
    rows.push(
      tableRow([
        name,
        own.length,
        shown(measured(own, ENCODER_COSINE)),
        shown(measured(own, bySets)),
        multiplesOf([bySets], used),
        ...(collections.length === 1
          ? ['-', '-']
          : [
              shown(collections.flatMap(({ some, multiples }) => measured(some, multiples))),
              multiplesOf(
                collections.map(({ multiples }) => multiples),
                used,
              ),
            ]),
        shown(measured(own, choose(tried))),
      ]),
    )
  }
  return { rows, byKind: KINDS.map((kind) => objectives(all, kind)) }
}

function tryKind(example: Example, fitted: FittedWeights, kind: RowKind): ReadonlyMap<number, Figures> {
  const weights = weightsFor(fitted, example.query.breadth)
  return new Map(
    TRIED.map((by) => [by, figuresOf(example, encoderWeights(weights, { ...ENCODER_COSINE, [kind]: by }))]),
  )
}

/** For each kind by itself the best multiple; the product's where no question has such rows. */
function choose(tried: readonly Tried[]): Multiples {
  const best = (kind: RowKind): number => {
    const values = valuesOf(tried, kind)
    return values.length === 0 ? ENCODER_COSINE[kind] : values.reduce((a, b) => (b.value > a.value ? b : a)).by
  }
  return { turn: best('turn'), long: best('long'), group: best('group'), prose: best('prose') }
}

/** hit@1 + recall@10 for each multiple, sets alike. */
function valuesOf(tried: readonly Tried[], kind: RowKind): { readonly by: number; readonly value: number }[] {
  const some = tried.filter(({ figures }) => figures.has(kind))
  if (some.length === 0) return []
  const sets = [...Map.groupBy(some, ({ example }) => example.set).values()]
  return TRIED.map((by) => {
    const values = sets.map((ones) => meanFigures(ones.map(({ figures }) => figures.get(kind)!.get(by)!)))
    return { by, value: values.reduce((sum, { hit1, recall10 }) => sum + hit1 + recall10, 0) / sets.length }
  })
}

function objectives(tried: readonly Tried[], kind: RowKind): string {
  const sets = new Set(tried.filter(({ figures }) => figures.has(kind)).map(({ example }) => example.set))
  const values = valuesOf(tried, kind).map(({ by, value }) => `${by}: ${value.toFixed(1)}`)
  return `${kind} (${[...sets].join(', ')}), hit@1 + recall@10 by multiple: ${values.join(', ')}`
}

function shown(some: readonly Figures[]): string {
  const { hit1, recall10 } = meanFigures(some)
  return `${hit1.toFixed(1)} / ${recall10.toFixed(1)}`
}

/** `turn 2 to 2.5, prose 3` */
function multiplesOf(chosen: readonly Multiples[], kinds: readonly RowKind[]): string {
  const range = (values: readonly number[]) => {
    const [least, most] = [Math.min(...values), Math.max(...values)]
    return least === most ? `${least}` : `${least} to ${most}`
  }
  return kinds.map((kind) => `${kind} ${range(chosen.map((one) => one[kind]))}`).join(', ')
}
