import { readFileSync } from 'node:fs'
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
 * The scripts that the browser needs before it shows the first page: those of the document and all that these import.
 *
 * @returns paths below dist/web
 */
export function firstPageScripts(): string[] {
  const document = readFileSync(join(ROOT, 'index.html'), 'utf8')
  const entry = ENTRY.exec(document)?.[1]
  if (entry === undefined) throw new Error('the document in dist/web names no script')
  const found = new Set<string>()
  const visit = (path: string) => {
    if (found.has(path)) return
    found.add(path)
    for (const [, name = ''] of readFileSync(join(ROOT, path), 'utf8').matchAll(IMPORTS))
      visit(posix.join(posix.dirname(path), name))
  }
  visit(entry)
  for (const [, path = ''] of document.matchAll(PRELOADED)) visit(path)
  return [...found]
}

/** Bytes of scripts as they travel. */
export function gzipBytes(scripts: readonly string[]): number {
  return scripts.reduce((sum, path) => sum + gzipSync(readFileSync(join(ROOT, path))).length, 0)
}
