import { createWriteStream } from 'node:fs'
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { pack } from 'tar-stream'
import { ZipFile } from 'yazl'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

type Files = Readonly<Record<string, string | object>>

/** A folder of this test's own with exports of Google Takeout; they were written an hour before `now`. */
export class TakeoutArchives {
  readonly folder = temporaryFolder()
  now = new Date('2026-11-20T12:00:00Z')

  /** @param files by path; objects become JSON */
  async zip(name: string, files: Files): Promise<void> {
    const zip = new ZipFile()
    for (const [path, content] of Object.entries(files)) zip.addBuffer(bytesOf(content), path)
    zip.end()
    await pipeline(zip.outputStream, createWriteStream(join(this.folder, name)))
    await this.age(name)
  }

  async tgz(name: string, files: Files): Promise<void> {
    const tar = pack()
    for (const [path, content] of Object.entries(files)) tar.entry({ name: path }, bytesOf(content))
    tar.finalize()
    await pipeline(tar, createGzip(), createWriteStream(join(this.folder, name)))
    await this.age(name)
  }

  async unpacked(files: Files): Promise<void> {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(this.folder, path)), { recursive: true })
      await writeFile(join(this.folder, path), bytesOf(content))
      await this.age(path)
    }
  }

  async age(name: string, seconds = 3600): Promise<void> {
    const at = new Date(this.now.getTime() - seconds * 1000)
    await utimes(join(this.folder, name), at, at)
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.folder, name))
  }
}

function bytesOf(content: string | object): Buffer {
  if (content instanceof Uint8Array) return Buffer.from(content)
  return Buffer.from(typeof content === 'string' ? content : JSON.stringify(content))
}
