import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import { openPromise } from 'yauzl'

/** Which files of an export to read. */
export interface TakeoutWish {
  /** @param path as in the export, with `/`: `Takeout/Fit/...`; folder names are in the person's language */
  wants(path: string): boolean
  /** Largest size in bytes; larger files are skipped. */
  readonly largest: number
}

export interface TakeoutEntry {
  readonly path: string
  /** `undefined`: larger than the limit. */
  readonly bytes: Uint8Array | undefined
}

/** An archive that is truncated: still being written, or not copied completely. */
export class IncompleteArchive extends Error {}

/** The selected files of a zip. Only they and the directory are read. @throws IncompleteArchive */
export async function* zipEntries(path: string, { wants, largest }: TakeoutWish): AsyncGenerator<TakeoutEntry> {
  const zip = await openPromise(path, { autoClose: false, lazyEntries: true }).catch((cause: Error) => {
    // The directory is at the end.
    throw /end of central directory/i.test(cause.message) ? new IncompleteArchive(cause.message, { cause }) : cause
  })
  try {
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName.endsWith('/') || !wants(entry.fileName)) continue
      const isTooLarge = entry.uncompressedSize > largest
      // Fails when the content exceeds the size in the directory.
      yield {
        path: entry.fileName,
        bytes: isTooLarge ? undefined : await allBytes(await zip.openReadStreamPromise(entry)),
      }
    }
  } finally {
    zip.close()
  }
}

/** The selected files of a compressed tar, which must be read from start to end. @throws IncompleteArchive */
export async function* tarEntries(path: string, { wants, largest }: TakeoutWish): AsyncGenerator<TakeoutEntry> {
  const files = extract()
  const source = createReadStream(path)
  // A failure before the end of the archive destroys the iterated stream with its error.
  pipeline(source, createGunzip(), files, () => undefined)
  try {
    for await (const entry of files) {
      const { name, size = 0, type } = entry.header
      if (type !== 'file' || !wants(name)) entry.resume()
      else if (size > largest) {
        entry.resume()
        yield { path: name, bytes: undefined }
      } else yield { path: name, bytes: await allBytes(entry) }
    }
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : ''
    throw /unexpected end|premature close/i.test(message) ? new IncompleteArchive(message, { cause }) : cause
  } finally {
    source.destroy()
    files.destroy()
  }
}

async function allBytes(chunks: AsyncIterable<unknown>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) if (chunk instanceof Uint8Array) parts.push(chunk)
  return Buffer.concat(parts)
}
