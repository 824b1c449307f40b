import { stat } from 'node:fs/promises'
import { openPromise } from 'yauzl'
import { AppError } from '../../domain/errors.ts'
import { problemSentence } from '../../domain/source-problems.ts'

/** Texts of exports are packed to a tenth or so; ten times that is no export. */
const MOST_TIMES = 100
/** Smaller ones can be of any ratio. */
const HARMLESS_BYTES = 256 * 1024 * 1024

/**
 * Reads the list of a ZIP file, unpacking nothing. What it states is enforced when a file in it is read.
 * @returns whether other archives are in it, which are not read
 * @throws AppError `invalid` for one that is damaged, has a password, or unpacks to far more than it should
 */
export async function checkArchive(path: string): Promise<{ readonly isNested: boolean }> {
  const { size } = await stat(path)
  let packed = 0
  let unpacked = 0
  let isEncrypted = false
  let isNested = false
  try {
    const zip = await openPromise(path, { autoClose: false, lazyEntries: true })
    try {
      for await (const entry of zip.eachEntry()) {
        packed += entry.compressedSize
        unpacked += entry.uncompressedSize
        isEncrypted ||= entry.isEncrypted()
        isNested ||= /\.zip$/i.test(entry.fileName)
      }
    } finally {
      zip.close()
    }
  } catch (cause) {
    throw new AppError('invalid', problemSentence('import_damaged', {}), { cause })
  }
  if (isEncrypted) throw new AppError('invalid', problemSentence('import_password', {}))
  // Files that share bytes, as no program packs them.
  const overlaps = packed > size
  if (overlaps || (unpacked > HARMLESS_BYTES && unpacked > size * MOST_TIMES)) {
    throw new AppError('invalid', problemSentence('import_bomb', {}))
  }
  return { isNested }
}
