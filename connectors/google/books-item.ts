import { z } from 'zod'
import type { ItemRef, SourceItem } from '../../src/connector/connector.ts'
import { accountPart, sourceItemId } from '../../src/connector/source-item-id.ts'
import { htmlToMarkdown } from '../../src/connector/source-text.ts'
import { contentRevision, instantOf, optionalNumber, optionalText, rowsOf } from './google-rows.ts'

export const shelfAnswer = z.looseObject({
  id: z.coerce.number().int(),
  title: optionalText,
  selfLink: optionalText,
  updated: optionalText,
  volumesLastUpdated: optionalText,
  volumeCount: optionalNumber,
})

export const volumeAnswer = z.looseObject({
  id: z.string().min(1),
  volumeInfo: z
    .looseObject({
      title: optionalText,
      subtitle: optionalText,
      authors: rowsOf(z.string()),
      publisher: optionalText,
      publishedDate: optionalText,
      description: optionalText,
      categories: rowsOf(z.string()),
      pageCount: optionalNumber,
      canonicalVolumeLink: optionalText,
      infoLink: optionalText,
    })
    .optional()
    .catch(undefined),
  userInfo: z
    .looseObject({
      review: z
        .looseObject({ content: optionalText, rating: optionalText, title: optionalText })
        .optional()
        .catch(undefined),
    })
    .optional()
    .catch(undefined),
})

export const annotationAnswer = z.looseObject({
  id: z.string().min(1),
  volumeId: optionalText,
  selectedText: optionalText,
  beforeSelectedText: optionalText,
  afterSelectedText: optionalText,
  data: optionalText,
  created: optionalText,
  updated: optionalText,
  deleted: z.boolean().optional().catch(undefined),
})

export type Shelf = z.output<typeof shelfAnswer>
export type Volume = z.output<typeof volumeAnswer>
export type Annotation = z.output<typeof annotationAnswer>

const RATINGS: Readonly<Record<string, number>> = { ONE: 1, TWO: 2, THREE: 3, FOUR: 4, FIVE: 5 }

/** A book on one of the shelves. */
export function volumeItem(account: string, shelf: { id: number; title: string }, volume: Volume): SourceItem {
  const { volumeInfo: info } = volume
  const title = titleOf(volume)
  const authors = info?.authors ?? []
  const lines = [
    `Book on my shelf "${shelf.title}": ${title}`,
    ...labelled('By', authors.join(', ')),
    ...labelled('Published', [info?.publisher, info?.publishedDate].filter((part) => part).join(', ')),
    ...labelled('Categories', (info?.categories ?? []).join(', ')),
    ...labelled('Pages', info?.pageCount ? String(info.pageCount) : ''),
  ]
  const description = info?.description === undefined ? '' : htmlToMarkdown(info.description).markdown.trim()
  const parts = [lines.join('\n'), ...reviewOf(volume), ...(description ? [description] : [])]
  const url = info?.canonicalVolumeLink ?? info?.infoLink
  const content = {
    title,
    ...(authors.length > 0 && { author: authors.join(', ') }),
    ...(url !== undefined && { url }),
    where: shelf.title,
    body: `${parts.join('\n\n')}\n`,
  }
  return {
    sourceType: 'books',
    itemId: sourceItemId('gbooks', accountPart(account), { name: 'shelf', value: String(shelf.id) }, volume.id),
    locator: volume.id,
    revision: contentRevision(content),
    visibility: 'private',
    ...content,
  }
}

export function annotationRef(account: string, { id, volumeId }: Annotation): ItemRef {
  return {
    sourceType: 'books',
    itemId: sourceItemId('gbooks', accountPart(account), 'ann', id),
    // A highlight can only be found by listing those of its book.
    locator: JSON.stringify([id, volumeId]),
  }
}

/** A highlight or note in a book; `undefined` for a bookmark, which has no text. */
export function annotationItem(
  account: string,
  annotation: Annotation,
  volume: Volume | undefined,
): SourceItem | undefined {
  if (!hasContent(annotation)) return undefined
  const { selectedText, data, created, updated } = annotation
  const book = volume === undefined ? 'a book' : titleOf(volume)
  const authors = (volume?.volumeInfo?.authors ?? []).join(', ')
  const quote = selectedText?.trim().replace(/^/gm, '> ')
  const note = data?.trim()
  const [createdAt, updatedAt] = [instantOf(created), instantOf(updated)]
  const content = {
    title: `${note ? 'Note' : 'Highlight'} in ${book}`,
    where: book,
    ...(createdAt !== undefined && { createdAt }),
    ...(updatedAt !== undefined && { updatedAt }),
    body: `${[
      `I ${note ? 'noted' : 'highlighted'} this in ${book}${authors ? ` by ${authors}` : ''}:`,
      ...(quote ? [quote] : []),
      ...(note ? [note] : []),
    ].join('\n\n')}\n`,
  }
  return {
    ...annotationRef(account, annotation),
    revision: contentRevision(content),
    visibility: 'private',
    ...content,
  }
}

export function hasContent({ selectedText, data, deleted }: Annotation): boolean {
  return deleted !== true && Boolean(selectedText?.trim() || data?.trim())
}

function titleOf({ id, volumeInfo }: Volume): string {
  const { title, subtitle } = volumeInfo ?? {}
  return [title?.trim() || id, subtitle?.trim()].filter((part) => part).join(': ')
}

function reviewOf({ userInfo }: Volume): string[] {
  const { content, rating, title } = userInfo?.review ?? {}
  const stars = RATINGS[rating ?? '']
  const text = [title?.trim(), content?.trim()].filter((part) => part).join('\n')
  if (stars === undefined && text === '') return []
  return [`My review${stars === undefined ? '' : ` (${stars} of 5)`}:${text === '' ? '' : `\n${text}`}`]
}

function labelled(label: string, value: string): string[] {
  return value === '' ? [] : [`${label}: ${value}`]
}
