import type { Block } from '../../domain/document.ts'
import { trimmedBlock } from './markdown.ts'
import type { Draft, ParseContext } from './parse-context.ts'

const EXTENSION =
  /\.(?:py|m?js|cjs|tsx?|jsx|go|rs|java|kt|c|h|cc|cpp|hpp|cs|php|rb|swift|scala|sh|bash|zsh|sql|s?css|json|ya?ml|toml|ini|cfg|conf|xml|csv|tsv|lua|vue|svelte|tf|proto|gradle|log)$/i
/** Parsing tells data from prose in brackets; beyond this length the name has to say it. */
const LONGEST_PARSED = 1_000_000

/** A file of code or data by its name, or because it is JSON or a log: one block of code, titled by the name of the file. */
export function readSourceCode(text: string, context: ParseContext): Draft | undefined {
  const { fileName } = context.file
  if (!EXTENSION.test(fileName) && !isJson(text) && !isLog(text)) return undefined
  const clean = context.redact(text)
  const blocks: Block[] = trimmedBlock(clean, 0, clean.length, { type: 'code' })
  return { kind: 'document', text: clean, blocks, meta: { title: context.redact(fileName) } }
}

const LOG_LINE =
  /^\[?(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d\S{0,12}[^\n]{0,60}?\b(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL)\b/

/** Most of the first lines have a time and a level. */
function isLog(text: string): boolean {
  const lines = text.slice(0, 8_000).split('\n', 40)
  return lines.filter((line) => LOG_LINE.test(line.slice(0, 200))).length >= Math.max(2, lines.length * 0.4)
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
