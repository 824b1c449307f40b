import { fileNameWords } from '../../domain/file-name-words.ts'
import { compareRevisions, type FileRevision, fileRevision } from '../../domain/file-revision.ts'
import type { Ranking } from './rank-chunks.ts'
import type { ReadChunk } from './read-chunks.ts'
import type { Update } from './superseded.ts'

/** Least share of what the older revision has of the question that is in the newer one too. */
const ALSO_HELD = 0.8

const YEAR = /^\d{4}$/

interface Revised {
  readonly chunk: ReadChunk
  readonly revision: FileRevision
}

/**
 * Pairs of passages of two revisions of one file, equal in name but for it: the newest one that has as much of the question,
 * and those before it. None when the question names a revision.
 *
 * @param found best first
 */
export function revisedFiles(
  question: string,
  found: readonly ReadChunk[],
  { features: { coverage } }: Pick<Ranking, 'features'>,
): Update[] {
  const held = ({ chunk }: Revised) => coverage[chunk.position]!
  return seriesOf(found).flatMap((series) => {
    if (series.some(({ revision }) => revision.isNamedIn(question))) return []
    return series.flatMap((older): Update[] => {
      const newer = series
        .filter((one) => compareRevisions(one.revision, older.revision) > 0 && held(one) >= ALSO_HELD * held(older))
        .toSorted((a, b) => compareRevisions(b.revision, a.revision) || held(b) - held(a))[0]
      return newer === undefined ? [] : [{ newer: newer.chunk.row.chunkId, older: older.chunk.row.chunkId }]
    })
  })
}

/** Without the passages of other revisions than those that the question names. */
export function namedRevisions(question: string, found: readonly ReadChunk[]): readonly ReadChunk[] {
  const others = seriesOf(found).flatMap((series) => {
    const named = series.filter(({ revision }) => revision.isNamedIn(question))
    const years = named.map(({ revision }) => revision.value).filter((value) => YEAR.test(value))
    // `budget 2026.md` may say what something cost in 2025.
    const isOfYear = ({ chunk }: Revised) => years.some((year) => chunk.passage.text.includes(year))
    const others = series.filter((one) => !named.includes(one) && !isOfYear(one))
    return named.length === 0 ? [] : others.map(({ chunk }) => chunk)
  })
  return others.length === 0 ? found : found.filter((chunk) => !others.includes(chunk))
}

/** The passages of revisions, by the file that they are of. */
function seriesOf(found: readonly ReadChunk[]): readonly (readonly Revised[])[] {
  const revised = found.flatMap((chunk): Revised[] => {
    const { row, passage } = chunk
    const { fileName } = passage
    if (fileName === undefined || row.kind === 'turn') return []
    const revision = fileRevision(fileName)
    const isNamed = revision !== undefined && fileNameWords({ fileName, sourceType: row.sourceType }) !== ''
    return isNamed ? [{ chunk, revision }] : []
  })
  return revised.length < 2 ? [] : [...Map.groupBy(revised, ({ revision }) => revision.series).values()]
}
