import { rmSync } from 'node:fs'

/** With its log; also where there is none. */
export function removeDatabase(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true })
}
