import type { SecretSpan } from './redact.ts'

const BEGIN = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/g
const END = /-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/g

/** A 16,384-bit RSA key is 13 KB; more than this between the markers is not one key. */
const MAX_KEY_LENGTH = 65_536

/**
 * PEM and PGP private keys, encrypted ones too, also on one line with `\n` written out, quoted or indented.
 * A key whose end is cut off is taken as far as its lines look like base64.
 */
export function privateKeySpans(text: string): SecretSpan[] {
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
