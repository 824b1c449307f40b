import { chmodSync, mkdirSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import * as folder from '../../../connectors/local/folder.ts'
import type { Change, Connector, Partition, SourceItem } from '../../../src/connector/connector.ts'
import { SourceError } from '../../../src/connector/source-error.ts'
import { describeConnectorContract } from '../../contract/connector-contract.ts'
import { connectorContext } from '../../lib/connector-context.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'
import { withoutPermission } from '../../lib/without-permission.ts'

const technicalDocs: Connector = folder.technicalDocs
const text: Connector = folder.text
const pdf: Connector = folder.pdf

describeConnectorContract('technical_docs', async () => {
  const home = temporaryFolder()
  put(home, 'docs/guide.md', '# Guide\n\nHow to deploy.')
  put(home, 'docs/deep/er/notes.txt', 'The printer is on the second floor.')
  put(home, 'wiki/start.html', '<h1>Start</h1><p>Welcome.</p>')
  const idOf = async (name: string) => (await itemNamed(technicalDocs, home, name)).itemId
  return {
    connector: technicalDocs,
    config: { name: 'docs' },
    options: { machine: { userHome: home } },
    async add() {
      put(home, 'docs/deep/new.md', 'New.')
      return idOf('deep/new.md')
    },
    async edit() {
      put(home, 'docs/guide.md', '# Guide\n\nHow to deploy twice.')
      return idOf('guide.md')
    },
    async remove() {
      const id = await idOf('start.html')
      rmSync(join(home, 'wiki/start.html'))
      return id
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
})

describe('which files a folder connector takes', () => {
  test('each connector takes its own kinds of files, under its own source type', async () => {
    const home = temporaryFolder()
    const texts = ['a.md', 'b.TXT', 'f.rst', 'g.adoc']
    const simulation = ['d.docx', 'd.odp', 'd.ods', 'd.odt', 'd.pptx', 'd.xlsx']
    for (const name of [...texts, ...simulation, 'c.pdf', 'e.html', 'h.ts', 'i.png', 'j.eml', 'k', 'l.doc', 'm.vcf'])
      put(home, `Documents/${name}`, 'x')
    expect(await titles(technicalDocs, home)).toEqual([...texts, ...simulation, 'c.pdf', 'e.html'].sort())
    expect(await titles(text, home)).toEqual([...texts, 'd.docx', 'd.odt', 'j.eml', 'm.vcf'].sort())
    expect(await titles(pdf, home)).toEqual(['c.pdf'])
    const [document] = await items(pdf, home)
    expect(document).toMatchObject({ sourceType: 'pdf', fileName: 'c.pdf', contentType: 'application/pdf' })
    expect((await itemNamed(technicalDocs, home, 'c.pdf')).sourceType).toBe('technical_docs')
  })

  test('what tools put there, hidden files, lock files and empty files are left out', async () => {
    const home = temporaryFolder()
    put(home, 'docs/kept.md', 'x')
    for (const name of [
      'node_modules/lib/README.md',
      '.git/description.txt',
      '.hidden.md',
      'build/report.html',
      'app/dist/index.html',
      'app/target/doc.html',
      'requirements.txt',
      'CMakeLists.txt',
      '~$letter.docx',
    ])
      put(home, `docs/${name}`, 'x')
    put(home, 'docs/empty.md', '')
    expect(await titles(technicalDocs, home)).toEqual(['kept.md'])
  })

  test('include and exclude are patterns of paths, or of names when they hold no slash', async () => {
    const home = temporaryFolder()
    for (const name of ['a.md', 'drafts/b.md', 'handbook/c.md', 'handbook/deep/d.txt', 'handbook/drafts/e.md'])
      put(home, `docs/${name}`, 'x')
    expect(await titles(technicalDocs, home, { exclude: ['drafts'] })).toEqual([
      'a.md',
      'handbook/c.md',
      'handbook/deep/d.txt',
    ])
    expect(await titles(technicalDocs, home, { exclude: ['drafts/'] })).not.toContain('handbook/drafts/e.md')
    expect(await titles(technicalDocs, home, { exclude: ['/handbook/**'] })).toEqual(['a.md', 'drafts/b.md'])
    expect(await titles(technicalDocs, home, { include: ['handbook/'], exclude: ['*.txt'] })).toEqual([
      'handbook/c.md',
      'handbook/drafts/e.md',
    ])
    expect(await titles(technicalDocs, home, { include: ['*.txt'] })).toEqual(['handbook/deep/d.txt'])
  })

  test('the folders are those of the configuration, or those of the usual ones that exist', async () => {
    const home = temporaryFolder()
    put(home, 'notes/a.md', 'x')
    put(home, 'elsewhere/b.md', 'x')
    put(home, 'elsewhere/inside/c.md', 'x')
    expect(await titlesOfPartitions(technicalDocs, home)).toEqual(['~/notes'])
    const paths = ['~/elsewhere/', join(home, 'elsewhere/inside'), join(home, 'elsewhere')]
    expect(await titlesOfPartitions(technicalDocs, home, { paths })).toEqual(['~/elsewhere'])
    expect(await titles(technicalDocs, home, { paths })).toEqual(['b.md', 'inside/c.md'])
  })

  test('a folder with two names is read once', async () => {
    const home = temporaryFolder()
    put(home, 'Documents/docs/a.md', 'x')
    symlinkSync(join(home, 'Documents/docs'), join(home, 'docs'))
    expect(await titles(technicalDocs, home)).toEqual(['docs/a.md'])
  })

  test('without settings and without a usual folder, it says what to set', async () => {
    await expect(connectorContext(text, { name: 'me' }, { machine: { userHome: temporaryFolder() } })).rejects.toThrow(
      'None of the folders ~/Documents exists. Set paths to the folders to sync.',
    )
    expect(text.manifest.config.safeParse({ name: 'me', paths: ['docs'] }).success).toBe(false)
  })
})

describe('the files', () => {
  test('are memorized byte by byte, with their times', async () => {
    const home = temporaryFolder()
    const bytes = Buffer.from([0xef, 0xbb, 0xbf, 0x41, 0x0d, 0x0a])
    put(home, 'docs/a.txt', bytes)
    utimesSync(join(home, 'docs/a.txt'), 1_700_000_000, 1_700_000_000)
    const item = await itemNamed(technicalDocs, home, 'a.txt')
    expect(Buffer.from(await bodyOf(item))).toEqual(bytes)
    expect(item.updatedAt).toEqual(new Date(1_700_000_000_000))
    expect(item.createdAt).toEqual(statSync(join(home, 'docs/a.txt'), { bigint: true }).birthtime)
    expect(item.locator).toBe(join(home, 'docs/a.txt'))
  })

  test('have a new revision when they are replaced by another of the same size and time', async () => {
    const home = temporaryFolder()
    put(home, 'docs/a.md', 'one')
    utimesSync(join(home, 'docs/a.md'), 1_700_000_000, 1_700_000_000)
    const before = await itemNamed(technicalDocs, home, 'a.md')
    put(home, 'docs/b.tmp', 'two')
    utimesSync(join(home, 'docs/b.tmp'), 1_700_000_000, 1_700_000_000)
    renameSync(join(home, 'docs/b.tmp'), join(home, 'docs/a.md'))
    const after = await itemNamed(technicalDocs, home, 'a.md')
    expect(after.itemId).toBe(before.itemId)
    expect(after.revision).not.toBe(before.revision)
  })

  test('are other items when they are renamed', async () => {
    const home = temporaryFolder()
    put(home, 'docs/a.md', 'one')
    const before = await itemNamed(technicalDocs, home, 'a.md')
    renameSync(join(home, 'docs/a.md'), join(home, 'docs/b.md'))
    expect((await itemNamed(technicalDocs, home, 'b.md')).itemId).not.toBe(before.itemId)
    expect(await readAgain(technicalDocs, home, before)).toBeUndefined()
  })

  test('are gone when they are excluded by now', async () => {
    const home = temporaryFolder()
    put(home, 'docs/drafts/a.md', 'one')
    const item = await itemNamed(technicalDocs, home, 'drafts/a.md')
    expect(await readAgain(technicalDocs, home, item)).toMatchObject({ itemId: item.itemId })
    expect(await readAgain(technicalDocs, home, item, { exclude: ['drafts'] })).toBeUndefined()
  })

  test('that are too large fail with the limit, by name', async () => {
    const home = temporaryFolder()
    put(home, 'docs/large.md', Buffer.alloc(10 * 1024 * 1024 + 1, 'a'))
    put(home, 'docs/large.pdf', Buffer.alloc(10 * 1024 * 1024 + 1, 'a'))
    put(home, 'docs/small.md', Buffer.alloc(200 * 1024, 'a'))
    expect(await failures(technicalDocs, home)).toEqual([
      `skip: ${join(home, 'docs/large.md')} is 10.0 MB. The limit is 10 MB.`,
    ])
    expect(await failures(technicalDocs, home, { max_mb: 0.1 })).toHaveLength(3)
  })

  test('that vanish before they are read are gone, unless their whole folder vanished', async () => {
    const home = temporaryFolder()
    put(home, 'docs/a.md', 'one')
    put(home, 'docs/b.md', 'two')
    const [a, b] = await items(technicalDocs, home)
    rmSync(join(home, 'docs/a.md'))
    expect(typeof a?.body === 'function' && (await a.body())).toBeUndefined()
    rmSync(join(home, 'docs'), { recursive: true })
    await expect(bodyOf(b as SourceItem)).rejects.toMatchObject({ remedy: 'retry' })
    mkdirSync(join(home, 'docs'))
    await expect(readAgain(technicalDocs, home, b as SourceItem)).rejects.toMatchObject({ remedy: 'retry' })
  })

  test('that cannot be read fail by name, and are read when their permission changes', async () => {
    const home = temporaryFolder()
    put(home, 'docs/a.md', 'one')
    const file = join(home, 'docs/a.md')
    chmodSync(home, 0o777)
    const item = await itemNamed(technicalDocs, home, 'a.md')
    await withoutPermission(file, async () => {
      await expect(bodyOf(item)).rejects.toMatchObject({
        remedy: 'skip',
        message: `${file} can't be read (EACCES). Allow recalld to read it, or add it to exclude.`,
      })
    })
    expect((await itemNamed(technicalDocs, home, 'a.md')).revision).not.toBe(item.revision)
    rmSync(file)
    mkdirSync(file)
    await expect(bodyOf(item)).rejects.toMatchObject({ remedy: 'retry', message: expect.stringContaining('(EISDIR)') })
  })
})

describe('symbolic links', () => {
  const home = () => {
    const folder = temporaryFolder()
    put(folder, 'docs/a.md', 'x')
    put(folder, 'docs/sub/b.md', 'x')
    put(folder, 'other/c.md', 'x')
    symlinkSync(join(folder, 'other'), join(folder, 'docs/linked'))
    symlinkSync(folder, join(folder, 'docs/sub/loop'))
    symlinkSync(join(folder, 'nowhere'), join(folder, 'docs/dangling.md'))
    symlinkSync(join(folder, 'docs/self'), join(folder, 'docs/self'))
    return folder
  }

  test('are not followed', async () => {
    expect(await titles(technicalDocs, home())).toEqual(['a.md', 'sub/b.md'])
  })

  test('are followed when told to, and a loop ends', async () => {
    const folder = home()
    const found = await items(technicalDocs, folder, { follow_links: true })
    expect(found.map(({ locator }) => locator?.slice(folder.length))).toEqual([
      '/docs/a.md',
      '/other/c.md',
      '/docs/sub/b.md',
    ])
    const linked = found.find(({ title }) => title === 'linked/c.md') as SourceItem
    expect(await readAgain(technicalDocs, folder, linked, { follow_links: true })).toMatchObject({
      title: 'linked/c.md',
      itemId: linked.itemId,
    })
  })
})

describe('a folder that cannot be read', () => {
  test('is an error of its partition, never an empty folder', async () => {
    const home = temporaryFolder()
    put(home, 'docs/a.md', 'x')
    const config = { paths: ['~/docs', '~/disk'] }
    expect(await titlesOfPartitions(technicalDocs, home, config)).toEqual(['~/docs', '~/disk'])
    const { partitions, context } = await opened(technicalDocs, home, config)
    expect(await drained(technicalDocs.changes(partitions[0] as Partition, undefined, context))).toHaveLength(2)
    const missing = {
      remedy: 'reconfigure',
      message: `${join(home, 'disk')} doesn't exist. Mount its disk, or choose another folder.`,
    }
    await expect(drained(technicalDocs.changes(partitions[1] as Partition, undefined, context))).rejects.toMatchObject(
      missing,
    )
    await expect(drained(technicalDocs.inventory?.(partitions[1] as Partition, context))).rejects.toMatchObject(missing)
  })

  test('may be the empty place of a disk that is not mounted', async () => {
    const home = temporaryFolder()
    mkdirSync(join(home, 'docs'))
    const { partitions, context } = await opened(technicalDocs, home)
    const walk = (device: string) => drained(technicalDocs.changes(partitions[0] as Partition, { device }, context))
    await expect(walk('1')).rejects.toThrow('is empty and on a different disk than before. Mount its disk.')
    // Emptied by its owner.
    const device = String(statSync(join(home, 'docs'), { bigint: true }).dev)
    expect(await walk(device)).toEqual([{ type: 'checkpoint', cursor: { device } }])
  })

  test('further down is reported after everything else was read, and no inventory ends without it', async () => {
    const home = temporaryFolder()
    put(home, 'docs/a.md', 'x')
    put(home, 'docs/z/b.md', 'x')
    tooDeepToRead(join(home, 'docs'))
    const { partitions, context } = await opened(technicalDocs, home)
    const seen: Change<unknown>[] = []
    const walk = async () => {
      for await (const change of technicalDocs.changes(partitions[0] as Partition, undefined, context))
        seen.push(change)
    }
    await expect(walk()).rejects.toThrow(/^Folders can't be read: .*\(ENAMETOOLONG\)\. Allow recalld to read them/)
    expect(seen.flatMap((change) => (change.type === 'item' ? [change.item.title] : []))).toEqual(['a.md', 'z/b.md'])
    const failed = seen.flatMap((change) => (change.type === 'failed' ? [change] : []))
    expect(failed.map(({ ref, error }) => [ref.title?.slice(-8), error.remedy])).toEqual([['-file.md', 'skip']])
    await expect(drained(technicalDocs.inventory?.(partitions[0] as Partition, context))).rejects.toThrow(SourceError)
  })
})

test('a hundred folders of files are walked as a stream', async () => {
  const home = temporaryFolder()
  for (let folder = 0; folder < 100; folder++)
    for (let file = 0; file < 20; file++) put(home, `docs/${folder}/${file}.md`, 'x')
  const { partitions, context } = await opened(technicalDocs, home)
  const changes = technicalDocs.changes(partitions[0] as Partition, undefined, context)
  const first = await changes[Symbol.asyncIterator]().next()
  // The last folder can still change: it has not been looked at.
  rmSync(join(home, 'docs/99'), { recursive: true })
  expect(first.value?.type).toBe('item')
  expect((await drained(changes)).filter(({ type }) => type === 'item')).toHaveLength(99 * 20 - 1)
})

/** A folder and a file whose paths are longer than the system takes (4,096 bytes), which no one may read, root neither. */
function tooDeepToRead(parent: string): void {
  const name = 'm'.repeat(200)
  const long = (folder: string, bytes: number) => {
    let path = folder
    while (path.length + 201 < bytes) path = join(path, name)
    mkdirSync(path, { recursive: true })
    return path
  }
  const upper = long(join(parent, 'm'), 2_500)
  const beside = join(dirname(parent), 'beside')
  const lower = long(beside, beside.length + 4_070 - upper.length)
  mkdirSync(join(lower, 'n'.repeat(100)))
  writeFileSync(join(lower, `${'f'.repeat(100)}-file.md`), 'x')
  renameSync(beside, join(upper, 'k'))
  // Nothing can be removed by a path that is too long.
  onTestFinished(() => renameSync(join(upper, 'k'), beside))
}

function put(home: string, name: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(home, name)), { recursive: true })
  writeFileSync(join(home, name), content)
}

async function opened(connector: Connector, home: string, settings: Record<string, unknown> = {}) {
  const context = await connectorContext(connector, { name: 'me', ...settings }, { machine: { userHome: home } })
  return { context, partitions: await drained(connector.partitions(context)) }
}

async function drained<T>(values: AsyncIterable<T> | undefined): Promise<T[]> {
  const all: T[] = []
  for await (const value of values ?? []) all.push(value)
  return all
}

async function walked(connector: Connector, home: string, settings?: Record<string, unknown>) {
  const { context, partitions } = await opened(connector, home, settings)
  const changes: Change<unknown>[] = []
  for (const partition of partitions) changes.push(...(await drained(connector.changes(partition, undefined, context))))
  return changes
}

async function items(connector: Connector, home: string, settings?: Record<string, unknown>): Promise<SourceItem[]> {
  return (await walked(connector, home, settings)).flatMap((change) => (change.type === 'item' ? [change.item] : []))
}

async function titles(connector: Connector, home: string, settings?: Record<string, unknown>): Promise<string[]> {
  return (await items(connector, home, settings)).map(({ title }) => title)
}

async function failures(connector: Connector, home: string, settings?: Record<string, unknown>): Promise<string[]> {
  return (await walked(connector, home, settings)).flatMap((change) =>
    change.type === 'failed' ? [`${change.error.remedy}: ${change.error.message}`] : [],
  )
}

async function titlesOfPartitions(connector: Connector, home: string, settings?: Record<string, unknown>) {
  return (await opened(connector, home, settings)).partitions.map(({ title }) => title)
}

async function itemNamed(connector: Connector, home: string, name: string): Promise<SourceItem> {
  const item = (await items(connector, home)).find(({ title }) => title === name)
  if (item === undefined) throw new Error(`there is no ${name}`)
  return item
}

async function readAgain(
  connector: Connector,
  home: string,
  { sourceType, itemId, locator, title }: SourceItem,
  settings?: Record<string, unknown>,
) {
  const { context, partitions } = await opened(connector, home, settings)
  const ref = {
    sourceType,
    itemId,
    title,
    partition: partitions[0] as Partition,
    ...(locator !== undefined && { locator }),
  }
  return connector.read(ref, context)
}

async function bodyOf({ body }: SourceItem): Promise<Uint8Array> {
  const bytes = typeof body === 'function' ? await body() : body
  if (typeof bytes !== 'object') throw new Error('the body is no bytes')
  return bytes
}
