import { chmodSync } from 'node:fs'

/** The user id that owns nothing. */
const NOBODY = 65_534

/** Runs while a folder may not be entered: as nobody when the tests run as root, whom no permission stops. */
export async function withoutPermission(folder: string, run: () => Promise<void>): Promise<void> {
  const isRoot = process.geteuid?.() === 0
  chmodSync(folder, 0)
  if (isRoot) process.seteuid?.(NOBODY)
  try {
    await run()
  } finally {
    if (isRoot) process.seteuid?.(0)
    chmodSync(folder, 0o700)
  }
}
