// Re-exported here because connectors may only import this folder.

export { inputValue } from '../lib/command-text.ts'
export { htmlToMarkdown } from '../lib/html-to-markdown.ts'
export { trimMail } from '../lib/trim-mail.ts'
export { collapseWhitespace } from './collapse-whitespace.ts'
