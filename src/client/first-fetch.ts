/** Has each `fetch` wait for `load`, which loads something large once that most processes never need. */
export function loadWithFirstFetch(load: () => Promise<void>): void {
  const { fetch } = globalThis
  globalThis.fetch = async (input, init) => {
    await load()
    return fetch(input, init)
  }
}
