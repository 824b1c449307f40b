import type { DriveFile } from './drive-answers.ts'
import { commentsMarkdown } from './drive-comments.ts'
import type { DriveSource } from './drive-source.ts'
import { kindOf } from './drive-types.ts'
import { type EditorSource, editorAnswer } from './editor-answer.ts'
import { documentAnswer } from './gdocs-answers.ts'
import { documentMarkdown } from './gdocs-document.ts'
import { spreadsheetText } from './gdocs-sheets.ts'
import { presentationText } from './gdocs-slides.ts'
import { paragraphs } from './google-markdown.ts'

const DOCUMENT_FIELDS =
  'title,body,lists,footnotes,inlineObjects,tabs(tabProperties,childTabs,documentTab(body,lists,footnotes,inlineObjects))'

/** What a document, spreadsheet or presentation says, with the comments on it; `undefined` when it is gone. */
export async function editorText(source: DriveSource, file: DriveFile): Promise<string | undefined> {
  const kind = kindOf(file)
  const read = kind === 'spreadsheets' ? spreadsheetText : kind === 'presentations' ? presentationText : documentText
  if (!source.context.config.comments) return read(source, file)
  // At the same time, as waiting for answers is what files cost; both to their end, so that no request outlives its run.
  const [text, comments] = await Promise.allSettled([read(source, file), source.api.comments(file)])
  if (text.status === 'rejected') throw text.reason
  if (comments.status === 'rejected') throw comments.reason
  return text.value === undefined ? undefined : paragraphs([text.value, commentsMarkdown(comments.value)])
}

/**
 * By the API of Google Docs: one request gives all tabs, without the 10 MB of an export and without pictures in its text.
 * Where it does not know the file, the export.
 */
export async function documentText(source: EditorSource, file: DriveFile): Promise<string | undefined> {
  const { docs } = await import('googleapis/build/src/apis/docs/index.js')
  const api = docs({ version: 'v1', ...source.gateway.place })
  const params = {
    documentId: file.id,
    includeTabsContent: true,
    suggestionsViewMode: 'PREVIEW_WITHOUT_SUGGESTIONS',
    fields: DOCUMENT_FIELDS,
  }
  const document = await editorAnswer(source, file, {
    title: 'Google Docs',
    answer: documentAnswer,
    send: (options) => api.documents.get(params, options),
  })
  if (document !== undefined) return documentMarkdown(document)
  const markdown = await source.api.exported(file, 'text/markdown')
  return markdown && withoutPictures(markdown)
}

/** Exports hold the bytes of pictures, as definitions of links at their end. */
function withoutPictures(markdown: string): string {
  return markdown
    .replace(/^\uFEFF/, '')
    .replace(/^\[[^\]\n]{1,80}\]:[ \t]*<?data:[^\n]*$/gm, '')
    .replace(/!\[([^\]\n]{0,300})\](?:\[[^\]\n]{1,80}\]|\(data:[^)\n]*\))/g, (_, alt: string) => alt)
    .trim()
}
