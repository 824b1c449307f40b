// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is replaced
const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g

/**
 * UTF-8 to text: byte order mark stripped, line ends `\n`, other control characters a space.
 * `undefined` when the bytes are not valid UTF-8.
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return cleanText(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

/** The same clean-up for text that a reader has decoded itself. */
export function cleanText(text: string): string {
  const lines = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
  return lines.replace(CONTROL, ' ')
}
