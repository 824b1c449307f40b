/**
 * One string for one memory: items of two sources may have the same id.
 *
 * @param memory a place that no memory is known of has a key that no memory has
 */
export function memoryKey(memory: { readonly source: string; readonly custom_id: string | null }): string {
  return `${memory.source}/${memory.custom_id ?? ''}`
}
