/** Has the first use of `fetch` wait for `load`, for what takes long to load and most processes never need. */
export function loadWithFirstFetch(load: () => Promise<void>): void {
  const { fetch } = globalThis
  globalThis.fetch = async (input, init) => {
    await load()
    return fetch(input, init)
  }
}
