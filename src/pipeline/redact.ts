import { privateKeySpans } from './private-keys.ts'
import { SECRET_RULES, type SecretRule } from './secret-rules.ts'

export interface Redaction {
  readonly text: string
  /** Kinds found, e.g. `github token`, without contents. */
  readonly found: readonly { readonly kind: string; readonly count: number }[]
}

/** A stretch of text that is a secret. */
export interface SecretSpan {
  readonly kind: string
  readonly start: number
  readonly end: number
}

/**
 * Replaces secrets by `[redacted <kind>]`: private keys, tokens of well-known services, passwords in addresses and
 * assignments, card numbers. Linear in the length of the text; the same text gives the same result, and a result
 * given again is unchanged.
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

/** In text order; of overlapping spans the one that was found by the earlier rule. */
function withoutOverlaps(spans: readonly SecretSpan[]): SecretSpan[] {
  const order = spans
    .map((span, rank) => ({ span, rank }))
    .sort((a, b) => a.span.start - b.span.start || a.rank - b.rank)
  const kept: { span: SecretSpan; rank: number }[] = []
  for (const candidate of order) {
    const last = kept.at(-1)
    if (!last || candidate.span.start >= last.span.end) kept.push(candidate)
    else if (candidate.rank < last.rank) {
      // Both are secrets: name them by the earlier rule, remove all that either covers.
      const end = Math.max(last.span.end, candidate.span.end)
      kept[kept.length - 1] = { span: { ...candidate.span, start: last.span.start, end }, rank: candidate.rank }
    } else if (candidate.span.end > last.span.end) {
      kept[kept.length - 1] = { span: { ...last.span, end: candidate.span.end }, rank: last.rank }
    }
  }
  return kept.map(({ span }) => span)
}
