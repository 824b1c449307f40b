import { redactSecrets } from '../redact.ts'

/** As long as browsers and servers take everywhere. */
const MOST_CHARACTERS = 2_000
/** Last word of the name of a parameter that lets in whoever has it: `access_token`, `X-Amz-Signature`, `sig`, `pwd`. */
const SECRET_NAME =
  /(?:^|[^a-z0-9])(?:[a-z]*token|[a-z]*secret|pass(?:word|wd|code|phrase)?|pwd|sig(?:nature)?|(?:api|access|private|auth)_?key|auth(?:orization)?|credentials?|jwt|[a-z]*sess(?:ion)?_?id|sid)$/
const REDACTED = /(?:\[|%5B)redacted/i

/**
 * The address that a document gives as its original, as it may be kept and shown: of the web, and without what lets in
 * whoever has it. `undefined` when it is none such, or when a secret would remain.
 */
export function originalUrl(written: string): string | undefined {
  const url = URL.parse(written.trim())
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined
  url.username = ''
  url.password = ''
  for (const name of new Set(url.searchParams.keys())) if (isSecretName(name)) url.searchParams.delete(name)
  if ([...new URLSearchParams(url.hash.slice(1)).keys()].some(isSecretName)) url.hash = ''
  const { href } = url
  if (href.length > MOST_CHARACTERS || REDACTED.test(href) || redactSecrets(href).found.length > 0) return undefined
  return href
}

function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase())
}
