/** Bounds the memory for a document of many passages, which asks again for its last texts mostly. */
const MOST_TEXTS = 1_000

/** A pure function of a text that keeps its latest results, for as long as the returned function is used. */
export function remembered<Result>(compute: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, { readonly result: Result }>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found.result
    const result = compute(text)
    if (known.size >= MOST_TEXTS) known.clear()
    known.set(text, { result })
    return result
  }
}
