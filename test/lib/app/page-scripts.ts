import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { gzipSync } from 'node:zlib'
import { packagePath } from '../../../src/lib/files.ts'

const ROOT = packagePath('dist/web')
const ENTRY = /<script type="module"[^>]* src="\/app\/([^"]+)"/
/** The app, which the entry imports once the language is known. */
const PRELOADED = /<link rel="modulepreload"[^>]* href="\/app\/([^"]+)"/g
/** Imports of a built module that are loaded with it; those of `import()` have a bracket. */
const IMPORTS = /(?:\bfrom|\bimport)\s*"(\.\/[^"]+)"/g

/**
 * The scripts that the browser needs before it shows a page: those of the document, of the page, and all that these
 * import.
 *
 * @param page name of the page's module, such as `recall-page`
 * @returns paths below dist/web
 */
export function scriptsOf(page: string): string[] {
  const document = readFileSync(join(ROOT, 'index.html'), 'utf8')
  const entry = ENTRY.exec(document)?.[1]
  const own = readdirSync(join(ROOT, 'assets')).find((name) => name.startsWith(`${page}-`) && name.endsWith('.js'))
  if (entry === undefined || own === undefined) throw new Error(`dist/web holds no ${page} with its document`)
  const found = new Set<string>()
  const visit = (path: string) => {
    if (found.has(path)) return
    found.add(path)
    for (const [, name = ''] of readFileSync(join(ROOT, path), 'utf8').matchAll(IMPORTS))
      visit(posix.join(posix.dirname(path), name))
  }
  visit(entry)
  for (const [, path = ''] of document.matchAll(PRELOADED)) visit(path)
  visit(`assets/${own}`)
  return [...found]
}

/** Bytes of scripts as they travel. */
export function gzipBytes(scripts: readonly string[]): number {
  return scripts.reduce((sum, path) => sum + gzipSync(readFileSync(join(ROOT, path))).length, 0)
}
