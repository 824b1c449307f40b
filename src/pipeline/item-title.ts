import type { ParsedDocument, SourceFile } from '../domain/document.ts'
import { plainText } from '../lib/markup/plain-words.ts'
import { clip } from '../lib/sentences.ts'

/** Names that recalld itself gives to notes and corrections; nobody recognizes a note by them. */
const OWN_NAME = /^(?:(?:note|correction)|note-\d{4}(?:-\d\d){5})\.md$/
const LONGEST = 80
/** More of a paragraph is not needed for its first line. */
const READ = 1_000

/** What an item is called: its own title, or the first line of a note or correction; others have the name of their file. */
export function itemTitle(
  { meta, text, blocks: [first] }: Pick<ParsedDocument, 'meta' | 'text' | 'blocks'>,
  { fileName }: Pick<SourceFile, 'fileName'>,
): string | undefined {
  if (meta.title !== undefined || first === undefined || !OWN_NAME.test(fileName)) return meta.title
  const words = plainText(text.slice(first.start, Math.min(first.end, first.start + READ)))
  const line = words.trim().split('\n', 1)[0] ?? ''
  return line === '' ? undefined : clip(line, LONGEST).replace(/[.,;:]…$/, '…')
}
