/** Of the page of an item. */
export function itemPath(source: string, itemId: string): string {
  return `/library/${encodeURIComponent(source)}/${encodeURIComponent(itemId)}`
}
