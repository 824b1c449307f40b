/**
 * Address of a module beside another one, to start a worker thread from: `.ts` among the sources, `.js` in the bundle, which
 * keeps all entry points in one folder.
 *
 * @param beside `import.meta.url` of the calling module
 * @param name path without extension, e.g. `./writer-thread`
 */
export function moduleUrl(beside: string, name: string): URL {
  const extension = beside.slice(beside.lastIndexOf('.'))
  return new URL(`${name}${extension}`, beside)
}
