/**
 * Whether a value that is assigned to something called a password, token or key is one, or a placeholder, a word, a
 * reference in code, a path. Wrong in both directions costs: a leaked secret, or a hole in somebody's notes.
 */
export function looksLikeSecret(value: string, assignment: { password: boolean; quoted: boolean }): boolean {
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

/** Shannon entropy in bits per character; 2.8 lets 12 random hex digits pass. */
export function entropyBits(value: string): number {
  const counts = new Map<string, number>()
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length)
  return bits
}

/** Stands for a secret, in documentation or a template. */
export function isPlaceholder(value: string): boolean {
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

/** Letters in words, a few digits behind them: `my-prod-db-2`, `getAccessToken`, `AUTH_TOKEN_V2`. */
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
