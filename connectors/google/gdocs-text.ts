import { type DriveComment, type DriveFile, personName } from './drive-answers.ts'
import type { DriveSource } from './drive-source.ts'
import { driveKind } from './drive-types.ts'
import { type EditorSource, editorAnswer } from './editor-answer.ts'
import { documentAnswer } from './gdocs-answers.ts'
import { documentMarkdown } from './gdocs-document.ts'
import { spreadsheetText } from './gdocs-sheets.ts'
import { presentationText } from './gdocs-slides.ts'
import { paragraphs } from './google-markdown.ts'

const DOCUMENT_FIELDS =
  'title,body,lists,footnotes,inlineObjects,tabs(tabProperties,childTabs,documentTab(body,lists,footnotes,inlineObjects))'

/** The text of a document, spreadsheet or presentation with its comments; `undefined` when it no longer exists. */
export async function editorText(source: DriveSource, file: DriveFile): Promise<string | undefined> {
  const kind = driveKind(file)
  const read = kind === 'spreadsheets' ? spreadsheetText : kind === 'presentations' ? presentationText : documentText
  if (!source.context.config.comments) return read(source, file)
  // In parallel, because waiting for responses takes most of the time. Both are awaited, so that no request outlives
  // the run.
  const [text, comments] = await Promise.allSettled([read(source, file), source.api.comments(file)])
  if (text.status === 'rejected') throw text.reason
  if (comments.status === 'rejected') throw comments.reason
  return text.value === undefined ? undefined : paragraphs([text.value, commentsMarkdown(comments.value)])
}

/**
 * The Docs API returns all tabs in one request, without the 10 MB limit of exports and without embedded pictures. The
 * export is used when the API does not know the file.
 */
export async function documentText(source: EditorSource, file: DriveFile): Promise<string | undefined> {
  const { docs } = await import('googleapis/build/src/apis/docs/index.js')
  const api = docs({ version: 'v1', ...source.gateway.apiOptions })
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

/** Exports end with the bytes of pictures as link definitions. */
function withoutPictures(markdown: string): string {
  return markdown
    .replace(/^\uFEFF/, '')
    .replace(/^\[[^\]\n]{1,80}\]:[ \t]*<?data:[^\n]*$/gm, '')
    .replace(/!\[([^\]\n]{0,300})\](?:\[[^\]\n]{1,80}\]|\(data:[^)\n]*\))/g, (_, alt: string) => alt)
    .trim()
}

const NOBODY = 'Somebody'

/** The comments with their replies, oldest first, one section each. */
function commentsMarkdown(comments: readonly DriveComment[]): string {
  const inOrder = comments
    .filter(({ deleted }) => !deleted)
    .toSorted((a, b) => (a.createdTime?.getTime() ?? 0) - (b.createdTime?.getTime() ?? 0))
  return paragraphs(inOrder.flatMap(thread))
}

function thread(comment: DriveComment): string[] {
  const { quotedFileContent, content, resolved } = comment
  const quoted = quotedFileContent?.value === undefined ? undefined : plain(quotedFileContent.value)
  const opening = [
    heading('Comment', comment),
    quoted?.replace(/^/gm, '> '),
    said(content),
    resolved ? 'This comment is resolved.' : undefined,
  ]
  const replies = comment.replies.flatMap((reply) => {
    if (reply.deleted) return []
    const action =
      reply.action === 'resolve' ? 'Marked as resolved.' : reply.action === 'reopen' ? 'Reopened.' : undefined
    const text = paragraphs([said(reply.content), action])
    return text === '' ? [] : [paragraphs([heading('Reply', reply), text])]
  })
  return [paragraphs(opening), ...replies]
}

function heading(what: string, { author, createdTime }: Pick<DriveComment, 'author' | 'createdTime'>): string {
  const name = personName(author)?.replace(/\s+/g, ' ').trim() || NOBODY
  return `## ${what} by ${name}${createdTime === undefined ? '' : ` at ${createdTime.toISOString()}`}`
}

/** Escapes headings, so that they can't be mistaken for another person's comment. */
function said(text: string | undefined): string {
  return plain(text ?? '').replace(/^(#{1,6} )/gm, '\\$1')
}

/** Google escapes quoted text as HTML. */
function plain(text: string): string {
  const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? '')
    .trim()
}
