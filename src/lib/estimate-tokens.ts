const ASCII_PER_TOKEN = 4
const LAST_ASCII = 0x7f

/**
 * Estimates the tokens of a text without the model's tokenizer: four ASCII characters are one token, and so is each other
 * character. Too high for most texts with accents, about right for English and Chinese, too low for none that was tested.
 */
export function estimateTokens(text: string): number {
  let ascii = 0
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) <= LAST_ASCII) ascii++
  return Math.ceil(ascii / ASCII_PER_TOKEN) + (text.length - ascii)
}
