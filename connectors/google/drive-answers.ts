import { z } from 'zod'
import { rowsOf as entries, listedRowsOf, pageToken, optionalText as text } from './google-rows.ts'

/** An RFC 3339 time; invalid times are treated as missing. */
const instant = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text))
  .optional()
  .catch(undefined)
const flag = z.boolean().optional().catch(undefined)

const person = z.looseObject({ displayName: text, emailAddress: text }).optional().catch(undefined)

export const driveFile = z.looseObject({
  id: z.string().min(1),
  name: z.string().catch('Untitled'),
  mimeType: z.string().catch(''),
  createdTime: instant,
  modifiedTime: instant,
  version: z
    .union([z.string(), z.number().transform(String)])
    .optional()
    .catch(undefined),
  trashed: flag,
  /** At most one since 2020; older files may name several. */
  parents: z.array(z.string()).optional().catch(undefined),
  /** The shared drive that contains the file. */
  driveId: text,
  owners: z.array(person).optional().catch(undefined),
  lastModifyingUser: person,
  ownedByMe: flag,
  shared: flag,
  webViewLink: text,
  size: z
    .union([z.string().regex(/^\d+$/).transform(Number), z.number()])
    .optional()
    .catch(undefined),
  viewedByMeTime: text,
  modifiedByMeTime: text,
  shortcutDetails: z.looseObject({ targetId: text, targetMimeType: text }).optional().catch(undefined),
  capabilities: z.looseObject({ canDownload: flag }).optional().catch(undefined),
})
export type DriveFile = z.infer<typeof driveFile>

/** The requested fields of a file. */
export const FILE_FIELDS =
  'id,name,mimeType,createdTime,modifiedTime,version,trashed,parents,driveId,ownedByMe,shared,webViewLink,size,' +
  'viewedByMeTime,modifiedByMeTime,owners(displayName,emailAddress),lastModifyingUser(displayName,emailAddress),' +
  'shortcutDetails(targetId,targetMimeType),capabilities(canDownload)'

export const fileList = z.looseObject({
  files: listedRowsOf(driveFile),
  nextPageToken: pageToken,
  incompleteSearch: flag,
})

const fileChange = z.looseObject({
  changeType: text,
  removed: flag,
  fileId: text,
  file: driveFile.optional().catch(undefined),
})
export type FileChange = z.infer<typeof fileChange>

export const changeList = z.looseObject({
  changes: entries(fileChange),
  nextPageToken: pageToken,
  newStartPageToken: text,
})

export const startToken = z.looseObject({ startPageToken: z.string().min(1) })

const sharedDrive = z.looseObject({ id: z.string().min(1), name: z.string().catch('Untitled') })
export type SharedDrive = z.infer<typeof sharedDrive>
export const driveList = z.looseObject({ drives: listedRowsOf(sharedDrive), nextPageToken: pageToken })

export const aboutAnswer = z.looseObject({
  user: z.looseObject({ permissionId: z.string().min(1), emailAddress: text, displayName: text }),
})

const reply = z.looseObject({
  author: person,
  content: text,
  createdTime: instant,
  deleted: flag,
  /** `resolve`, `reopen` */
  action: text,
})
const comment = z.looseObject({
  author: person,
  content: text,
  createdTime: instant,
  deleted: flag,
  resolved: flag,
  quotedFileContent: z.looseObject({ value: text }).optional().catch(undefined),
  replies: entries(reply),
})
export type DriveComment = z.infer<typeof comment>
export const commentList = z.looseObject({ comments: entries(comment), nextPageToken: text })

/** `undefined` when the name is unknown. */
export function personName(who: z.infer<typeof person>): string | undefined {
  return who?.displayName || who?.emailAddress || undefined
}
