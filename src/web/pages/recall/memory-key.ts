/**
 * One string for one memory: items of two sources may have the same id.
 *
 * @param memory `custom_id` may be missing; its key then matches no memory
 */
export function memoryKey(memory: { readonly source: string; readonly custom_id: string | null }): string {
  return `${memory.source}/${memory.custom_id ?? ''}`
}
