import { z } from 'zod'
import { apiUrlField, connectionFields, sinceField, tokenFields } from '../../src/connector/connection-fields.ts'

export const zoomConfig = z.strictObject({
  ...connectionFields(),
  account_id: z.string().trim().min(1).describe('Account ID of your app, under "App Credentials".'),
  client_id: z.string().trim().min(1).describe('Client ID of your app.'),
  ...tokenFields(),
  user: z.string().trim().min(1).describe('Email address of the person whose meetings to sync.'),
  api_url: apiUrlField('https://api.zoom.us/v2/'),
  since: sinceField().describe('Sync only meetings that began on or after this day, e.g. 2024-01-01.'),
})
export type ZoomConfig = z.infer<typeof zoomConfig>

/** How far the recordings were listed. */
export const zoomCursor = z.strictObject({
  /** Everything that Zoom listed before this time was yielded. */
  readAt: z.iso.datetime().optional(),
  /** A first scan in progress, from the newest meeting to the oldest; `to` is where it goes on. */
  scan: z.strictObject({ to: z.iso.datetime(), begun: z.iso.datetime() }).optional(),
})
export type ZoomCursor = z.infer<typeof zoomCursor>
