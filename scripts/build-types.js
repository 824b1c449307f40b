import { execFileSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

/** Writes the type declarations of the package's exports into dist/types. */
const root = fileURLToPath(new URL('..', import.meta.url))
const output = join(root, 'dist/types')
const compiler = join(root, 'node_modules/typescript/bin/tsc')

if (existsSync(compiler)) {
  rmSync(output, { recursive: true, force: true })
  execFileSync(process.execPath, [compiler, '-p', join(root, 'tsconfig.types.json')], { stdio: 'inherit' })
} else {
  process.stderr.write('Type declarations are not built because typescript is not installed.\n')
}
