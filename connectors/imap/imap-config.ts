import { z } from 'zod'
import { connectionFields, sinceField, tokenFields } from '../../src/connector/connection-fields.ts'

const folderNames = z.array(z.string().trim().min(1)).default([])

export const imapConfig = z.strictObject({
  ...connectionFields(),
  host: z.string().trim().min(1).max(255).describe('Mail server, e.g. imap.fastmail.com.'),
  port: z.int().min(1).max(65_535).optional().describe('Port of the server. Default: 993, with STARTTLS 143.'),
  security: z
    .enum(['tls', 'starttls', 'none'])
    .default('tls')
    .describe(
      'How the connection is encrypted: tls, starttls, or none, which is allowed only for a server on this machine.',
    ),
  user: z.string().trim().min(1).max(500).describe('Your user name at the server, usually your mail address.'),
  ...tokenFields(),
  since: sinceField(),
  push: z
    .boolean()
    .default(true)
    .describe(
      'Whether a second connection waits for new mail, which is then synced within seconds while recalld runs: in the inbox, or in the first of `folders`. Other folders and deletions follow on schedule.',
    ),
  folders: folderNames.describe(
    'Sync only these folders, by their full path, e.g. ["INBOX", "Archive/2026"]; also trash or spam.',
  ),
  exclude_folders: folderNames.describe(
    'Exclude these folders and the folders inside them. Trash, spam and drafts are synced only if `folders` names them.',
  ),
})

export type ImapConfig = z.infer<typeof imapConfig>

/** How far each folder was read. UIDs grow and are never given twice while the UIDVALIDITY stays (RFC 9051, 2.3.1.1). */
export const imapCursor = z.strictObject({
  folders: z.record(
    z.string(),
    z.strictObject({
      /** A 32-bit number as text. */
      uidValidity: z.string().min(1),
      /** Every mail up to this UID was read, but for those that `remainingUid` leaves. */
      lastUid: z.int().min(0),
      /** While a folder is read for the first time, from its newest mail to its oldest: mails up to this UID are still to be read. */
      remainingUid: z.int().min(0).optional(),
    }),
  ),
})

export type ImapCursor = z.infer<typeof imapCursor>
export type FolderCursor = ImapCursor['folders'][string]
