import { matchesGlob, relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { packagePath } from '../../src/lib/files.ts'

/** Files that take 15 s or more on a quiet machine with two cores. */
const LONG = [
  'test/contract/{store-postgres,store-move,store-postgres-split,store-sqlite,round-trips}.test.ts',
  'test/contract/postgres-{away,concurrency,replica,replica-lag}.test.ts',
  'test/crash/{*-kill,kill,stop-in-a-run}.test.ts',
  'test/e2e/{local-models,connector-package,package,changed-elsewhere,roles,recalled-echo,mcp-stdio}.test.ts',
  'test/e2e/{cli-launcher,cli-migrate-store,tracing,daemon,observed-service,file-bombs,two-versions}.test.ts',
  'test/attack/*.test.ts',
  'test/browser/{recall-page,library-page,every-page,memory-edits,sources-page,days-and-people}.test.ts',
  'test/browser/{activity-and-settings,keys-and-usage,keyboard,languages,large-memory,import-exports}.test.ts',
]

/**
 * Runs projects with many long files before those with few, and the long files of a project before its others, so that no core
 * waits at the end for one that began last. Where no times are known, as in a fresh checkout, vitest begins with the largest files,
 * and some of the longest tests are the shortest files.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const projects = Map.groupBy(sorted, ({ project }) => project)
    return [...projects.values()]
      .map((files) => ({ long: files.filter(isLong), others: files.filter((file) => !isLong(file)) }))
      .sort((one, other) => other.long.length - one.long.length)
      .flatMap(({ long, others }) => [...long, ...others])
  }
}

function isLong({ moduleId }: TestSpecification): boolean {
  const path = relative(packagePath(''), moduleId)
  return LONG.some((pattern) => matchesGlob(path, pattern))
}
