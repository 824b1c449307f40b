import { createHash, randomBytes } from 'node:crypto'
import { createWriteStream, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip, gunzipSync, gzipSync } from 'node:zlib'
import { extract, type Header, pack } from 'tar-stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { claimOne, sampleItem, sampleUpload } from '../../contract/store-samples.ts'
import { type RunningService, startService } from '../../lib/start-service.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'
import { until } from '../../lib/until.ts'

/** Of 40 characters, each of two UTF-16 units. */
const LONGEST_TAG = '🌾'.repeat(40)

interface Packed {
  readonly header: Pick<Header, 'name' | 'type'> & { readonly linkname?: string | null }
  readonly content: Buffer
}

/** Every entry of an archive, in its order. */
async function unpacked(file: string): Promise<Packed[]> {
  const entries = extract()
  const all: Packed[] = []
  entries.end(gunzipSync(readFileSync(file)))
  for await (const entry of entries) {
    const pieces: Buffer[] = []
    for await (const piece of entry) pieces.push(Buffer.from(piece as Uint8Array))
    all.push({ header: entry.header, content: Buffer.concat(pieces) })
  }
  return all
}

async function packedAgain(entries: readonly Packed[]): Promise<string> {
  const file = join(temporaryFolder(), 'changed.tar.gz')
  const archive = pack()
  for (const { header, content } of entries) {
    archive.entry(
      {
        name: header.name,
        type: header.type ?? 'file',
        size: content.byteLength,
        ...(header.linkname && { linkname: header.linkname }),
      },
      content,
    )
  }
  archive.finalize()
  await pipeline(archive, createGzip(), createWriteStream(file))
  return file
}

async function exported({ service }: RunningService, file: string): Promise<string> {
  const { stream } = await service.archives.export({})
  await pipeline(stream, createWriteStream(file))
  return file
}

const replaced = (entries: readonly Packed[], name: string, change: (content: Buffer) => Buffer) =>
  entries.map((entry) => (entry.header.name === name ? { ...entry, content: change(entry.content) } : entry))

