import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import * as folder from '../../../connectors/local/folder.ts'
import type { Connector, Partition, StoredRef } from '../../../src/connector/connector.ts'
import { connectorContext } from '../../lib/connector-context.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

const technicalDocs: Connector = folder.technicalDocs
const FILES = [
  'README.md',
  'notes.md',
  'drafts/one.md',
  'drafts/keep.md',
  'guide/private/plan.md',
  'guide/private.md',
  'guide/deep/scratch.txt',
  'guide/deep/scratch.md',
  'local.md',
  'other/notes.md',
]

describe('what git ignores in a repository', () => {
  test('is left out, as git itself says, and counted', async () => {
    const home = repository()
    const { context, names, partition } = await read(home)
    const untracked = git(home, 'ls-files', '--others', '--exclude-standard').split('\n')
    expect(names).toEqual(untracked.filter((name) => FILES.includes(name)).sort())
    expect(context.warned).toEqual([
      'Git ignores 5 files and folders in ~/docs, so they are not synced. Set gitignore to false to sync them.',
    ])
    const listed = await drained(technicalDocs.inventory?.(partition, context))
    expect(listed.map(({ title }) => title).sort()).toEqual(names)
  })

  test('is read with gitignore: false', async () => {
    expect((await read(repository(), { gitignore: false })).names).toEqual([...FILES].sort())
  })

  test('is gone when one asks for such a file again', async () => {
    const home = repository()
    const { refs } = await read(home, { gitignore: false })
    const { context, names } = await read(home)
    const found = await Promise.all(refs.map((ref) => technicalDocs.read(ref, context)))
    expect(found.flatMap((item) => item?.title ?? []).sort()).toEqual(names)
  })

  test('follows the patterns above a folder in the repository, unless git ignores that folder itself', async () => {
    const home = repository()
    expect((await read(home, { paths: ['~/docs/guide'] })).names).toEqual(['deep/scratch.md', 'private.md'])
    expect((await read(home, { paths: ['~/docs/guide/private'] })).names).toEqual(['plan.md'])
  })

  test('is read outside of repositories', async () => {
    const home = temporaryFolder()
    put(home, 'docs/.gitignore', '*.md')
    put(home, 'docs/a.md', 'x')
    expect((await read(home)).names).toEqual(['a.md'])
  })
})

function repository(): string {
  const home = temporaryFolder()
  for (const name of FILES) put(home, `docs/${name}`, 'x')
  git(home, 'init', '--quiet')
  put(home, 'docs/.gitignore', '/notes.md\ndrafts/*\n!drafts/keep.md\nprivate/\n')
  put(home, 'docs/guide/.gitignore', 'scratch.*\n')
  put(home, 'docs/guide/deep/.gitignore', '!scratch.md\n')
  put(home, 'docs/.git/info/exclude', 'local.md\n')
  return home
}

function git(home: string, ...args: string[]): string {
  return execFileSync('git', ['-C', join(home, 'docs'), ...args], { encoding: 'utf8' }).trim()
}
async function read(home: string, settings: Record<string, unknown> = {}) {
  const context = await connectorContext(technicalDocs, { name: 'me', ...settings }, { machine: { userHome: home } })
  const [partition] = await drained(technicalDocs.partitions(context))
  const changes = await drained(technicalDocs.changes(partition as Partition, undefined, context))
  const items = changes.flatMap((change) => (change.type === 'item' ? [change.item] : []))
  const refs = items.map((item): StoredRef => ({ ...item, partition: partition as Partition }))
  return { context, partition: partition as Partition, refs, names: items.map(({ title }) => title).sort() }
}

function put(home: string, name: string, content: string): void {
  mkdirSync(dirname(join(home, name)), { recursive: true })
  writeFileSync(join(home, name), content)
}

async function drained<T>(values: AsyncIterable<T> | undefined): Promise<T[]> {
  const all: T[] = []
  for await (const value of values ?? []) all.push(value)
  return all
}
