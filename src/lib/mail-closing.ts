/** Where a mail or a letter ends, and what stands below: a closing such as `Kind regards`, the name and the card. */

const CLOSING =
  /^(?:(?:with )?(?:(?:all )?(?:my |the )?(?:very )?(?:best|kind|kindest|warm|warmest|many))?\s*(?:regards|wishes|greetings)|best|warmly(?=,)|all the best|yours(?: (?:sincerely|faithfully|truly))?|sincerely(?: yours)?|bw|br|rgds|cheers|love|many thanks|thanks(?: again)?|(?:viele|liebe|beste|schöne|herzliche|freundliche) grüße|mit (?:freundlichen|besten|herzlichen|lieben) grüßen|lg|vg|mfg|cordialement|bien à (?:vous|toi)|bises|saludos|un (?:abrazo|saludo)|с уважением)(?:,?\s+\p{Lu}[\p{L}.'’-]*){0,3}\s*[,.!]?$/iu
const LONGEST_CLOSING = 40
/** Lines of a name and a card: company, address, telephone. */
const MOST_LINES = 8
const LONGEST_LINE = 100
/** A question, an introduction, a postscript, a list or a sentence is content. */
const NO_CARD =
  /[!?:]$|^p\.? ?s\b|^(?:[-*+•]|\d+[.)]) |^>|^(?:i|we|you|it|he|she|they|ich|wir|je|nous)\b|^(?:\S+ ){3,}\S+[.…]$/i
const NAME = /^[-–— ]{0,3}(?:\p{Lu}[\p{L}.'’-]*\s?){1,5},?$/u

/** The two parts of a mail, each without blank lines around it; `closing` is empty where there is none. */
export interface ClosedMail {
  readonly words: string
  readonly closing: string
}

/**
 * Separates the closing from a mail: from `Kind regards`, or from a line with the writer's name, to the end, unless more
 * than a card follows. A text of only a closing is all words.
 * @param writer who wrote it; absent where unknown
 */
export function splitClosing(text: string, writer?: string): ClosedMail {
  const lines = text.trimEnd().split('\n')
  const from = Math.max(0, lines.length - 2 * MOST_LINES)
  for (let at = from; at < lines.length; at++) {
    const line = lines[at]!.trim()
    if (line === '' || !(isClosing(line) || isNameOf(line, writer)) || !isCard(lines.slice(at + 1))) continue
    const words = lines.slice(0, at).join('\n').trim()
    return words === '' ? { words: text.trim(), closing: '' } : { words, closing: lines.slice(at).join('\n').trim() }
  }
  return { words: text.trim(), closing: '' }
}

function isClosing(line: string): boolean {
  return line.length <= LONGEST_CLOSING && CLOSING.test(line)
}

/** `Martin`, `Martin Keller` or `M. Keller` of a mail by Martin Keller. */
function isNameOf(line: string, writer: string | undefined): boolean {
  if (writer === undefined || line.length > LONGEST_CLOSING || !NAME.test(line)) return false
  const names = new Set(writer.toLowerCase().split(/[^\p{L}]+/u))
  const written = line
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((name) => name.length > 1)
  return written.length > 0 && written.every((name) => names.has(name))
}

function isCard(below: readonly string[]): boolean {
  const lines = below.map((line) => line.trim()).filter((line) => line !== '')
  return lines.length <= MOST_LINES && lines.every((line) => line.length <= LONGEST_LINE && !NO_CARD.test(line))
}
