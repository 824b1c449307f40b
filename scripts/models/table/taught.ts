import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { MODEL_FOLDER } from '../../../src/models/static/static-embedder.ts'

const IDS = z.array(z.array(z.number().int()))
const ABOUT = z.object({
  /** Space of the teacher. */
  teacher: z.string(),
  dimensions: z.number().int(),
  /** Number of texts in which pieces were counted. */
  texts: z.number().int(),
  /** Times that each piece occurs in the texts. */
  counts: z.array(z.number().int()),
  /** The pieces of each pair of words and of each sentence. */
  pairs: IDS,
  sentences: IDS,
})

/** The teacher's vectors, of length 1, one after the other. */
export interface Taught {
  readonly about: z.infer<typeof ABOUT>
  readonly pieces: Float32Array
  readonly pairs: Float32Array
  readonly sentences: Float32Array
}

export function writeTaught(folder: string, { about, ...vectors }: Taught): void {
  writeFileSync(join(folder, 'about.json'), JSON.stringify(about))
  for (const [name, values] of Object.entries(vectors)) writeFileSync(join(folder, `${name}.f32`), values)
}

export function readTaught(folder: string): Taught {
  const vectors = (name: string): Float32Array => {
    const bytes = new Uint8Array(readFileSync(join(folder, `${name}.f32`)))
    return new Float32Array(bytes.buffer)
  }
  return {
    about: ABOUT.parse(JSON.parse(readFileSync(join(folder, 'about.json'), 'utf8'))),
    pieces: vectors('pieces'),
    pairs: vectors('pairs'),
    sentences: vectors('sentences'),
  }
}

const TOKENIZER = z.object({ model: z.object({ vocab: z.record(z.string(), z.number().int()) }) })

/** The pieces of the vocabulary by id. */
export function readVocabulary(): string[] {
  const { vocab } = TOKENIZER.parse(JSON.parse(readFileSync(join(MODEL_FOLDER, 'tokenizer.json'), 'utf8'))).model
  const pieces: string[] = []
  for (const [piece, id] of Object.entries(vocab)) pieces[id] = piece
  return pieces
}
