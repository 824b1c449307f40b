export interface SecretRule {
  /** Replaces the secret in the text: `[redacted <kind>]`. */
  readonly kind: string
  /** The rule is tried only when the text contains one of these; absent when the pattern is fast enough on its own. */
  readonly hints?: readonly string[]
  /**
   * Global, and linear in the text: bounded repeats, or a look-behind that allows one start per run. Replaces the group
   * `secret`, or the whole match if there is none.
   */
  readonly pattern: RegExp
  readonly accept?: (match: RegExpExecArray, text: string) => boolean
}

/** No letter, digit or base64url character before: a prefix in the middle of encoded data is a coincidence. */
const START = '(?<![A-Za-z0-9_-])'
/** Also not in the middle of base64, where `/` and `+` occur. */
const START_BASE64 = '(?<![A-Za-z0-9_+/-])'

/** In order of priority for overlapping matches. */
export const SECRET_RULES: readonly SecretRule[] = [
  tokenRule('github token', ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], 'gh[pousr]_[A-Za-z0-9]{36,255}'),
  tokenRule('github token', ['github_pat_'], 'github_pat_[A-Za-z0-9_]{22,255}'),
  tokenRule('gitlab token', ['glpat-'], 'glpat-[A-Za-z0-9_-]{20,64}'),
  tokenRule('slack token', ['xox'], 'xox[abeoprs](?:\\.xox[bp])?-[A-Za-z0-9-]{10,255}', hasDigit),
  tokenRule('slack token', ['xapp-'], 'xapp-\\d-[A-Za-z0-9-]{10,255}'),
  {
    kind: 'slack webhook',
    hints: ['hooks.slack.com/'],
    pattern: /hooks\.slack\.com\/(?:services|workflows|triggers)\/(?<secret>[A-Za-z0-9/]{20,120})/g,
  },
  tokenRule('aws access key id', ['AKIA', 'ASIA'], '(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])'),
  {
    // The secret key near its id (a console's CSV, or both pasted together).
    kind: 'aws secret key',
    hints: ['AKIA', 'ASIA'],
    pattern:
      /(?:AKIA|ASIA)[A-Z0-9]{16}[^A-Za-z0-9/+][\s\S]{0,120}?(?<![A-Za-z0-9/+])(?<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/g,
    accept: (match) => isMixed(match.groups!.secret!) && entropyBits(match.groups!.secret!) > 4,
  },
  tokenRule('google api key', ['AIza'], 'AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])'),
  { kind: 'google refresh token', hints: ['1//'], pattern: /(?<![A-Za-z0-9_/-])1\/\/0[A-Za-z0-9_-]{30,255}/g },
  tokenRule('google access token', ['ya29.'], 'ya29\\.[A-Za-z0-9_-]{20,2048}'),
  tokenRule('google client secret', ['GOCSPX-'], 'GOCSPX-[A-Za-z0-9_-]{20,64}'),
  tokenRule('stripe key', ['_live_', '_test_'], '(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{10,255}'),
  tokenRule('stripe webhook secret', ['whsec_'], 'whsec_[A-Za-z0-9+/=]{24,255}'),
  tokenRule('anthropic key', ['sk-ant-'], 'sk-ant-[A-Za-z0-9_-]{16,255}'),
  tokenRule('openai key', ['sk-'], 'sk-(?:proj-|svcacct-|admin-|or-v1-|None-)?[A-Za-z0-9_-]{20,255}', (match) => {
    // CSS classes and slugs (`sk-fading-circle-animation`) have no digits among capitals.
    return (
      hasDigit(match) &&
      (/[A-Z]/.test(match[0]) || entropyBits(match[0]) > 3.7) &&
      !/^sk(?:-[a-z]+\d{0,2})+$/.test(match[0])
    )
  }),
  tokenRule('npm token', ['npm_'], 'npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])'),
  tokenRule('pypi token', ['pypi-'], 'pypi-AgE[A-Za-z0-9_-]{40,400}'),
  tokenRule('hugging face token', ['hf_'], 'hf_[A-Za-z0-9]{34,64}(?![A-Za-z0-9])'),
  tokenRule('sendgrid key', ['SG.'], 'SG\\.[A-Za-z0-9_-]{16,32}\\.[A-Za-z0-9_-]{32,64}'),
  tokenRule('digitalocean token', ['_v1_'], 'do[oprt]_v1_[a-f0-9]{64}'),
  tokenRule('shopify token', ['shp'], 'shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}'),
  tokenRule('vault token', ['hvs.', 'hvb.'], 'hv[bs]\\.[A-Za-z0-9_-]{24,255}'),
  tokenRule('age key', ['AGE-SECRET-KEY-1'], 'AGE-SECRET-KEY-1[A-Z0-9]{50,64}'),
  tokenRule('telegram bot token', [':AA'], '\\d{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])'),
  tokenRule('recalld key', ['rk_'], 'rk_[A-Za-z0-9_-]{32,128}', (match) => entropyBits(match[0]) > 3.5),
  tokenRule(
    'json web token',
    ['eyJ'],
    'eyJ[A-Za-z0-9_-]{5,8192}(?:\\.[A-Za-z0-9_-]{2,65536}){1,4}(?![A-Za-z0-9_-])',
    isJwt,
    START_BASE64,
  ),
  {
    kind: 'authorization header',
    pattern:
      /\bauthorization["']?\s{0,8}[:=,]\s{0,8}["'`]?(?:bearer|basic|token|digest|apikey)\s{1,8}(?<secret>[^\s"'`,;<>{}$[\]]{6,4096})/gi,
    // "Authorization: Bearer tokens expire" is prose.
    accept: ({ groups }) => !isPlaceholder(groups!.secret!) && /\d|=$|[a-z][A-Z]|^.{20}/.test(groups!.secret!),
  },
  {
    kind: 'bearer token',
    pattern: /\b[Bb]earer\s{1,4}(?<secret>[A-Za-z0-9._~+/=-]{16,4096})/g,
    accept: (match) => looksLikeSecret(match.groups!.secret!, { password: false, quoted: true }),
  },
  {
    kind: 'password in address',
    hints: ['://'],
    pattern:
      /(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{1,20}:\/\/[^\s:@/"'<>?#]{0,100}:(?<secret>[^\s@/"'<>]{1,256})@(?=[\w.[\]-])/g,
    accept: (match) => !/^[<{$%[*]|^x+$/i.test(match.groups!.secret!),
  },
  assignmentRule('password', 'pass(?:word|wort|wd|phrase|code)|passwd|pwd|contraseña|mot de passe|kennwort', true),
  assignmentRule(
    'secret',
    'secret|token|(?:api|access|private|signing|encryption|account|shared|auth|master)[ _-]?key|apikey|accesskey|credential|bearer',
    false,
  ),
  {
    kind: 'card number',
    pattern: /(?<![\w+./#@-])(?:\d{4}([ -]?)\d{4}\1\d{4}\1\d{4}|3\d{3}([ -]?)\d{6}\2(?:\d{5}|\d{4}))(?![\w-]|[.,]\d)/g,
    accept: (match) => isCardNumber(match[0].replace(/[ -]/g, '')),
  },
]

function tokenRule(
  kind: string,
  hints: readonly string[],
  body: string,
  accept?: SecretRule['accept'],
  start = kind.startsWith('aws') || kind === 'google api key' ? START_BASE64 : START,
): SecretRule {
  return { kind, hints, pattern: new RegExp(start + body, 'g'), ...(accept && { accept }) }
}

/** Names about secrets that contain none: `token_count`, `secretName`, `password_url`. */
const NOT_THE_VALUE =
  /(?:ids?|names?|counts?|types?|ur[il]s?|path|file|length|limit|size|hash|policy|field|label|hint|expir\w*|ttl|izer\w*|ized?|usage|version|ref|arn|max|min)$/i

function assignmentRule(kind: string, words: string, password: boolean): SecretRule {
  const name = `(?:${words})(?<suffix>[\\w-]{0,30})`
  const separator = '["\'`]?\\*{0,2}[ \\t]{0,4}(?::=|=>|==?|:)\\*{0,2}[ \\t]{0,4}'
  const value =
    '(?:(?<quote>["\'`])(?<quoted>[^"\'`\\n]{6,4096})\\k<quote>|(?<bare>(?:(?!&\\w{1,30}=)[^\\s"\'`,;<>]){5,4095}[^\\s"\'`,;<>.)}\\]&]))'
  return {
    kind,
    pattern: new RegExp(`${name}${separator}(?<secret>${value})`, 'gi'),
    accept(match) {
      const { suffix = '', quoted, bare } = match.groups!
      if (NOT_THE_VALUE.test(suffix)) return false
      if (quoted !== undefined && /\s/.test(quoted)) return false
      const found = quoted ?? bare!.replace(/^[*_]+|[*_]+$/g, '')
      return looksLikeSecret(found, { password, quoted: quoted !== undefined })
    },
  }
}

function hasDigit(match: RegExpExecArray): boolean {
  return /\d/.test(match[0])
}

function isMixed(value: string): boolean {
  return /\d/.test(value) && /[a-z]/.test(value) && /[A-Z]/.test(value)
}

/** The first part of a JSON Web Token is a JSON object that names an algorithm or type. */
function isJwt(match: RegExpExecArray): boolean {
  const header = Buffer.from(match[0].slice(0, match[0].indexOf('.')).slice(0, 1024), 'base64url').toString('latin1')
  return /^\{[\s\S]*"(?:alg|typ|enc|kid)"/.test(header)
}

/** Issuer prefix and length of the large card schemes, and the Luhn check digit (ISO/IEC 7812-1). */
function isCardNumber(digits: string): boolean {
  const scheme =
    digits.length === 15
      ? /^3[47]/
      : digits.length === 14
        ? /^3(?:0[0-5]|[689])/
        : /^(?:4|5[1-5]|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720)|6(?:011|4[4-9]|5|2)|35(?:2[89]|[3-8]))/
  if (!scheme.test(digits) || new Set(digits).size < 2) return false
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i])
    const doubled = i % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/**
 * Whether a value assigned to a password, token or key is a secret, and not a placeholder, a word, a reference in code
 * or a path. Both errors are costly: a leaked secret, or a gap in somebody's notes.
 */
