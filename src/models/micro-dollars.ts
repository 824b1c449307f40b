import type { Price, TokenUsage } from './model.ts'

/** A price is for a million tokens, so that tokens times dollars are millionths of a dollar. */
export function microDollars({ inputTokens, outputTokens }: TokenUsage, price: Price | undefined): number {
  return price === undefined ? 0 : Math.ceil(inputTokens * price.input + outputTokens * price.output)
}
