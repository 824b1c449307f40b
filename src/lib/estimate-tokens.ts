const ASCII_PER_TOKEN = 4
const LAST_ASCII = 0x7f

/**
 * Tokens that a text takes, without the model's tokenizer: four characters of ASCII are one, and so is each other
 * character. Too many for most texts with accents, about right for English and Chinese, too few for none that was tried.
 */
export function estimateTokens(text: string): number {
  let ascii = 0
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) <= LAST_ASCII) ascii++
  return Math.ceil(ascii / ASCII_PER_TOKEN) + (text.length - ascii)
}
