import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import { openPromise } from 'yauzl'

/** What is to be taken of an export. */
export interface TakeoutWish {
  /** @param path as it stands in the export, with `/`: `Takeout/Fit/...`; folders have the names of the person's language */
  wants(path: string): boolean
  /** Bytes of one file; longer ones are not read. */
  readonly largest: number
}

export interface TakeoutEntry {
  readonly path: string
  /** `undefined`: it is longer than was wished. */
  readonly bytes: Uint8Array | undefined
}

/** An archive that ends before it should: it is still being written, or was not copied whole. */
export class IncompleteArchive extends Error {}

/** The files of a zip that are wished for. Only its directory and they are read. @throws IncompleteArchive */
export async function* zipEntries(path: string, { wants, largest }: TakeoutWish): AsyncGenerator<TakeoutEntry> {
  const zip = await openPromise(path, { autoClose: false, lazyEntries: true }).catch((cause: Error) => {
    // The directory stands at the end.
    throw /end of central directory/i.test(cause.message) ? new IncompleteArchive(cause.message, { cause }) : cause
  })
  try {
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName.endsWith('/') || !wants(entry.fileName)) continue
      const isTooLarge = entry.uncompressedSize > largest
      // It fails when there is more than the directory says.
      yield {
        path: entry.fileName,
        bytes: isTooLarge ? undefined : await allBytes(await zip.openReadStreamPromise(entry)),
      }
    }
  } finally {
    zip.close()
  }
}

/** Likewise for a tar in gzip, which has to be read from end to end. @throws IncompleteArchive */
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
