import { AppError } from '../../domain/errors.ts'
import { problemSentence } from '../../domain/source-problems.ts'

/** Of the exports that connectors know. */
const EXTENSIONS = ['.zip', '.txt', '.json', '.jsonl', '.db', '.abcddb']
/** A file name may have 255 bytes, with its extension. */
const MOST_BYTES = 240

/**
 * The name under which an upload is stored: letters, digits and few signs, without folders. It is kept because it says
 * which chat an export of WhatsApp is of.
 * @throws AppError `invalid` for a file that cannot be an export
 */
export function importName(given: string): string {
  const name = (given.split(/[/\\]/).at(-1) ?? '').normalize('NFC')
  const dot = name.lastIndexOf('.')
  const extension = name.slice(dot).toLowerCase()
  if (dot < 1 || !EXTENSIONS.includes(extension)) {
    throw new AppError('invalid', problemSentence('import_unknown', {}), { field: 'name' })
  }
  const stem = name
    .slice(0, dot)
    // Browsers number the copies of a download.
    .replace(/ \(\d+\)$/, '')
    .replace(/[^\p{L}\p{M}\p{N} ._()&'-]/gu, '_')
    .replace(/^[. ]+/, '')
  return `${beginning(stem).trim() || 'export'}${extension}`
}

function beginning(text: string): string {
  let short = text
  while (Buffer.byteLength(short) > MOST_BYTES) short = [...short].slice(0, -1).join('')
  return short
}
