import type { ExtractedMemory } from '../../domain/document.ts'
import type { OtherEntity } from '../../domain/results.ts'

/** Types that apply to the whole document; a number or a file is recognized anywhere. */
const AGREED: ReadonlySet<string> = new Set(['person', 'organization', 'place', 'product', 'project'])

/**
 * Copies the type of a name from the passage that states it to the others of the document. A name with two different
 * types stays unchanged.
 */
export function agreeOnTypes(memories: readonly ExtractedMemory[]): ExtractedMemory[] {
  const types = collectTypes(memories)
  if (types.size === 0) return [...memories]
  return memories.map((memory) => {
    const entities = memory.content.other_entities
    if (!entities?.some((entity) => typeElsewhere(entity, types))) return memory
    const agreed = entities.map((entity) => ({
      ...entity,
      entity_type: typeElsewhere(entity, types) ?? entity.entity_type,
    }))
    return { ...memory, content: { ...memory.content, other_entities: agreed } }
  })
}

function typeElsewhere({ entity_name, entity_type }: OtherEntity, types: Types): string | undefined {
  return entity_type === 'term' ? (types.get(entity_name) ?? undefined) : undefined
}

/** `null` where passages disagree. */
type Types = ReadonlyMap<string, string | null>

function collectTypes(memories: readonly ExtractedMemory[]): Types {
  const types = new Map<string, string | null>()
  let hasTerms = false
  for (const { content } of memories) {
    for (const { entity_name, entity_type } of content.other_entities ?? []) {
      if (entity_type === 'term') hasTerms = true
      if (!AGREED.has(entity_type)) continue
      const known = types.get(entity_name)
      types.set(entity_name, known === undefined || known === entity_type ? entity_type : null)
    }
  }
  return hasTerms ? types : new Map()
}
