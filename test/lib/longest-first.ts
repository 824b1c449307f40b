import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { packagePath } from '../../src/lib/files.ts'
import { isLongFile } from './long-files.ts'

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
  return isLongFile(relative(packagePath(''), moduleId))
}
