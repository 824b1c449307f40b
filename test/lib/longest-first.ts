import { matchesGlob, relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { packagePath } from '../../src/lib/files.ts'

/** Files that take 15 s or more on a quiet machine with two cores. */
const LONG = [
  'test/contract/{store-postgres,store-move,store-postgres-split}.test.ts',
  'test/contract/postgres-{away,concurrency,replica,replica-lag}.test.ts',
  'test/crash/*-kill.test.ts',
  'test/crash/kill.test.ts',
  'test/e2e/{roles,package,cli-launcher,tracing,daemon,observed-service,file-bombs}.test.ts',
  'test/attack/*.test.ts',
]

/**
 * Runs the long files of a project before its others, so that no core waits at the end for one that began last. Where no times
 * are known, as in a fresh checkout, vitest begins with the largest files, and some of the longest tests are the shortest files.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const projects = [...new Set(sorted.map(({ project }) => project))]
    return projects.flatMap((project) => {
      const own = sorted.filter((file) => file.project === project)
      return [...own.filter(isLong), ...own.filter((file) => !isLong(file))]
    })
  }
}

function isLong({ moduleId }: TestSpecification): boolean {
  const path = relative(packagePath(''), moduleId)
  return LONG.some((pattern) => matchesGlob(path, pattern))
}
