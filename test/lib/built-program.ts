import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { packagePath } from '../../src/lib/files.ts'

/** Runs before the tests (vitest `globalSetup`): processes that they start run the bundle of the current sources. */
export async function setup(): Promise<void> {
  await promisify(execFile)(process.execPath, [packagePath('scripts/build-program.js'), '--if-outdated'])
}
