import { createHash } from 'node:crypto'
import type { EmbedOptions } from './model.ts'

/** How a text is prepared for a model. */
interface TextPreparation {
  readonly query_prefix?: string | undefined
  readonly passage_prefix?: string | undefined
  readonly max_characters: number
}

/** The prepared text; `undefined` when it is empty, because some providers reject empty texts. */
export function preparedText(
  text: string,
  purpose: EmbedOptions['purpose'],
  { query_prefix, passage_prefix, max_characters }: TextPreparation,
): string | undefined {
  const cut = text.slice(0, max_characters).toWellFormed()
  if (cut.trim() === '') return undefined
  return `${(purpose === 'query' ? query_prefix : passage_prefix) ?? ''}${cut}`
}

/** Part of the id of a space; changes whenever the prepared texts would. */
export function preparationDigest({ query_prefix, passage_prefix, max_characters }: TextPreparation): string {
  const all = [query_prefix ?? '', passage_prefix ?? '', max_characters]
  return createHash('sha256').update(JSON.stringify(all)).digest('hex').slice(0, 8)
}

/** Scales a vector to length 1, in place; a zero vector stays zero. */
export function unitVector<T extends Float32Array>(vector: T): T {
  let squares = 0
  for (const value of vector) squares += value * value
  if (squares === 0) return vector
  const inverse = 1 / Math.sqrt(squares)
  for (let i = 0; i < vector.length; i++) vector[i]! *= inverse
  return vector
}
