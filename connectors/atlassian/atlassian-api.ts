import { z } from 'zod'
import { connectionFields, sinceField, tokenFields } from '../../src/connector/connection-fields.ts'
import type { CheckContext, Partition } from '../../src/connector/connector.ts'
import { type JsonRequest, type JsonResponse, requestJson } from '../../src/connector/json-requests.ts'
import { once, perRun } from '../../src/connector/per-run.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { tokenAccess } from '../../src/connector/token-access.ts'

const names = z.array(z.string().trim().min(1))

/** How far the issues of a project, or the pages of a space, were read. */
export const atlassianCursor = z.strictObject({
  /** Every change before this time was yielded. */
  readAt: z.iso.datetime().optional(),
  /** A listing in progress, from the newest change to the oldest, and its next page. */
  scan: z.strictObject({ after: z.string(), begun: z.iso.datetime() }).optional(),
})
export type AtlassianCursor = z.infer<typeof atlassianCursor>

/** @param parts `projects` or `spaces` */
export function atlassianConfig(parts: string) {
  return z.strictObject({
    ...connectionFields(),
    site: z
      .url({ protocol: /^https?$/ })
      .transform((url) => url.replace(/\/*$/, ''))
      .describe('Address of your site, e.g. https://acme.atlassian.net.'),
    user: z.string().trim().min(3).max(300).describe('Email address of your Atlassian account.'),
    ...tokenFields(),
    since: sinceField(),
    include: names.min(1).optional().describe(`Names or keys of ${parts} to sync. Default: all that you see.`),
    exclude: names.default([]).describe(`Names or keys of ${parts} to exclude.`),
  })
}
export type AtlassianConfig = z.infer<ReturnType<typeof atlassianConfig>>

type AtlassianRequest<T> = Pick<JsonRequest<T>, 'answer' | 'asked' | 'absent' | 'body'> & { readonly path: string }

/** Atlassian answers a rejected token as if nobody had signed in: with what everybody sees, often nothing. */
function anonymousAnswer({ headers }: JsonResponse): SourceError | undefined {
  return /AUTHENTICATED_FAILED|AUTHENTICATION_DENIED/.test(headers.get('x-seraph-loginreason') ?? '')
    ? new SourceError('reauthorize', 'Atlassian rejected the token: it is invalid, expired or revoked.')
    : undefined
}

/** One request to the site; `undefined` for what does not exist. Throws a `SourceError`. */
export async function askAtlassian<T>(
  title: 'Jira' | 'Confluence',
  { path, ...request }: AtlassianRequest<T>,
  context: CheckContext<AtlassianConfig>,
): Promise<T | undefined> {
  const { site, user } = context.config
  const access = tokenAccess(context, { provider: 'atlassian', family: 'atlassian', scopes: [] }, 'Atlassian')
  const headers = (token: string) => ({ authorization: `Basic ${Buffer.from(`${user}:${token}`).toString('base64')}` })
  const url = new URL(path, `${site}/`)
  // Links in answers must not lead the token elsewhere.
  if (url.origin !== new URL(site).origin) throw new SourceError('retry', `${title} returned a link to another site.`)
  const api = { title, api: title.toLowerCase(), access, headers, failure: anonymousAnswer }
  return (await requestJson(api, { ...request, url }, context))?.answer
}

/** Whether the settings select what changed last at this time. */
export function isSince(changedAt: Date, { config: { since } }: CheckContext<AtlassianConfig>): boolean {
  return since === undefined || changedAt >= since
}

const partChecks = perRun((_context: CheckContext<AtlassianConfig>) => new Map<string, () => Promise<void>>())
const partAnswer = z.looseObject({ id: z.union([z.string(), z.number()]) })

/**
 * Both APIs answer 404 for what is deleted and for what the account may not see: it only counts as deleted while its
 * project or space can be read, which a run asks once.
 * @param path of the project or space
 */
export async function absentIn(
  api: 'Jira' | 'Confluence',
  path: string,
  { title }: Partition,
  context: CheckContext<AtlassianConfig>,
): Promise<undefined> {
  const checks = partChecks(context)
  const check = checks.get(path) ?? once(() => requirePart(api, { path, title }, context))
  checks.set(path, check)
  await check()
}

async function requirePart(
  api: 'Jira' | 'Confluence',
  { path, title }: { readonly path: string; readonly title: string },
  context: CheckContext<AtlassianConfig>,
): Promise<void> {
  const found = await askAtlassian(api, { path, answer: partAnswer, asked: title, absent: [404] }, context)
  if (found === undefined) throw new SourceError('retry', `${title} was deleted, or the token has no access to it.`)
}

const myself = z.looseObject({
  accountId: z.string().min(1),
  displayName: z.string().optional(),
  emailAddress: z.string().optional(),
})

/** The account of the token on this site. */
export async function atlassianAccount(context: CheckContext<AtlassianConfig>, title: 'Jira' | 'Confluence') {
  const path = title === 'Jira' ? 'rest/api/3/myself' : 'wiki/rest/api/user/current'
  const found = await askAtlassian(title, { path, answer: myself, asked: 'your account' }, context)
  const { host } = new URL(context.config.site)
  if (found === undefined) throw new SourceError('retry', `${title} sent no account.`)
  const { accountId, displayName = accountId, emailAddress = displayName } = found
  return { account: `${host}:${accountId}`, title: `${host} (${emailAddress})` }
}

/** The steps for a token, which serves Jira and Confluence. */
export const ATLASSIAN_TOKEN_STEPS = [
  'Your site and email address go into the settings `site` and `user`: --set site=https://acme.atlassian.net --set user=ada@acme.test',
  'Open https://id.atlassian.com/manage-profile/security/api-tokens and choose "Create API token" (the one without scopes), with the longest expiration.',
  'Copy the token. If tokens are switched off, an organization administrator allows them under "Security", "API token settings".',
]
