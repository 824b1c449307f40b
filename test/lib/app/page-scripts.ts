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
 * The scripts that the browser needs before it shows the first page: those of the document and all that these import.
 *
 * @returns paths below dist/web
 */
export function firstPageScripts(): string[] {
  const document = readFileSync(join(ROOT, 'index.html'), 'utf8')
  const entry = ENTRY.exec(document)?.[1]
  if (entry === undefined) throw new Error('the document in dist/web names no script')
  return withImports([entry, ...Array.from(document.matchAll(PRELOADED), ([, path = '']) => path)])
}

/** What the sign-in page needs besides those of the first page. */
export function signInScripts(): string[] {
  const name = readdirSync(join(ROOT, 'assets')).find((file) => /^signed-out-pages-.*\.js$/.test(file))
  if (name === undefined) throw new Error('dist/web has no sign-in page')
  const before = new Set(firstPageScripts())
  return withImports([`assets/${name}`]).filter((path) => !before.has(path))
}

function withImports(paths: readonly string[]): string[] {
  const found = new Set<string>()
  const visit = (path: string) => {
    if (found.has(path)) return
    found.add(path)
    for (const [, name = ''] of readFileSync(join(ROOT, path), 'utf8').matchAll(IMPORTS))
      visit(posix.join(posix.dirname(path), name))
  }
  paths.forEach(visit)
  return [...found]
}

/** Bytes of scripts as they travel. */
export function gzipBytes(scripts: readonly string[]): number {
  return scripts.reduce((sum, path) => sum + gzipSync(readFileSync(join(ROOT, path))).length, 0)
}
