import { z } from 'zod'
import { connectionFields, sinceField, tokenFields } from '../../src/connector/connection-fields.ts'

const server = z
  .string()
  .trim()
  .min(1)
  .max(1_000)
  .refine(
    (text) => URL.canParse(/^https?:\/\//i.test(text) ? text : `https://${text}`),
    'must be the address of a server',
  )

export const caldavConfig = z.strictObject({
  ...connectionFields(),
  server: server
    .optional()
    .describe(
      'CalDAV server, e.g. cloud.example.org or caldav.fastmail.com. Default: that of the mail address in `user`.',
    ),
  user: z.string().trim().min(1).max(500).describe('Your user name at the server, usually your mail address.'),
  ...tokenFields(),
  exclude: z
    .array(z.string().trim().min(1))
    .default([])
    .describe('Names of calendars to exclude, e.g. ["Birthdays", "Team*"]; `*` matches any text.'),
  since: sinceField(),
})
export type CaldavConfig = z.infer<typeof caldavConfig>

export const caldavCursor = z.strictObject({
  /** The sync token of the server (RFC 6578). */
  token: z.string().optional(),
  /** ETags by path, where the server has no tokens. */
  etags: z.record(z.string(), z.string()).optional(),
})
export type CaldavCursor = z.infer<typeof caldavCursor>
