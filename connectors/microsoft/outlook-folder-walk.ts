import { SourceError } from '../../src/connector/source-error.ts'
import { isNotThere } from './graph-gateway.ts'
import { IMMUTABLE } from './graph-prefer.ts'
import type { OutlookMailbox } from './outlook-mailbox.ts'
import { type MessageAnswer, messageAnswer, SELECT_HEAD } from './outlook-message.ts'

export interface FolderWalk {
  /** What tells of changes from now on; `undefined` when the folder is gone. */
  readonly deltaLink: string | undefined
  readonly pages: number
}

/** A delta of thousands of mails takes long to begin with larger pages. */
const PREFER = `${IMMUTABLE}, odata.maxpagesize=200`

/**
 * Tells what a folder holds, or what has changed in it. Links of a walk die now and then before its end, so one from the
 * beginning is tried twice.
 *
 * @param link deltaLink of an earlier walk
 * @throws SourceError `restart` when Graph does not take the link
 */
export async function walkFolder(
  mailbox: OutlookMailbox,
  folderId: string,
  link: string | undefined,
  tell: (message: MessageAnswer) => void,
): Promise<FolderWalk> {
  try {
    return await walked(mailbox, folderId, link, tell)
  } catch (error) {
    if (isNotThere(error)) return { deltaLink: undefined, pages: 1 }
    if (link !== undefined || !(error instanceof SourceError) || error.remedy !== 'restart') throw error
    return walked(mailbox, folderId, undefined, tell)
  }
}

async function walked(
  { gateway }: OutlookMailbox,
  folderId: string,
  link: string | undefined,
  tell: (message: MessageAnswer) => void,
): Promise<FolderWalk> {
  const path = `/me/mailFolders/${encodeURIComponent(folderId)}/messages/delta`
  const options = { query: { $select: SELECT_HEAD }, headers: { prefer: PREFER } }
  let walk: FolderWalk = { deltaLink: undefined, pages: 0 }
  for await (const { values, deltaLink } of gateway.pages(
    messageAnswer,
    link === undefined ? path : { link },
    options,
  )) {
    for (const message of values) tell(message)
    walk = { deltaLink, pages: walk.pages + 1 }
  }
  return walk
}
