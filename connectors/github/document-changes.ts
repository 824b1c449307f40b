import type { Change, ItemRef, SourceItem } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { blobAnswer, type Tree, treeAnswer } from './github-answers.ts'
import type { CursorOf, GithubCursor } from './github-config.ts'
import { glob } from './glob.ts'
import {
  githubItemId,
  lostPartition,
  type RepositorySource,
  repositoryFields,
  repositoryRoute,
} from './repository-source.ts'

/** Larger files are generated, or data. */
const MOST_BYTES = 1_000_000
/** Modes of regular files; symbolic links (120000) and submodules are skipped. */
const FILE_MODES: ReadonlySet<string> = new Set(['100644', '100755'])
const TEXT = /(?:\.(?:md|markdown|mdx|txt|rst|adoc|asciidoc|org|textile)|^[^.]+|\/[^./]+)$/i

interface File {
  readonly path: string
  readonly sha: string
  readonly size: number
}

/** Wait until the tree shows a push that the repository already reports. */
const OVERLAP_MS = 5 * 60_000

/**
 * The files of the default branch if its tree has changed, and the files that were removed from
 * it. Sends no request if nobody has pushed since.
 */
export async function* documentChanges(
  source: RepositorySource,
  cursor: CursorOf<'documents'> | undefined,
): AsyncGenerator<Change<GithubCursor>> {
  const push = lastPush(source)
  if (push !== undefined && push === cursor?.push) return yield { type: 'checkpoint', cursor }
  const head = await headTree(source, cursor?.etag)
  if (head === 'unchanged' || (head?.tree.sha !== undefined && head.tree.sha === cursor?.tree)) {
    const etag = head === 'unchanged' ? cursor?.etag : head.etag
    return yield { type: 'checkpoint', cursor: endCursor(cursor?.tree, etag, push) }
  }
  const files = head === undefined ? [] : await documentFiles(source, head.tree)
  yield { type: 'expected', items: files.length }
  for (const file of files) yield fileChange(source, file)
  if (cursor?.tree !== undefined) {
    const paths = new Set(files.map(({ path }) => path))
    for (const { path } of await formerFiles(source, cursor.tree)) {
      if (!paths.has(path)) yield { type: 'gone', ref: fileRef(source, path) }
    }
  }
  yield { type: 'checkpoint', cursor: endCursor(head?.tree.sha, head?.etag, push) }
}

/** `undefined` when unknown, or so recent that the tree may be older. */
function lastPush({ repository, context }: RepositorySource): string | undefined {
  const { pushed_at, default_branch } = repository
  if (!pushed_at || context.clock().getTime() - pushed_at.getTime() < OVERLAP_MS) return undefined
  return `${pushed_at.toISOString()} ${default_branch}`
}

function endCursor(
  tree: string | undefined,
  etag: string | undefined,
  push: string | undefined,
): CursorOf<'documents'> {
  return {
    kind: 'documents',
    ...(tree !== undefined && { tree }),
    ...(etag !== undefined && { etag }),
    ...(push !== undefined && { push }),
  }
}

export async function* documentInventory(source: RepositorySource): AsyncGenerator<ItemRef> {
  const head = await headTree(source)
  if (head === undefined || head === 'unchanged') return
  for (const { path, sha } of await documentFiles(source, head.tree)) {
    yield { ...fileRef(source, path), revision: sha }
  }
}

export async function readDocumentItem(source: RepositorySource, path: string): Promise<SourceItem | undefined> {
  const head = await headTree(source)
  if (head === undefined || head === 'unchanged') return undefined
  const file = (await documentFiles(source, head.tree)).find((file) => file.path === path)
  if (file !== undefined && file.size > MOST_BYTES) throw tooLarge(source, file)
  return file && fileItem(source, file)
}

