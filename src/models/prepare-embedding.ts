import { createHash } from 'node:crypto'
import type { EmbedOptions } from './model.ts'

/** What is done to a text before a model sees it. */
interface TextPreparation {
  readonly query_prefix?: string | undefined
  readonly passage_prefix?: string | undefined
  readonly max_characters: number
}

/** The text that the model sees; `undefined` when there is nothing in it, and some providers refuse that. */
export function preparedText(
  text: string,
  purpose: EmbedOptions['purpose'],
  { query_prefix, passage_prefix, max_characters }: TextPreparation,
): string | undefined {
  const cut = text.slice(0, max_characters).toWellFormed()
  if (cut.trim() === '') return undefined
  return `${(purpose === 'query' ? query_prefix : passage_prefix) ?? ''}${cut}`
}

/** Differs whenever the prepared texts would: a part of the id of a space. */
export function preparationDigest({ query_prefix, passage_prefix, max_characters }: TextPreparation): string {
  const all = [query_prefix ?? '', passage_prefix ?? '', max_characters]
  return createHash('sha256').update(JSON.stringify(all)).digest('hex').slice(0, 8)
}

/** Scaled to length 1, in place; one of zeros stays so. */
export function unitVector<T extends Float32Array>(vector: T): T {
  let squares = 0
  for (const value of vector) squares += value * value
  if (squares === 0) return vector
  const inverse = 1 / Math.sqrt(squares)
  for (let i = 0; i < vector.length; i++) vector[i]! *= inverse
  return vector
}
