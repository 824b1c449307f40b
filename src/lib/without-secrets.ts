const REMOVED = '[removed]'

/** In a line of JSON: a value ends before a quotation mark or a backslash, so that the line stays one. */
const RULES: readonly { readonly pattern: RegExp; readonly replacement: string }[] = [
  // Keys of recalld.
  { pattern: /\brk_[A-Za-z0-9_-]+/g, replacement: REMOVED },
  { pattern: /\b(bearer|basic|apikey)\s+[^\s"'\\,;]+/gi, replacement: `$1 ${REMOVED}` },
  // Passwords in addresses, as of databases and proxies.
  { pattern: /\b([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s"'\\/@]{0,500}@/gi, replacement: `$1${REMOVED}@` },
  // What a provider of OAuth hands over in an address, and what opens a session or an upload.
  {
    pattern:
      /([?&#](?:code|state|token|access_token|refresh_token|id_token|client_secret|code_verifier|api_?key|key|password|secret|sig|signature|x-amz-[a-z-]+)=)[^&\s"'\\#]+/gi,
    replacement: `$1${REMOVED}`,
  },
  // The same as fields of JSON, also of JSON within a text.
  {
    pattern:
      /((?:\\?")(?:access_token|refresh_token|id_token|client_secret|code_verifier|api_?key|x-api-key|authorization|cookie|password|secret|token)(?:\\?")\s*:\s*\\?")[^"\\]+/gi,
    replacement: `$1${REMOVED}`,
  },
  // V8 quotes what could not be parsed.
  { pattern: /(Unexpected token ).{0,80}?( is not valid JSON)/g, replacement: `$1${REMOVED}$2` },
]

/**
 * A line of the log without what opens something: keys, tokens, codes, passwords. The last guard, behind all those that
 * do not put them there.
 *
 * @param line of JSON, and still one afterwards
 */
export function withoutSecrets(line: string): string {
  let clean = line
  for (const { pattern, replacement } of RULES) clean = clean.replace(pattern, replacement)
  return clean
}
