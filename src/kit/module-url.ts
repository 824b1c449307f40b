/**
 * Address of a module beside another one, to start a worker thread from. The source runs as `.ts` under type stripping
 * and as `.js` after compilation, and `new URL('./x.ts', ...)` is not rewritten by the compiler.
 *
 * @param beside `import.meta.url` of the calling module
 * @param name path without extension, e.g. `./writer-thread`
 */
export function moduleUrl(beside: string, name: string): URL {
  const extension = beside.slice(beside.lastIndexOf('.'))
  return new URL(`${name}${extension}`, beside)
}
