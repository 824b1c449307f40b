import type { Change, ItemRef, SourceItem } from '../../src/connector/connector.ts'
import { recentStart } from '../../src/connector/recent-window.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import type { DriveFile, FileChange } from './drive-answers.ts'
import type { FilePage } from './drive-api.ts'
import { fileChange, fileRef } from './drive-item.ts'
import { type DriveSource, placed } from './drive-source.ts'
import { FOLDER, SHORTCUT } from './drive-types.ts'
import type { GdocsCursor } from './gdocs-config.ts'

const FOLDERS = `mimeType = '${FOLDER}' and trashed = false`
const FILES = `mimeType != '${FOLDER}' and trashed = false`
const FILES_AND_BIN = `mimeType != '${FOLDER}'`
/** Drive ignores it for people with about a million files. */
const NEWEST_FIRST = 'modifiedTime desc'
/** From this number on, listing everything takes fewer requests than listing each folder. */
const MOST_FOLDERS = 100

/** The cursor while the files of the last weeks are listed. */
type RecentWalk = Extract<GdocsCursor, { kind: 'walk' }> & { readonly recentSince: string }

/**
 * All files when there is no cursor, with a page token from before the listing, and those of the last weeks first;
 * otherwise what changed since.
 */
export async function* driveChanges(
  source: DriveSource,
  cursor: GdocsCursor | undefined,
): AsyncGenerator<Change<GdocsCursor>> {
  if (cursor?.kind === 'changes') return yield* changedFiles(source, cursor.token)
  const start = cursor?.start ?? (await source.api.startToken(source.scope))
  await learnFolders(source)
  const recentSince = cursor === undefined ? firstRecent(source) : cursor.recentSince
  if (recentSince !== undefined) {
    yield* recentFiles(source, { kind: 'walk', start, page: cursor?.page, recentSince })
    yield { type: 'checkpoint', cursor: { kind: 'walk', start }, recentSince: new Date(recentSince) }
  }
  const from = recentSince === undefined ? cursor?.page : undefined
  for await (const { files, nextPageToken: page } of wholeListing(source, FILES, from)) {
    yield* foundFiles(source, files)
    if (page) yield { type: 'checkpoint', cursor: { kind: 'walk', start, page } }
  }
  yield { type: 'checkpoint', cursor: { kind: 'changes', token: start } }
}

function firstRecent({ context }: DriveSource): string | undefined {
  return recentStart(context, context.config.since)?.toISOString()
}

/** What changed in the last weeks, the newest first. Files that this leaves out are in the listing of all. */
async function* recentFiles(source: DriveSource, from: RecentWalk): AsyncGenerator<Change<GdocsCursor>> {
  const query = `${FILES} and modifiedTime >= '${from.recentSince}'`
  for await (const { files, nextPageToken: page } of listing(source, query, { from: from.page, isNewestFirst: true })) {
    yield* foundFiles(source, files)
    if (page) yield { type: 'checkpoint', cursor: { ...from, page } }
  }
}

async function* foundFiles(source: DriveSource, files: readonly DriveFile[]): AsyncGenerator<Change<GdocsCursor>> {
  for (const file of files) {
    const found = await taken(source, file)
    if (found !== undefined) yield fileChange(source, found)
  }
}

/** Every existing file, without its content. */
export async function* driveInventory(source: DriveSource): AsyncGenerator<ItemRef> {
  await learnFolders(source)
  for await (const { files } of wholeListing(source, FILES)) {
    for (const file of files) {
      const found = await taken(source, file)
      if (found === undefined) continue
      const change = fileChange(source, found)
      if (change.type === 'item') yield refOf(change.item)
      else if (change.type === 'failed') yield change.ref
    }
  }
}

/** @throws SourceError `skip` when it cannot be read */
export async function readDriveItem(source: DriveSource, fileId: string): Promise<SourceItem | undefined> {
  const file = await source.api.file(fileId)
  const found = file && (await placed(source, file))
  if (found === undefined) return undefined
  const change = fileChange(source, found)
  if (change.type === 'failed') throw change.error
  return change.type === 'item' ? change.item : undefined
}

function refOf({ sourceType, itemId, locator = '', title, revision }: SourceItem): ItemRef {
  return { sourceType, itemId, locator, title, revision }
}

/** All folders at once, so that hardly any has to be requested on its own. */
async function learnFolders(source: DriveSource): Promise<void> {
  for await (const { files } of listing(source, FOLDERS)) source.folders.learn(files)
}

