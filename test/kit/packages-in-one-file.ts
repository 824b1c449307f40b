import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

/**
 * Every writer thread loads Kysely and every pipeline thread chrono-node: over 250 files each, which take four fifths
 * of the time that it takes to open a store, and tests open hundreds. Here they are put into one file each, once for
 * an installation; preloaded by each process and thread of the tests (vitest `execArgv`). Processes that are started
 * as a person starts them load the packages themselves.
 */
const PACKAGES = ['kysely', 'chrono-node']

const fileOf = (name: string) => new URL(`../../node_modules/.cache/recalld-packages/${name}.mjs`, import.meta.url)
const inOneFile = new Map(PACKAGES.filter((name) => existsSync(fileOf(name))).map((name) => [name, fileOf(name).href]))

registerHooks({
  resolve(specifier, context, next) {
    const url = inOneFile.get(specifier)
    return url === undefined ? next(specifier, context) : { url, format: 'module', shortCircuit: true }
  },
})

/** Runs before the tests (vitest `globalSetup`). */
export async function setup(): Promise<void> {
  const { build } = await import('esbuild')
  await Promise.all(
    PACKAGES.map(async (name) => {
      const outfile = fileURLToPath(fileOf(name))
      // Renamed when whole: another run may be reading it.
      const made = `${outfile}.${process.pid}`
      await build({
        entryPoints: [name],
        outfile: made,
        bundle: true,
        platform: 'node',
        format: 'esm',
        logLevel: 'error',
      })
      await rename(made, outfile)
    }),
  )
}
