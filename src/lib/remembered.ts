/** Bounds the memory: passages of a document mostly ask for recent texts again. */
const MOST_TEXTS = 1_000

/** A pure function of a text that keeps up to 1,000 results; then it starts over. */
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
