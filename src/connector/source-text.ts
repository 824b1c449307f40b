// Re-exported here because connectors may only import this folder.

export { inputValue } from '../lib/command-text.ts'
export { htmlToMarkdown } from '../lib/html-to-markdown.ts'
export { trimMail } from '../lib/trim-mail.ts'

/** The text on one line: every run of whitespace becomes one space. */
export function collapseWhitespace(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
