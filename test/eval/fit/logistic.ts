export interface Sample<Name extends string> {
  readonly inputs: Readonly<Record<Name, number>>
  readonly label: 0 | 1
  /** Samples of a small group can count more. */
  readonly weight: number
}

const ROUNDS = 3_000
const RATE = 0.5
const PENALTY = 0.001

/**
 * Logistic regression by gradient descent with an L2 penalty, on inputs brought to mean 0 and deviation 1;
 * deterministic. `fixed` inputs keep their weight.
 */
export function fitLogistic<Name extends string>(
  samples: readonly Sample<Name>[],
  names: readonly Name[],
  fixed: { readonly [One in Name]?: number } = {} as { readonly [One in Name]?: number },
  penalty = PENALTY,
): Record<Name | 'constant', number> {
  const total = samples.reduce((sum, { weight }) => sum + weight, 0)
  const scales = names.map((name) => scaleOf(samples, name, total))
  const rows = samples.map(({ inputs }) =>
    names.map((name, i) => (inputs[name] - scales[i]!.mean) / scales[i]!.deviation),
  )
  const weights = names.map((name, i) => (fixed[name] ?? 0) * scales[i]!.deviation)
  let constant = 0
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
      if (fixed[name] === undefined) weights[i]! -= RATE * (slopes[i]! / total + penalty * weights[i]!)
    }
    constant -= (RATE * slope) / total
  }
  const plain = weights.map((weight, i) => weight / scales[i]!.deviation)
  const fitted = {} as Record<Name | 'constant', number>
  fitted.constant = round(plain.reduce((sum, weight, i) => sum - weight * scales[i]!.mean, constant))
  for (const [i, name] of names.entries()) fitted[name] = round(plain[i]!)
  return fitted
}

function scaleOf<Name extends string>(samples: readonly Sample<Name>[], name: Name, total: number) {
  const average = (value: (input: number) => number): number =>
    samples.reduce((sum, { inputs, weight }) => sum + weight * value(inputs[name]), 0) / total
  const mean = average((input) => input)
  return { mean, deviation: Math.sqrt(average((input) => (input - mean) ** 2)) || 1 }
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
