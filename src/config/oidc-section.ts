import { z } from 'zod'
import { AppError } from '../domain/errors.ts'
import { issueSentence } from './field-schema.ts'
import type { FileSection } from './file-section.ts'

const text = () => z.string().regex(/\S/)

/** What may stand below `oidc`. */
export const OIDC_SECTION = z.strictObject({
  issuer: z.url({ protocol: /^https?$/ }).describe('Address of the provider, as it names itself.'),
  client_id: text().describe('Of recalld, as the provider knows it.'),
  client_secret: text().describe('Secret of that client.'),
  title: text().default('single sign-on').describe('Name of the provider, on the button that people press.'),
})

/**
 * The provider of OpenID Connect by which people may sign in; `undefined`: none is configured.
 *
 * @throws AppError `invalid`, naming file, line and setting; never a value
 */
export function oidcSection(section: FileSection | undefined) {
  if (section === undefined) return undefined
  const content = section.read()
  const parsed = OIDC_SECTION.safeParse(content)
  if (parsed.success) {
    const { issuer, client_id: clientId, client_secret: clientSecret, title } = parsed.data
    return { issuer, clientId, clientSecret, title }
  }
  const [issue] = parsed.error.issues
  if (issue === undefined) throw parsed.error
  if (issue.path.length === 0 && issue.code !== 'unrecognized_keys') {
    throw new AppError('invalid', 'oidc must be a mapping, as in oidc: {issuer: ..., client_id: ...}', {
      location: section.where([]),
    })
  }
  const at = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : issue.path
  throw new AppError('invalid', `oidc: ${issueSentence(issue, OIDC_SECTION, content)}`, { location: section.where(at) })
}
