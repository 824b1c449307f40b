import type { Entry, ZipFile } from 'yauzl'
import { fromBufferPromise } from 'yauzl'
import { DocumentProblem } from './document-text.ts'

/** Unpacked, all parts together: a file of 10 MB can unpack to gigabytes. */
const MAX_UNPACKED_BYTES = 200 * 1024 * 1024
const MAX_PARTS = 20_000

/** The parts of an Office document; their names are compared without case, as ECMA-376 part 2 (6.2.2.3) says. */
export interface ZipParts {
  has(name: string): boolean
  /** The text of a part, piece by piece; nothing for a part that is not there. @throws DocumentProblem `too_large` */
  text(name: string): AsyncGenerator<string>
}

/**
 * Opens a zip by its central directory. Unsafe names, sizes that contradict the directory and other damage throw.
 *
 * @param most bytes that may be unpacked
 * @throws DocumentProblem `encrypted`, or `too_large` by the sizes that the directory declares
 */
export async function openZip(bytes: Uint8Array, most = MAX_UNPACKED_BYTES): Promise<ZipParts> {
  const zip = await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  if (zip.entryCount > MAX_PARTS) throw new DocumentProblem('too_large')
  const parts = new Map<string, Entry>()
  let declared = 0
  for await (const entry of zip.eachEntry()) {
    if (entry.isEncrypted()) throw new DocumentProblem('encrypted')
    declared += entry.uncompressedSize
    if (declared > most) throw new DocumentProblem('too_large')
    parts.set(entry.fileName.toLowerCase(), entry)
  }
  return new OpenZip(zip, parts, most)
}

class OpenZip implements ZipParts {
  readonly #zip: ZipFile
  readonly #parts: ReadonlyMap<string, Entry>
  readonly #most: number
  /** What was unpacked so far: several names may share the same bytes, and a part may be read more than once. */
  #unpacked = 0

  constructor(zip: ZipFile, parts: ReadonlyMap<string, Entry>, most: number) {
    this.#most = most
    this.#zip = zip
    this.#parts = parts
  }

  has(name: string): boolean {
    return this.#parts.has(name.toLowerCase())
  }

  async *text(name: string): AsyncGenerator<string> {
    const entry = this.#parts.get(name.toLowerCase())
    if (entry === undefined) return
    let decoder: InstanceType<typeof TextDecoder> | undefined
    // The stream fails as soon as it gives more bytes than the directory declares.
    for await (const piece of await this.#zip.openReadStreamPromise(entry)) {
      const bytes: Uint8Array = piece
      this.#unpacked += bytes.length
      if (this.#unpacked > this.#most) throw new DocumentProblem('too_large')
      decoder ??= new TextDecoder(encodingOf(bytes))
      yield decoder.decode(bytes, { stream: true })
    }
    if (decoder !== undefined) yield decoder.decode()
  }
}

/** XML in Office documents is UTF-8 or UTF-16 (ECMA-376 part 2, 6.2.5), which begins with its byte order mark. */
function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}
