import { z } from 'zod'
import { sinceField } from '../../src/connector/connection-fields.ts'
import type { ConnectionConfig } from '../../src/connector/connector.ts'
import { type GoogleConfig, googleFields } from './google-config.ts'

const CATEGORIES = ['promotions', 'social', 'updates', 'forums'] as const

export interface GmailConfig extends ConnectionConfig, GoogleConfig {
  readonly since?: Date | undefined
  readonly labels: readonly string[]
  readonly exclude_labels: readonly string[]
  readonly exclude_categories: readonly (typeof CATEGORIES)[number][]
}

const labelNames = z.array(z.string().trim().min(1)).default([])

export const gmailConfig = z.strictObject({
  ...googleFields(),
  since: sinceField(),
  labels: labelNames.describe(
    'Sync only conversations with one of these labels, by name as in Gmail: ["Family", "Work/Contracts"].',
  ),
  exclude_labels: labelNames.describe('Exclude conversations with one of these labels.'),
  exclude_categories: z
    .array(z.enum(CATEGORIES))
    .default(['promotions', 'social'])
    .describe(
      'Exclude conversations that are only in these Gmail categories; [] syncs all. Receipts and tickets are in `updates`.',
    ),
})

/** The start of the unread history, and during a full scan its progress. */
export const gmailCursor = z.strictObject({
  historyId: z.string().min(1),
  walk: z
    .strictObject({
      /** Index of the current listing of the selection. */
      listing: z.int().min(0),
      pageToken: z.string().optional(),
      /** Whether a thread was skipped unread, so that the number of its documents is unknown. */
      unread: z.boolean(),
      /** What has changed in the last weeks was read. */
      recent: z.literal(true).optional(),
    })
    .optional(),
})

export type GmailCursor = z.infer<typeof gmailCursor>
