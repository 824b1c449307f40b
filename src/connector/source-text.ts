// Connectors see no more of the house than this folder.
export { htmlToMarkdown } from '../lib/html-to-markdown.ts'

// Connectors see no more of the house than this folder.
export { trimMail } from '../lib/trim-mail.ts'