function looksLikeSecret(value: string, assignment: { password: boolean; quoted: boolean }): boolean {
  if (value.length < 6 || value.length > 4096 || isPlaceholder(value)) return false
  if (isReference(value) || isDateOrNumber(value, assignment.password)) return false
  const classes = characterClasses(value)
  if (assignment.password) {
    if (isWords(value)) return assignment.quoted && value.length >= 16 && /[-_].+[-_]/.test(value)
    return classes.digit ? classes.count >= 2 || value.length >= 6 : classes.count >= 3 || hasOddSymbol(value)
  }
  if (value.length < 12 || isWords(value)) return false
  return classes.count >= 2 && classes.digit && entropyBits(value) >= 2.8
}

/** Shannon entropy in bits per character; 2.8 accepts 12 random hex digits. */
function entropyBits(value: string): number {
  const counts = new Map<string, number>()
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length)
  return bits
}

/** Whether the value is a placeholder from documentation or a template. */
function isPlaceholder(value: string): boolean {
  return (
    /^[<[{(%$]|^(.)\1+$|^[*.•xX_-]+$|\.\.\.$|…|\*{3}|x{6}/i.test(value) ||
    /^(?:your|my|the|some|a|an|enter|insert|change|replace|example|sample|dummy|fake|placeholder|redacted)[-_ ]/i.test(
      value,
    ) ||
    /^(?:changeme|password\d{0,3}|passw0rd|secret|token|example|undefined|required|optional|redacted|placeholder)$/i.test(
      value,
    )
  )
}

function isReference(value: string): boolean {
  return (
    // a call, an index, a template, a chain of names, a path, an address, markup
    /[({`]|\[|\]|=>|<\/?|::|\$[{(]/.test(value) ||
    /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+;?$/.test(value) ||
    /^(?:\.{0,2}\/|~\/|[A-Za-z]:\\|[a-z][a-z0-9+.-]{1,20}:\/\/|@[\w/]+$|#[\w-]+$|--)/.test(value) ||
    /^[\w.+-]+@[\w-]+\.[\w.]+$/.test(value) ||
    /\.(?:pem|key|json|ya?ml|env|txt|crt|[jt]sx?|py|md|html?)$/i.test(value)
  )
}

function isDateOrNumber(value: string, password: boolean): boolean {
  if (/^\d{4}-\d{2}(?:-\d{2}|$)|^\d{1,2}[./]\d{1,2}[./]\d{2,4}$|^\d{1,2}:\d{2}/.test(value)) return true
  if (/^(?:19|20)\d{6}$/.test(value)) return true
  return /^[-+]?[\d.,_]+%?$/.test(value) && !(password && /^\d{6,}$/.test(value))
}

/** Words followed by a few digits: `my-prod-db-2`, `getAccessToken`, `AUTH_TOKEN_V2`. */
function isWords(value: string): boolean {
  const segments = value.split(/[-_./:,\s]+/).filter((segment) => segment !== '')
  if (segments.length === 1)
    return /^[A-Z]?[a-z]+(?:[A-Z][a-z]+)*$|^[a-z]+$|^[A-Z]+$/.test(segments[0]!) && value.length < 40
  return segments.every((segment) =>
    /^(?:[A-Z]?[a-z]{2,}(?:[A-Z][a-z]+)*|[A-Z]{2,}|[a-z]|\d{1,4}[a-z]{2,})v?\d{0,4}$|^v?\d{1,4}$/.test(segment),
  )
}

function hasOddSymbol(value: string): boolean {
  return /[A-Za-z]/.test(value) && /[!@#$%^&*+=?]/.test(value.slice(0, -1))
}

function characterClasses(value: string): { count: number; digit: boolean } {
  const digit = /\d/.test(value)
  const classes = [digit, /[a-z]/.test(value), /[A-Z]/.test(value), /[^A-Za-z0-9]/.test(value)]
  return { count: classes.filter(Boolean).length, digit }
}
