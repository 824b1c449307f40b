import { list, record, trimmedText } from './loose-values.ts'

/** Characters of the text of one file; longer ones are documents that a message only carries. */
const MOST_CHARACTERS = 20_000

/** The name of a file, with what Slack itself gives of its text: snippets, mails and what was said in clips. */
export function fileText(value: unknown): string {
  const file = record(value)
  if (file.mode === 'tombstone') return ''
  const name = trimmedText(file.name)
  const title = trimmedText(file.title)
  const shown = title !== '' && name !== '' && !isSame(title, name) ? `${title} (${name})` : name || title
  const text = shortened(contentText(file))
  if (text === '') return shown === '' ? '' : `[file: ${shown}]`
  return shown === '' ? text : `[file: ${shown}]\n${text}`
}

/** Clients make titles from file names: `Quarterly report` of `quarterly_report.pdf`. */
function isSame(title: string, name: string): boolean {
  const plain = (text: string) => text.toLowerCase().replace(/[\s_-]+/g, ' ')
  return [plain(name), plain(name.replace(/\.\w{1,8}$/, ''))].includes(plain(title)) || title === 'Untitled'
}

function contentText(file: Record<string, unknown>): string {
  const said = trimmedText(record(record(file.transcription).preview).content)
  if (said !== '') return escaped(said)
  if (file.mode === 'snippet') {
    const preview = trimmedText(file.preview)
    return preview === '' ? '' : `\`\`\`\n${escaped(preview)}\n\`\`\``
  }
  if (file.mode !== 'email') return ''
  const from = list(file.from)
    .map((sender) => trimmedText(record(sender).original))
    .filter(Boolean)
    .join(', ')
  const text = trimmedText(file.plain_text) || trimmedText(file.preview_plain_text)
  return escaped([from === '' ? '' : `From: ${from}`, text].filter(Boolean).join('\n'))
}

function shortened(text: string): string {
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}…`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
