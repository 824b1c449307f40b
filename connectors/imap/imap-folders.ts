import type { ListResponse } from 'imapflow'
import type { CheckContext } from '../../src/connector/connector.ts'
import { perRun } from '../../src/connector/per-run.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import type { ImapConfig } from './imap-config.ts'
import { imapSession } from './imap-session.ts'

/** Kinds of folders that hold no mail of one's own, or repeat that of others; RFC 6154. Read only when named. */
const LEFT_OUT = new Set(['\\Trash', '\\Junk', '\\Drafts', '\\Flagged', '\\Important'])

export interface ChosenFolders {
  /** The inbox first. */
  readonly paths: readonly string[]
  /** Folders that the settings name and that can't be read. */
  readonly problems: readonly SourceError[]
}

/** The folders to read. Listed once in a run. */
export const chosenFolders = perRun(async (context: CheckContext<ImapConfig>): Promise<ChosenFolders> => {
  const { folders: named, exclude_folders: excluded } = context.config
  const isExcluded = ({ path, delimiter }: ListResponse) =>
    excluded.some((one) => path === one || path.startsWith(`${one}${delimiter}`))
  const folders = await imapSession(context).request((client) => client.list())
  const holdsMail = ({ flags }: ListResponse) => !flags.has('\\Noselect') && !flags.has('\\NonExistent')
  const problemOf = (path: string) => {
    const folder = folders.find((one) => one.path === path)
    if (folder === undefined) return `The folder ${path} doesn't exist. Check folders.`
    if (!holdsMail(folder)) return `The folder ${path} holds only other folders. Name those in folders.`
    return isExcluded(folder) ? `The folder ${path} is in folders and in exclude_folders. Remove one.` : []
  }
  const problems = named.flatMap(problemOf).map((problem) => new SourceError('reconfigure', problem))
  const isChosen = ({ path, specialUse = '' }: ListResponse) =>
    named.length === 0 ? !LEFT_OUT.has(specialUse) : named.includes(path)
  const paths = folders.filter((folder) => holdsMail(folder) && !isExcluded(folder) && isChosen(folder))
  // A server with a folder of all mail, as Gmail's, repeats in it what is in the others.
  const all = paths.find(({ specialUse }) => specialUse === '\\All')
  const isWhole = all !== undefined && named.length === 0 && excluded.length === 0
  const read = isWhole ? [all] : paths.filter((folder) => folder !== all || named.includes(folder.path))
  const inboxFirst = (a: string, b: string) => Number(b === 'INBOX') - Number(a === 'INBOX') || (a < b ? -1 : 1)
  return { paths: read.map(({ path }) => path).sort(inboxFirst), problems }
})