/** `undefined`: the repository is empty. */
async function headTree(source: RepositorySource, etag?: string) {
  const { default_branch } = source.repository
  const route = repositoryRoute(source, '/git/trees/{tree}', { tree: default_branch, recursive: 1 })
  const answer = await source.gateway.get(treeAnswer, route, etag)
  if (answer.outcome === 'found') return { tree: answer.data, etag: answer.etag }
  if (answer.outcome === 'unchanged') return 'unchanged' as const
  // Only this status means empty; 404 is also returned to a token without access to contents.
  if (answer.status === 409) return undefined
  throw lostPartition(source, answer.status)
}

/** The files of the last tree; none if GitHub has deleted it, as after a forced push; then the inventory finds deletions. */
async function formerFiles(source: RepositorySource, sha: string): Promise<readonly File[]> {
  const tree = await readTree(source, sha, true)
  return tree === undefined ? [] : documentFiles(source, tree)
}

async function readTree(source: RepositorySource, sha: string, recursive: boolean): Promise<Tree | undefined> {
  const params = { tree: sha, ...(recursive && { recursive: 1 }) }
  const answer = await source.gateway.get(treeAnswer, repositoryRoute(source, '/git/trees/{tree}', params))
  return answer.outcome === 'found' ? answer.data : undefined
}

/** The files to sync. A tree that GitHub truncates (from 100,000 entries on) is read folder by folder. */
async function documentFiles(source: RepositorySource, root: Tree): Promise<File[]> {
  const wanted = glob(source.context.config.documents)
  const files: File[] = []
  const add = (entries: Tree['tree'], folder: string) => {
    for (const { path, sha, size, type, mode } of entries) {
      const whole = `${folder}${path}`
      if (type !== 'blob' || !FILE_MODES.has(mode) || !wanted.matches(whole) || !TEXT.test(whole)) continue
      files.push({ path: whole, sha, size: size ?? 0 })
    }
  }
  if (!root.truncated) {
    add(root.tree, '')
    return files
  }
  const folders = [{ sha: root.sha, folder: '' }]
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    const { sha, folder } = next
    const tree = await readTree(source, sha, false)
    if (tree === undefined || tree.truncated) {
      const name = folder || 'its root folder'
      throw new SourceError('retry', `${source.partition.title} can't be read completely: GitHub truncates ${name}.`)
    }
    add(tree.tree, folder)
    for (const { path, sha, type } of tree.tree) {
      const whole = `${folder}${path}`
      if (type === 'tree' && wanted.mayMatchIn(whole)) folders.push({ sha, folder: `${whole}/` })
    }
  }
  return files
}

function fileChange(source: RepositorySource, file: File): Change<GithubCursor> {
  if (file.size <= MOST_BYTES) return { type: 'item', item: fileItem(source, file) }
  return { type: 'failed', ref: { ...fileRef(source, file.path), revision: file.sha }, error: tooLarge(source, file) }
}

function tooLarge({ repository }: RepositorySource, { path }: File): SourceError {
  return new SourceError('skip', `${path} of ${repository.full_name} is larger than 1 MB.`, { tooLarge: true })
}

function fileRef(source: RepositorySource, path: string) {
  const { full_name } = source.repository
  return {
    sourceType: 'github' as const,
    itemId: githubItemId(source, 'file', path),
    locator: path,
    title: `${full_name}: ${path}`,
  }
}

function fileItem(source: RepositorySource, { path, sha }: File): SourceItem {
  const { html_url, default_branch } = source.repository
  const blobPath = [...default_branch.split('/'), ...path.split('/')].map(encodeURIComponent).join('/')
  return {
    ...fileRef(source, path),
    ...repositoryFields(source),
    revision: sha,
    url: `${html_url}/blob/${blobPath}`,
    body: () => fileText(source, path, sha),
  }
}

async function fileText(source: RepositorySource, path: string, sha: string): Promise<string | undefined> {
  const answer = await source.gateway.get(blobAnswer, repositoryRoute(source, '/git/blobs/{sha}', { sha }))
  if (answer.outcome !== 'found') return undefined
  const { content, encoding } = answer.data
  const bytes = Buffer.from(content, encoding === 'base64' ? 'base64' : 'utf8')
  if (bytes.includes(0)) throw new SourceError('skip', `${path} of ${source.repository.full_name} is not text.`)
  return new TextDecoder().decode(bytes)
}
