import type { EmbeddingSettings } from '../models/model-settings.ts'
import type { NewSpace } from '../store/spaces/spaces.ts'

export const BUILT_IN_NAME = 'the built-in model'

/** What a space keeps of its model's settings: what people know it by, and what makes its vectors what they are. */
export function embeddingDescription(settings: EmbeddingSettings): NewSpace['model'] {
  const { provider, model, dimensions, dtype, pooling, max_characters: characters } = settings
  const { query_prefix: query, passage_prefix: passage } = settings
  return {
    provider,
    model,
    ...(dimensions !== undefined && { dimensions }),
    max_characters: characters,
    ...(dtype !== undefined && { dtype }),
    ...(pooling !== undefined && { pooling }),
    ...(query !== undefined && { query_prefix: query }),
    ...(passage !== undefined && { passage_prefix: passage }),
  }
}

/** As models name themselves in what they reject with. */
export function embeddingName({ provider, model }: NewSpace['model']): string {
  return `${provider}:${model}`
}
