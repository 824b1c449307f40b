/** Bold, dim, six colours, and their ends: what the commands of recalld themselves write to a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal takes styles as escape sequences
const STYLE = /\u001b\[(?:1|2|22|3[1-6]|39)m/g
/** Control characters but tab and line feed; marks of direction; letters as tags; other marks that nobody sees. */
const ACTIVE = /(?![\t\n])\p{Cc}|\p{Bidi_Control}|[\u{e0000}-\u{e007f}]|[\u200b\u2060\ufeff\u00ad]|[\ufff9-\ufffb]/gu

/** What a terminal would act on or hide, besides styles, each as `U+202E`. */
export function activeCharacters(text: string): string[] {
  const found = text.replace(STYLE, '').match(ACTIVE) ?? []
  return [...new Set(found)].map((one) => `U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`)
}
