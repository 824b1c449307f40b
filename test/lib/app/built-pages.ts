import { execFile } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { packagePath } from '../../../src/lib/files.ts'
import { chromiumPath, WITHOUT_CHROMIUM } from './chromium.ts'

/** What the pages are made of. */
const SOURCES = ['src/web', 'src/domain', 'vite.config.ts', 'package-lock.json']
const BUILT = 'dist/web/index.html'

/** Runs before tests of the pages (vitest `globalSetup`): they see the pages as they are in the sources. */
export async function setup(): Promise<void> {
  if (chromiumPath() === undefined) {
    if (process.env.CI === 'true') throw new Error(`${WITHOUT_CHROMIUM}, which a build server must have`)
    process.stdout.write(`${WITHOUT_CHROMIUM}\n`)
  }
  await buildPages()
}

/** Builds the pages of the web app when their sources are newer than what was built last. */
export async function buildPages(): Promise<void> {
  const built = packagePath(BUILT)
  if (existsSync(built) && SOURCES.every((path) => newest(packagePath(path)) <= statSync(built).mtimeMs)) return
  // In a process of its own, because vitest sets NODE_ENV, and vite then builds pages that are not those that people get.
  const env = { ...process.env, NODE_ENV: 'production' }
  await promisify(execFile)(process.execPath, [packagePath('scripts/build-web.js')], {
    env,
    cwd: packagePath('.'),
  }).catch((error: Error) => Promise.reject(new Error(error.message.slice(0, 2_000))))
}

/** When the newest file of a folder was changed, or the file itself; ms. */
function newest(path: string): number {
  if (!statSync(path).isDirectory()) return statSync(path).mtimeMs
  return Math.max(...readdirSync(path).map((name) => newest(join(path, name))))
}
