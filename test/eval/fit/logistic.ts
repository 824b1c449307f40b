export interface Sample<Name extends string> {
  readonly inputs: Readonly<Record<Name, number>>
  readonly label: 0 | 1
  /** Samples of a small group can count more. */
  readonly weight: number
}

const ROUNDS = 3_000
const RATE = 0.5
const PENALTY = 0.001

/** Logistic regression by gradient descent with a small L2 penalty; deterministic. `fixed` inputs keep their weight. */
export function fitLogistic<Name extends string>(
  samples: readonly Sample<Name>[],
  names: readonly Name[],
  fixed: { readonly [One in Name]?: number } = {} as { readonly [One in Name]?: number },
): Record<Name | 'constant', number> {
  const weights = names.map((name) => fixed[name] ?? 0)
  let constant = 0
  const total = samples.reduce((sum, { weight }) => sum + weight, 0)
  const rows = samples.map(({ inputs }) => names.map((name) => inputs[name]))
  for (let round = 0; round < ROUNDS; round++) {
    const slopes = names.map(() => 0)
    let slope = 0
    for (const [s, row] of rows.entries()) {
      const z = row.reduce((sum, value, i) => sum + value * weights[i]!, constant)
      const error = (1 / (1 + Math.exp(-z)) - samples[s]!.label) * samples[s]!.weight
      for (const [i, value] of row.entries()) slopes[i]! += error * value
      slope += error
    }
    for (const [i, name] of names.entries()) {
      if (fixed[name] === undefined) weights[i]! -= RATE * (slopes[i]! / total + PENALTY * weights[i]!)
    }
    constant -= (RATE * slope) / total
  }
  const fitted = { constant: round(constant) } as Record<Name | 'constant', number>
  for (const [i, name] of names.entries()) fitted[name] = round(weights[i]!)
  return fitted
}

export function probability(inputs: object, weights: Readonly<Record<'constant', number>>): number {
  let z = weights.constant
  for (const [name, weight] of Object.entries(weights)) {
    if (name !== 'constant') z += weight * (inputs as Readonly<Record<string, number>>)[name]!
  }
  return 1 / (1 + Math.exp(-z))
}

function round(value: number): number {
  return Number(value.toFixed(2))
}
