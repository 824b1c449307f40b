import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/**
 * A folder of this test's own, removed when it ends.
 *
 * @param atEnd takes what removes it, where several tests share it
 */
export function temporaryFolder(atEnd: (remove: () => void) => void = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'recalld-test-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
