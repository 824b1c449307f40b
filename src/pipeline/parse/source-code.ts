import type { Block } from '../../domain/document.ts'
import { trimmedBlock } from './markdown.ts'
import type { Draft, ParseContext } from './parse-context.ts'

const EXTENSION =
  /\.(?:py|m?js|cjs|tsx?|jsx|go|rs|java|kt|c|h|cc|cpp|hpp|cs|php|rb|swift|scala|sh|bash|zsh|sql|s?css|json|ya?ml|toml|ini|cfg|conf|xml|csv|tsv|lua|vue|svelte|tf|proto|gradle)$/i
/** Parsing tells data from prose in brackets; beyond this length the name has to say it. */
const LONGEST_PARSED = 1_000_000

/** A file of code or data by its name, or because it is JSON: one block of code, titled by the name of the file. */
export function readSourceCode(text: string, context: ParseContext): Draft | undefined {
  const { fileName } = context.file
  if (!EXTENSION.test(fileName) && !isJson(text)) return undefined
  const clean = context.redact(text)
  const blocks: Block[] = trimmedBlock(clean, 0, clean.length, { type: 'code' })
  return { kind: 'document', text: clean, blocks, meta: { title: fileName } }
}

function isJson(text: string): boolean {
  if (text.length > LONGEST_PARSED || !/^\s*[[{]/.test(text) || !/[\]}]\s*$/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}
