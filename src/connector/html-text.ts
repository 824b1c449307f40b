// Connectors see no more of the house than this folder.
export { htmlToMarkdown } from '../kit/html-to-markdown.ts'