describe('an account as a file', () => {
  let home: RunningService
  let elsewhere: RunningService
  let file: string
  let folder: string
  beforeAll(async () => {
    home = await startService()
    elsewhere = await startService()
    await home.upload('I planted the quince tree yesterday.', { itemId: 'quince', userName: 'Ada' })
    await home.upload('---\ntitle: Harvest\nwhen: 2025-09-01\n---\n\nThe harvest of 2025 was poor.', {
      itemId: 'harvest',
      source: 'email',
    })
    await home.service.memorize(await home.service.authenticate(home.key), {
      body: new TextEncoder().encode('Ünïcode: 東京の秋'),
      fileName: 'note.txt',
      userName: 'Ada Lovelace',
      itemId: '東京',
      sourceType: 'text',
      connector: 'notion',
    })
    await home.ready('東京')
    const scoped = home.store.scoped({ accountId: home.accountId, sources: 'all' })
    await scoped.golden.add({ question: 'How was the harvest?', items: [{ itemId: 'harvest', sourceType: 'email' }] })
    const passage = Uint32Array.of(7, 5)
    await scoped.edits.mark({ kind: 'pin', itemId: 'harvest', sourceType: 'email', passage, by: 'Ada' })
    await scoped.edits.mark({ kind: 'hide', itemId: 'harvest', sourceType: 'email', passage, by: 'Ada' })
    const noted = { kind: 'note', itemId: 'harvest', sourceType: 'email', passage, note: { itemId: 'remark' } } as const
    await scoped.edits.restore({ ...noted, by: 'Ada', at: new Date('2026-03-05T08:00:00Z') })
    await scoped.tags.change([{ itemId: 'harvest', sourceType: 'email' }], {
      add: ['Garden', LONGEST_TAG],
      remove: [],
    })
    await scoped.names.decide({ name: 'Priya', mergedInto: 'Priya Raman', by: 'Ada' })
    await scoped.names.decide({ name: 'Tom', by: 'Ada' })
    await scoped.deleteItem({ itemId: 'none', sourceType: 'text' })
    const ledger = home.store.ledger(`account:${home.accountId}`)
    await ledger.commit({ connector: 'slack', name: 'acme' }, 'C1', {
      items: [{ sourceType: 'slack', itemId: 'm1', phase: 'skipped', scanNumber: 1, error: 'It is too large.' }],
      partition: { cursor: '"secret-cursor"' },
    })
    folder = mkdtempSync(join(tmpdir(), 'recalld-archive-'))
    file = await exported(home, join(folder, 'account.tar.gz'))
  })
  afterAll(async () => {
    await home?.stop()
    await elsewhere?.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const recalled = async ({ service }: RunningService, key: string, text: string) => {
    const { memories } = await service.recall(await service.authenticate(key), { text })
    return memories.map(({ item_id, content }) => [item_id, content.narrative])
  }

  test('holds every upload byte for byte, and all tables as lines that people can read, but no secret', async () => {
    const entries = await unpacked(file)
    const names = entries.map(({ header }) => header.name)
    expect(names.slice(0, 6)).toEqual([
      'archive.json',
      'README.txt',
      'items/000001.jsonl',
      'files/000000001.txt',
      'files/000000002.txt',
      'files/000000003.txt',
    ])
    expect(names.at(-1)).toBe('manifest.json')
    const content = (name: string) => entries.find(({ header }) => header.name === name)?.content.toString() ?? ''
    expect(content('files/000000003.txt')).toBe('Ünïcode: 東京の秋')
    expect(content('memories/000001.jsonl')).toContain('quince')
    expect(content('golden/000001.jsonl')).toContain('How was the harvest?')
    expect(content('ledger/000001.jsonl')).toContain('It is too large.')
    expect(content('keys/000001.jsonl')).toContain('"default"')
    const { counts } = JSON.parse(content('manifest.json'))
    expect(counts).toMatchObject({ items: 3, golden: 1, keys: 1, ledger: 1, connections: 1 })
    const all = Buffer.concat(entries.map((entry) => entry.content)).toString('latin1')
    const hash = (await home.store.admin.listKeys(home.accountId))[0]?.hash ?? new Uint8Array()
    for (const secret of [
      home.key,
      Buffer.from(hash).toString('hex'),
      Buffer.from(hash).toString('base64'),
      'secret-cursor',
    ])
      expect(all).not.toContain(secret)
  })

  test('comes back elsewhere: the same items, bytes and times, and recall finds the same', async () => {
    const progress: number[] = []
    const onTotal = (items: number) => progress.push(items)
    const report = await elsewhere.service.archives.import({ file, onTotal, onItem: () => progress.push(0) })
    expect(report).toMatchObject({ items: 3, unchanged: 0, kept: [], goldenQuestions: 1 })
    expect(progress).toEqual([3, 0, 0, 0])
    const { accountId, key = '' } = report
    for (const [itemId, source] of [
      ['quince', 'text'],
      ['harvest', 'email'],
      ['東京', 'text'],
    ] as const)
      await elsewhere.ready(itemId, source, key)
    const of = ({ store }: RunningService, id: string) => store.scoped({ accountId: id, sources: 'all' })
    const harvest = await of(elsewhere, accountId).findItem({ itemId: 'harvest', sourceType: 'email' })
    expect(harvest?.tags).toEqual(['Garden', LONGEST_TAG])
    const listed = async (running: RunningService, id: string) =>
      (await of(running, id).library.stored({ limit: 99 })).map(({ key: _, ...item }) => item)
    expect(await listed(elsewhere, accountId)).toEqual(await listed(home, home.accountId))
    expect((await listed(elsewhere, accountId)).map(({ connector }) => connector)).toEqual([
      undefined,
      undefined,
      'notion',
    ])
    for (const { itemId, sourceType } of await listed(home, home.accountId)) {
      const ref = { itemId, sourceType }
      expect(await of(elsewhere, accountId).readBody(ref)).toEqual(await of(home, home.accountId).readBody(ref))
    }
    for (const text of ['quince tree', 'harvest of 2025', '東京'])
      expect(await recalled(elsewhere, key, text)).toEqual(await recalled(home, home.key, text))
    expect((await of(elsewhere, accountId).golden.list())[0]).toMatchObject({
      items: [{ itemId: 'harvest', isHeld: true }],
    })
    expect(await of(elsewhere, accountId).edits.list()).toEqual(await of(home, home.accountId).edits.list())
    expect(await of(home, home.accountId).names.list()).toHaveLength(2)
    expect(await of(elsewhere, accountId).names.list()).toEqual(await of(home, home.accountId).names.list())
    expect(await elsewhere.store.admin.findAccount(accountId)).toMatchObject({
      name: (await home.store.admin.findAccount(home.accountId))?.name,
    })
  })

  test('cut off, it has told its new account and the key of it, with which it goes on', async () => {
    let made: { accountId: string; key: string } | undefined
    const cutOff = elsewhere.service.archives.import({
      file,
      onAccount: (account) => {
        made = account
      },
      onItem: () => {
        throw new Error('cut off')
      },
    })
    await expect(cutOff).rejects.toThrow('is incomplete')
    const { accountId, key } = made!
    expect(await elsewhere.service.authenticate(key)).toMatchObject({ accountId })
    const report = await elsewhere.service.archives.import({ file, into: accountId })
    expect(report).toMatchObject({ accountId, items: 2, unchanged: 1 })
  })

  test('done again it goes on where it was, and never overwrites', async () => {
    const { accountId } = await elsewhere.service.accounts.create({ name: 'Half', userName: 'Half' })
    const scoped = elsewhere.store.scoped({ accountId, sources: 'all' })
    let seen = 0
    const cutOff = elsewhere.service.archives.import({
      file,
      into: accountId,
      onItem: () => {
        if (++seen === 2) throw new Error('cut off')
      },
    })
    await expect(cutOff).rejects.toThrow('is incomplete')
    expect((await scoped.holdings()).items).toBe(2)
    await scoped.deleteItem({ itemId: 'quince', sourceType: 'text' })
    const body = new TextEncoder().encode('another text of mine')
    await scoped.putItem({
      ...{
        itemId: 'quince',
        sourceType: 'text',
        userId: 'u',
        userName: 'A',
        fileName: 'q.txt',
        contentType: 'text/plain',
      },
      ...{ body, bodyHash: createHash('sha256').update(body).digest('hex'), executionId: 'x', onConflict: 'reject' },
    })
    const report = await elsewhere.service.archives.import({ file, into: accountId })
    expect(report).toMatchObject({ items: 1, unchanged: 1, kept: [{ itemId: 'quince', sourceType: 'text' }] })
    expect(report.key).toBeUndefined()
    expect(await scoped.readBody({ itemId: 'quince', sourceType: 'text' })).toEqual(body)
    expect(await elsewhere.service.archives.import({ file, into: accountId })).toMatchObject({
      items: 0,
      unchanged: 2,
      goldenQuestions: 0,
    })
  })

  const file_ = (name: string, content = 'x', type: Header['type'] = 'file'): Packed => ({
    header: { name, type, ...(type === 'symlink' && { linkname: '/etc/passwd' }) },
    content: Buffer.from(type === 'symlink' ? '' : content),
  })
  const hostile: [what: string, change: (entries: Packed[]) => Packed[], problem: RegExp][] = [
    [
      'a name that leads out',
      (all) => [all[0]!, file_('../../escaped.txt'), ...all.slice(1)],
      /has an unexpected entry/,
    ],
    ['an absolute name', (all) => [all[0]!, file_('/tmp/escaped.txt'), ...all.slice(1)], /has an unexpected entry/],
    [
      'a link',
      (all) => [all[0]!, file_('files/000000001.txt', '', 'symlink'), ...all.slice(1)],
      /has an unexpected entry/,
    ],
    [
      'changed bytes',
      (all) => replaced(all, 'files/000000002.txt', (b) => Buffer.from(b).fill(120)),
      /doesn't match its line/,
    ],
    [
      'a changed table',
      (all) => replaced(all, 'golden/000001.jsonl', () => Buffer.from('{}\n')),
      /doesn't match the manifest/,
    ],
    [
      'a changed line of an item',
      (all) => replaced(all, 'items/000001.jsonl', (b) => Buffer.from(b.toString().replace('quince', 'quinze'))),
      /doesn't match the manifest/,
    ],
    ['no manifest', (all) => all.slice(0, -1), /before its manifest/],
    ['a missing file', (all) => all.filter(({ header }) => header.name !== 'files/000000003.txt'), /is missing/],
    ['a missing table', (all) => all.filter(({ header }) => !header.name.startsWith('golden')), /is missing/],
    ['an entry twice', (all) => [...all.slice(0, 2), all[1]!, ...all.slice(2)], /in it twice/],
    ['something after its manifest', (all) => [...all, file_('files/000000009.txt')], /entries after its manifest/],
    [
      'a newer format',
      (all) => replaced(all, 'archive.json', (b) => Buffer.from(b.toString().replace('"version": 3', '"version": 4'))),
      /newer version/,
    ],
    ['another format', (all) => all.slice(1), /not an account export/],
    ['nothing', () => [], /not an account export/],
  ]
  test.each(hostile)('with %s it is refused, and nothing of it is imported', async (_what, change, problem) => {
    const changed = await packedAgain(change(await unpacked(file)))
    const before = (await elsewhere.service.accounts.list()).length
    const beside = readdirSync(join(changed, '..'))
    await expect(elsewhere.service.archives.import({ file: changed })).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringMatching(problem),
    })
    expect(await elsewhere.service.accounts.list()).toHaveLength(before)
    expect(readdirSync(join(changed, '..'))).toEqual(beside)
    expect(existsSync(join(changed, '..', '..', '..', 'escaped.txt'))).toBe(false)
  })

  test('cut off, not compressed, or with an entry that says to be huge it is refused', async () => {
    const bytes = readFileSync(file)
    const write = (content: Uint8Array) => {
      const changed = join(temporaryFolder(), 'changed.tar.gz')
      writeFileSync(changed, content)
      return elsewhere.service.archives.import({ file: changed })
    }
    await expect(write(bytes.subarray(0, bytes.length - 300))).rejects.toMatchObject({
      message: expect.stringMatching(/is incomplete/),
    })
    await expect(write(gunzipSync(bytes))).rejects.toMatchObject({
      message: expect.stringMatching(/not a .tar.gz file/),
    })
    const tar = gunzipSync(bytes)
    await expect(write(gzipSync(tar.subarray(0, 3_000)))).rejects.toMatchObject({
      message: expect.stringMatching(/is incomplete/),
    })
    // The size of the second entry, with the sum of its header made right again.
    const header = tar.subarray(tar.indexOf('README.txt'), tar.indexOf('README.txt') + 512)
    header.write('77777777777\0', 124, 'latin1')
    header.fill(0x20, 148, 156)
    const sum = header.reduce((total, byte) => total + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
    await expect(write(gzipSync(tar))).rejects.toMatchObject({ message: expect.stringMatching(/is larger than/) })
    await expect(elsewhere.service.archives.import({ file: '/nowhere/at-all.tar.gz' })).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  test('whatever title, address and time an item has, it is exported and comes back', async () => {
    await using odd = await startService({ work: false })
    const { store, accountId } = odd
    const scoped = store.scoped({ accountId, sources: 'all' })
    await scoped.putItem(sampleUpload('odd', 'far away'))
    const [start, end] = [new Date('-000100-01-01T00:00:00Z'), new Date('+012026-01-01T00:00:00Z')]
    await store.queue.complete(await claimOne(store), {
      ...sampleItem(['far away']),
      ...{ title: 'x'.repeat(12_000), url: `https://example.com/${'y'.repeat(20_000)}` },
      when: { start, end, precision: 'year' },
    })
    expect((await scoped.library.stored({ limit: 1 }))[0]).toMatchObject({ statedFrom: start, statedUntil: end })
    const file = await exported(odd, join(folder, 'odd.tar.gz'))
    expect(await elsewhere.service.archives.import({ file })).toMatchObject({ items: 1 })
  })

  test('an account that is deleted while it is exported makes no archive that looks complete', async () => {
    const { accountId } = await home.service.accounts.create({ name: 'Going', userName: 'Going' })
    const scoped = home.store.scoped({ accountId, sources: 'all' })
    for (const itemId of ['one', 'two', 'three']) {
      const body = randomBytes(3_000_000)
      const bodyHash = createHash('sha256').update(body).digest('hex')
      await scoped.putItem({ ...sampleUpload(itemId, ''), body, bodyHash })
    }
    let deleted: Promise<unknown> | undefined
    const onItem = () => {
      deleted ??= home.service.deletions.run({ account: accountId })
    }
    const { stream } = await home.service.archives.export({ account: accountId, onItem })
    const cut = join(folder, 'cut.tar.gz')
    await expect(pipeline(stream, createWriteStream(cut))).rejects.toThrow()
    await deleted
    await expect(elsewhere.service.archives.import({ file: cut })).rejects.toMatchObject({ code: 'invalid' })
  })

  test('an export that nobody reads to its end ends', async () => {
    const { accountId } = await home.service.accounts.create({ name: 'Large', userName: 'Large' })
    const scoped = home.store.scoped({ accountId, sources: 'all' })
    for (const itemId of ['one', 'two', 'three']) {
      const body = randomBytes(3_000_000)
      const bodyHash = createHash('sha256').update(body).digest('hex')
      const file = { userId: 'u', userName: 'A', fileName: 'x.pdf', contentType: 'application/pdf', body, bodyHash }
      await scoped.putItem({ ...file, itemId, sourceType: 'pdf', executionId: itemId, onConflict: 'reject' })
    }
    const { stream } = await home.service.archives.export({ account: accountId })
    stream.destroy()
    await until(async () => home.logLines.some(({ message }) => message === 'account export ended early'))
  })

  test('both are told in the activity', async () => {
    const viewer = { accountId: home.accountId, personId: '', role: 'owner' } as const
    await until(
      async () => (await home.service.activity.page(viewer, { kinds: ['account_exported'], limit: 1 })).length > 0,
    )
    const [row] = await home.service.activity.page(viewer, { kinds: ['account_exported'], limit: 1 })
    expect(row).toMatchObject({ actor: { type: 'server' }, entry: { items: 3 } })
  })
})
