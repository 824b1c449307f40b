import { createHash } from 'node:crypto'
import { z } from 'zod'
import { connectionFields } from '../../src/connector/connection-fields.ts'

const feedUrl = z
  .url({ protocol: /^https?$/ })
  .refine((url) => new URL(url).username === '', 'must not contain a user name or password')
  .transform((url) => new URL(url).href)

export const feedsConfig = z.strictObject({
  ...connectionFields(),
  urls: z
    .array(feedUrl)
    .min(1)
    .max(1_000)
    .describe('Addresses of RSS, Atom or JSON feeds, e.g. ["https://example.org/feed.xml"].'),
})

export type FeedsConfig = z.infer<typeof feedsConfig>

/** Replaces the feed's address in ids, because it may contain a secret. */
export function feedPart(url: string): string {
  return shortHash(url)
}

/** 132 bits. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}

/** `example.org/feed.xml`, without the query, which may contain a password. */
export function feedTitle(url: string): string {
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`.replace(/\/$/, '').slice(0, 200)
}
