import { type DriveComment, personName } from './drive-answers.ts'
import { paragraphs } from './google-markdown.ts'

const NOBODY = 'Somebody'

/** The comments with their replies, oldest first, as sections of who said what and when. */
export function commentsMarkdown(comments: readonly DriveComment[]): string {
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

/** A heading in it that would pass for somebody else's comment is no heading any more. */
function said(text: string | undefined): string {
  return plain(text ?? '').replace(/^(#{1,6} )/gm, '\\$1')
}

/** Quotations come with entities of HTML. */
function plain(text: string): string {
  const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? '')
    .trim()
}
