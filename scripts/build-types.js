import { execFileSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { isBundleCurrent } from '../bin/is-bundle-current.js'

/** Writes the type declarations of the package's exports into dist/types; with `--if-outdated` only if a source is newer. */
const root = fileURLToPath(new URL('..', import.meta.url))
const output = join(root, 'dist/types')
const compiler = join(root, 'node_modules/typescript/bin/tsc')

if (!(process.argv.includes('--if-outdated') && isBundleCurrent('dist/types/src/connector/contract.d.ts'))) build()

function build() {
  if (!existsSync(compiler)) {
    process.stderr.write('Type declarations are not built because typescript is not installed.\n')
    return
  }
  rmSync(output, { recursive: true, force: true })
  execFileSync(process.execPath, [compiler, '-p', join(root, 'tsconfig.types.json')], { stdio: 'inherit' })
}
