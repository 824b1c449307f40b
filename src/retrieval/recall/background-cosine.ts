import type { Embedder } from '../../models/model.ts'

/** Unrelated texts: short and long, questions and statements. Don't change them: measured backgrounds depend on them. */
const UNRELATED: readonly string[] = [
  'When does the train to Lisbon leave?',
  'The bakery sells rye bread and closes at noon on Mondays.',
  'Our database migration failed because a column was missing.',
  'She plays the cello in an amateur orchestra.',
  'How many eggs are in this cake?',
  'The quarterly report shows lower revenue in the northern region.',
  'Tomatoes need six hours of sunlight a day.',
  'Who approved the holiday request?',
  'The printer on the third floor is out of toner.',
  'He broke his ankle while skiing and wears a cast.',
  'The password policy requires twelve characters.',
  'What colour should the kitchen walls be?',
  'The referee stopped the match in the last minute.',
  'Glaciers in the Alps have shrunk since the last century.',
  'Please send the signed contract to the lawyer.',
  'The puppy chewed on my left shoe.',
]

/**
 * Mean cosine, as a question and a passage, of unrelated texts: near 0 for some models, .7 for others. Rejects with the
 * model's errors.
 */
export async function backgroundCosine(embedder: Embedder): Promise<number> {
  const questions = await embedAll(embedder, 'query')
  const passages = await embedAll(embedder, 'passage')
  let sum = 0
  for (const [i, question] of questions.entries()) {
    for (const [j, passage] of passages.entries()) if (i !== j) sum += dot(question, passage)
  }
  return sum / (UNRELATED.length * (UNRELATED.length - 1))
}

/** `cosineScale` of questions in a space, given both backgrounds. */
export function cosineScale(builtIn: number, other: number): number {
  // A background near 1 cannot be stretched.
  return (1 - builtIn) / Math.max(0.05, 1 - other)
}

async function embedAll(embedder: Embedder, purpose: 'query' | 'passage'): Promise<Float32Array[]> {
  const vectors: Float32Array[] = []
  for (let start = 0; start < UNRELATED.length; start += embedder.maxBatch) {
    const batch = UNRELATED.slice(start, start + embedder.maxBatch)
    vectors.push(...(await embedder.embed(batch, { purpose })))
  }
  return vectors
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}

/** Sample texts of this many characters, to measure the speed of a model. */
export function sampleTexts(count: number, characters: number): string[] {
  const words = UNRELATED.join(' ')
  const repeated = words.repeat(Math.ceil(characters / words.length) + 1)
  return Array.from({ length: count }, (_, i) => repeated.slice(i % words.length, (i % words.length) + characters))
}
