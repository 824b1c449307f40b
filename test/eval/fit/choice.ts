/** What was chosen among: features of each alternative, which of them are right, and the group whose questions count as one. */
export interface Choice {
  readonly set: string
  readonly inputs: readonly (readonly number[])[]
  readonly isRight: readonly boolean[]
}

const STEPS = 400
const RATE = 0.05
const SHRINKAGE = 2e-3

/**
 * Weights of a conditional logit (McFadden 1974): the probability of the right alternatives of each choice, sets alike, by
 * gradient ascent with Adam's steps (Kingma and Ba 2015) and a small ridge.
 */
export function fitChoice(choices: readonly Choice[]): number[] {
  const used = choices.filter(({ isRight }) => isRight.includes(true) && isRight.includes(false))
  const sizes = Map.groupBy(used, ({ set }) => set)
  const width = used[0]?.inputs[0]?.length ?? 0
  const weights = new Array<number>(width).fill(0)
  const mean = new Array<number>(width).fill(0)
  const square = new Array<number>(width).fill(0)
  for (let step = 1; step <= STEPS; step++) {
    const slope = weights.map((weight) => -SHRINKAGE * weight)
    for (const choice of used) addSlope(slope, choice, weights, 1 / (sizes.get(choice.set)!.length * sizes.size))
    for (let j = 0; j < width; j++) {
      mean[j] = 0.9 * mean[j]! + 0.1 * slope[j]!
      square[j] = 0.999 * square[j]! + 0.001 * slope[j]! ** 2
      const size = Math.sqrt(square[j]! / (1 - 0.999 ** step)) + 1e-8
      weights[j]! += (RATE * (mean[j]! / (1 - 0.9 ** step))) / size
    }
  }
  return weights
}

/** The slope of the log probability of one choice, added with its share. */
function addSlope(slope: number[], { inputs, isRight }: Choice, weights: readonly number[], share: number): void {
  const scores = inputs.map((input) => input.reduce((sum, value, j) => sum + value * weights[j]!, 0))
  const most = Math.max(...scores)
  const powers = scores.map((score) => Math.exp(score - most))
  const total = powers.reduce((sum, power) => sum + power, 0)
  const right = powers.reduce((sum, power, i) => sum + (isRight[i] ? power : 0), 0)
  for (const [i, input] of inputs.entries()) {
    const pull = (isRight[i] ? powers[i]! / right : 0) - powers[i]! / total
    for (let j = 0; j < slope.length; j++) slope[j]! += share * pull * input[j]!
  }
}