/** @throws SourceError `retry` after the last page when Drive reports an incomplete search */
async function* wholeListing(source: DriveSource, q: string, from?: string): AsyncGenerator<FilePage> {
  let isIncomplete = false
  for await (const page of listing(source, q, { from })) {
    isIncomplete ||= page.incompleteSearch === true
    // A resumed full scan must remember that an earlier page was incomplete.
    yield isIncomplete ? { files: page.files } : page
  }
  if (isIncomplete) throw incomplete()
}

/** Restarts once when a page token has expired; they last a few hours. */
async function* listing(
  source: DriveSource,
  q: string,
  { from, isNewestFirst }: { readonly from?: string | undefined; readonly isNewestFirst?: boolean } = {},
): AsyncGenerator<FilePage> {
  let isAgain = false
  for (let at = from; ; ) {
    const page = await source.api.files(source.scope, { q, ...(isNewestFirst && { orderBy: NEWEST_FIRST }) }, at)
    if (page === undefined && !isAgain) {
      isAgain = true
      at = undefined
      continue
    }
    if (page === undefined || (page.nextPageToken && page.nextPageToken === at)) {
      throw new SourceError('retry', 'Google Drive did not list all files.')
    }
    yield page
    if (!page.nextPageToken) return
    at = page.nextPageToken
  }
}

function incomplete(): SourceError {
  return new SourceError('retry', 'Google Drive could not search all files.')
}

async function* changedFiles(source: DriveSource, from: string): AsyncGenerator<Change<GdocsCursor>> {
  for (let token = from; ; ) {
    const { changes, nextPageToken, newStartPageToken } = await source.api.changes(source.scope, token)
    source.folders.learn(changes.flatMap(({ file }) => file ?? []))
    for (const change of changes) yield* changed(source, change)
    // Only the folder itself is reported when it is renamed, moved or put into the bin.
    yield* changesBelow(
      source,
      changes.flatMap(({ file }) => (file?.mimeType === FOLDER ? [file.id] : [])),
    )
    const next = nextPageToken || newStartPageToken || token
    yield { type: 'checkpoint', cursor: { kind: 'changes', token: next } }
    if (!nextPageToken) return
    if (next === token) throw new SourceError('retry', 'Google Drive returned changes without an end.')
    token = next
  }
}

async function* changed(source: DriveSource, change: FileChange): AsyncGenerator<Change<GdocsCursor>> {
  const { changeType, removed, fileId, file } = change
  const id = file?.id ?? fileId
  if (changeType === 'drive' || id === undefined) return
  // Deleted, or access was lost.
  if (removed) yield { type: 'gone', ref: fileRef({ id }) }
  else if (file !== undefined && file.mimeType !== FOLDER) yield* fileChanges(source, file)
}

async function* fileChanges(source: DriveSource, file: DriveFile): AsyncGenerator<Change<GdocsCursor>> {
  const found = await taken(source, file)
  if (found !== undefined) yield fileChange(source, found)
  else yield { type: 'gone', ref: fileRef(file) }
}

/** Resolves a shortcut to its target, which follows the same rules as a direct file. */
async function taken(source: DriveSource, file: DriveFile) {
  if (file.mimeType !== SHORTCUT) return placed(source, file)
  const { targetId } = file.shortcutDetails ?? {}
  if (file.trashed || targetId === undefined) return undefined
  const target = await source.api.visibleFile(targetId)
  return target === undefined || target.mimeType === SHORTCUT ? undefined : placed(source, target)
}

async function* changesBelow(source: DriveSource, top: readonly string[]): AsyncGenerator<Change<GdocsCursor>> {
  const folders = [...top]
  const visited = new Set<string>()
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    if (visited.has(next)) continue
    if (visited.size === MOST_FOLDERS) return yield* allFileChanges(source)
    visited.add(next)
    for await (const { files } of folderListing(source, next)) {
      source.folders.learn(files)
      for (const file of files) {
        if (file.mimeType === FOLDER) folders.push(file.id)
        else yield* fileChanges(source, file)
      }
    }
  }
}

async function* allFileChanges(source: DriveSource): AsyncGenerator<Change<GdocsCursor>> {
  await learnFolders(source)
  for await (const { files } of wholeListing(source, FILES_AND_BIN)) {
    for (const file of files) yield* fileChanges(source, file)
  }
}

/** Yields nothing when the folder was deleted; the changes report that too. */
async function* folderListing(source: DriveSource, folderId: string): AsyncGenerator<FilePage> {
  try {
    for await (const page of listing(source, `'${folderId}' in parents`)) {
      if (page.incompleteSearch) throw incomplete()
      yield page
    }
  } catch (error) {
    if (!(error instanceof SourceError) || error.remedy !== 'skip') throw error
    source.context.log.info({ folder: folderId, error: error.message }, "a changed folder can't be listed")
  }
}
