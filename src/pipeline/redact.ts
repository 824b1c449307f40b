import { SECRET_RULES, type SecretRule } from './secret-rules.ts'

interface Redaction {
  readonly text: string
  /** Kinds found, e.g. `github token`, without contents. */
  readonly found: readonly { readonly kind: string; readonly count: number }[]
}

/** A range of text that is a secret. */
interface SecretSpan {
  readonly kind: string
  readonly start: number
  readonly end: number
}

/**
 * Replaces secrets by `[redacted <kind>]`: private keys, tokens of well-known services, passwords in addresses and
 * assignments, card numbers. Linear in the length of the text, deterministic and idempotent.
 */
export function redactSecrets(text: string): Redaction {
  const spans = withoutOverlaps([...privateKeySpans(text), ...SECRET_RULES.flatMap((rule) => ruleSpans(text, rule))])
  if (spans.length === 0) return { text, found: [] }
  const counts = new Map<string, number>()
  const parts: string[] = []
  let at = 0
  for (const { kind, start, end } of spans) {
    parts.push(text.slice(at, start), `[redacted ${kind}]`)
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
    at = end
  }
  parts.push(text.slice(at))
  return { text: parts.join(''), found: [...counts].map(([kind, count]) => ({ kind, count })) }
}

function ruleSpans(text: string, rule: SecretRule): SecretSpan[] {
  if (rule.hints && !rule.hints.some((hint) => text.includes(hint))) return []
  const spans: SecretSpan[] = []
  for (const match of text.matchAll(rule.pattern)) {
    if (rule.accept && !rule.accept(match, text)) continue
    const secret = match.groups?.quoted ?? match.groups?.secret ?? match[0]
    const within = secret === match[0] ? 0 : match[0].lastIndexOf(secret)
    const start = match.index + within
    spans.push({ kind: rule.kind, start, end: start + secret.length })
  }
  return spans
}

/** In text order; of overlapping spans, the one found by the earlier rule. */
function withoutOverlaps(spans: readonly SecretSpan[]): SecretSpan[] {
  const order = spans
    .map((span, rank) => ({ span, rank }))
    .sort((a, b) => a.span.start - b.span.start || a.rank - b.rank)
  const kept: { span: SecretSpan; rank: number }[] = []
  for (const candidate of order) {
    const last = kept.at(-1)
    if (!last || candidate.span.start >= last.span.end) kept.push(candidate)
    else if (candidate.rank < last.rank) {
      // Both are secrets: the earlier rule names them, and everything that either covers is removed.
      const end = Math.max(last.span.end, candidate.span.end)
      kept[kept.length - 1] = { span: { ...candidate.span, start: last.span.start, end }, rank: candidate.rank }
    } else if (candidate.span.end > last.span.end) {
      kept[kept.length - 1] = { span: { ...last.span, end: candidate.span.end }, rank: last.rank }
    }
  }
  return kept.map(({ span }) => span)
}

const BEGIN = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/g
const END = /-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/g

/** A 16,384-bit RSA key has 13 KB; a longer range between the markers is not one key. */
const MAX_KEY_LENGTH = 65_536

/**
 * PEM and PGP private keys, including encrypted ones, ones on a single line with `\n` written out, quoted or indented.
 * A truncated key extends as far as its lines look like base64.
 */
function privateKeySpans(text: string): SecretSpan[] {
  if (!text.includes('PRIVATE KEY')) return []
  const ends = [...text.matchAll(END)]
  const spans: SecretSpan[] = []
  let nextEnd = 0
  let at = 0
  for (const begin of text.matchAll(BEGIN)) {
    if (begin.index < at) continue
    const bodyStart = begin.index + begin[0].length
    while (nextEnd < ends.length && ends[nextEnd]!.index < bodyStart) nextEnd++
    const end = ends[nextEnd]
    const whole = end !== undefined && end.index - bodyStart <= MAX_KEY_LENGTH
    at = whole ? end.index + end[0].length : endOfBase64(text, bodyStart)
    if (at > bodyStart) spans.push({ kind: 'private key', start: begin.index, end: at })
  }
  return spans
}

function endOfBase64(text: string, start: number): number {
  const line =
    /[ \t>|"'+]{0,8}(?:[A-Za-z0-9+/=\\]{20,200}|(?:Proc-Type|DEK-Info|Version|Comment):[^\n]{0,200}|[ \t]{0,8})(?:\\n|\n|$)/y
  let end = start
  line.lastIndex = text.startsWith('\n', start) ? start + 1 : start
  for (let count = 0; count < 400 && line.lastIndex < text.length && line.test(text); count++) end = line.lastIndex
  return end
}

/** Longest address that all browsers and servers accept, in characters. */
const MOST_CHARACTERS = 2_000
/** Last word in the name of a credential parameter: `access_token`, `X-Amz-Signature`, `sig`, `pwd`. */
const SECRET_NAME =
  /(?:^|[^a-z0-9])(?:[a-z]*token|[a-z]*secret|pass(?:word|wd|code|phrase)?|pwd|sig(?:nature)?|(?:api|access|private|auth)_?key|auth(?:orization)?|credentials?|jwt|[a-z]*sess(?:ion)?_?id|sid)$/
const REDACTED = /(?:\[|%5B)redacted/i

/**
 * The web address of a document's original, without credentials. `undefined` when it is not a web address, or when a
 * secret would remain.
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
