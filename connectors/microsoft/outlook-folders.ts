import { z } from 'zod'
import { IMMUTABLE } from './graph-address.ts'
import { type GraphGateway, linkAfter } from './graph-gateway.ts'
import type { OutlookConfig } from './outlook-config.ts'

const folderAnswer = z.looseObject({
  id: z.string().min(1),
  '@removed': z.unknown().optional(),
  displayName: z.string().nullish(),
  parentFolderId: z.string().nullish(),
  isHidden: z.boolean().nullish(),
})

interface MailFolder {
  readonly id: string
  readonly name: string
  readonly parent: string | undefined
  readonly isHidden: boolean
}

export interface MailFolders {
  /** Ids of the selected folders. */
  readonly taken: ReadonlySet<string>
  /** Ids of the folders that exist. */
  readonly all: ReadonlySet<string>
}

/** Never synced, including their subfolders; by Graph's names and by display names. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  deleteditems: 'Deleted Items',
  junkemail: 'Junk Email',
  drafts: 'Drafts',
  outbox: 'Outbox',
  syncissues: 'Sync Issues',
}

/** All folders of the mailbox, at any depth, in few requests. */
export async function mailFolders(gateway: GraphGateway, config: OutlookConfig): Promise<MailFolders> {
  const folders = new Map<string, MailFolder>()
  const query = { $select: 'id,displayName,parentFolderId,isHidden' }
  const headers = { prefer: `${IMMUTABLE}, odata.maxpagesize=200` }
  for await (const page of gateway.pages(folderAnswer, '/me/mailFolders/delta', { query, headers })) {
    for (const { id, displayName, parentFolderId, isHidden, '@removed': removed } of page.values) {
      if (removed !== undefined) continue
      const parent = parentFolderId ?? undefined
      folders.set(id, { id, name: displayName ?? '', parent, isHidden: isHidden === true })
    }
    // The mails of a folder that is left out would look deleted.
    linkAfter(page, 'your mail folders')
  }
  const leftOut = await leftOutIds(gateway, folders)
  const isTaken = (folder: MailFolder) => {
    const line = ancestry(folder, folders)
    if (line.some(({ id, isHidden }) => isHidden || leftOut.has(id))) return false
    const paths = line.map((_, at) => line.slice(at).map(({ name }) => name))
    const fits = (rules: readonly string[]) => rules.some((rule) => paths.some((path) => matches(rule, path)))
    return !fits(config.exclude) && (config.folders === undefined || fits(config.folders))
  }
  const taken = new Set([...folders.values()].filter(isTaken).map(({ id }) => id))
  return { taken, all: new Set(folders.keys()) }
}

async function leftOutIds(gateway: GraphGateway, folders: ReadonlyMap<string, MailFolder>): Promise<Set<string>> {
  const ids = new Set<string>()
  for (const [name, title] of Object.entries(LEFT_OUT)) {
    const options = { query: { $select: 'id' }, headers: { prefer: IMMUTABLE } }
    const found = await gateway.find(folderAnswer, `/me/mailFolders/${name}`, options)
    if (found !== undefined) ids.add(found.id)
    else for (const folder of folders.values()) if (folder.name === title) ids.add(folder.id)
  }
  return ids
}

/** The folder, its parent, and so on. The mailbox root is in no list. */
function ancestry(folder: MailFolder, folders: ReadonlyMap<string, MailFolder>): MailFolder[] {
  const line: MailFolder[] = []
  for (let at: MailFolder | undefined = folder; at !== undefined && !line.includes(at); ) {
    line.push(at)
    at = at.parent === undefined ? undefined : folders.get(at.parent)
  }
  return line
}

/** @param path from the folder upwards; a rule without `/` matches only the last name */
function matches(rule: string, path: readonly string[]): boolean {
  const wanted = rule.split('/').reverse()
  return wanted.every((name, at) => pattern(name).test(path[at] ?? '')) && path.length >= wanted.length
}

function pattern(name: string): RegExp {
  const source = name
    .split('*')
    .map((text) => text.replace(/[\\^$.+?()[\]{}|]/g, '\\$&'))
    .join('.*')
  return new RegExp(`^${source}$`, 'isu')
}
