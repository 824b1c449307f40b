import { z } from 'zod'
import { SourceError } from '../../src/connector/source-error.ts'
import { type Annotation, annotationAnswer, type Shelf, shelfAnswer, type Volume, volumeAnswer } from './books-item.ts'
import type { GoogleGateway } from './google-gateway.ts'
import { allPages, listedRowsOf, optionalNumber, pageOf } from './google-rows.ts'

/** The requests to Google Books. */
export interface BooksApi {
  shelves(): Promise<readonly Shelf[]>
  volumes(shelfId: number, title: string): AsyncGenerator<Volume>
  volume(id: string): Promise<Volume | undefined>
  /** All changed since a time, including deleted ones; without a time, all existing ones. */
  annotations(of?: { readonly updatedMin?: string; readonly volumeId?: string | undefined }): AsyncGenerator<Annotation>
}

const TITLE = 'Books'
/** Maximum page size. */
const AT_ONCE = 40

const shelvesAnswer = z.looseObject({ items: listedRowsOf(shelfAnswer) })
const volumesAnswer = z.looseObject({ items: listedRowsOf(volumeAnswer), totalItems: optionalNumber })
const annotationsPage = pageOf('items', annotationAnswer)

export async function booksApi(gateway: GoogleGateway): Promise<BooksApi> {
  const { books } = await import('googleapis/build/src/apis/books/index.js')
  const api = books({ version: 'v1', ...gateway.apiOptions })
  return {
    async shelves() {
      const { items } = await gateway.ask({
        title: TITLE,
        asked: 'your bookshelves',
        answer: shelvesAnswer,
        send: (options) => api.mylibrary.bookshelves.list({}, options),
      })
      return items
    },
    async *volumes(shelfId, title) {
      for (let startIndex = 0; ; ) {
        const { items, totalItems = 0 } = await gateway.ask({
          title: TITLE,
          asked: `the books on the shelf ${title}`,
          answer: volumesAnswer,
          send: (options) =>
            api.mylibrary.bookshelves.volumes.list(
              { shelf: String(shelfId), startIndex, maxResults: AT_ONCE },
              options,
            ),
        })
        const count = items.length
        if (count === 0 && startIndex === 0 && totalItems > 0) throw unlisted(title)
        yield* items
        startIndex += count
        // The total is an estimate: only an empty page, or a short one that agrees with it, is the end.
        if (count === 0 || (count < AT_ONCE && startIndex >= totalItems)) return
      }
    },
    volume: (volumeId) =>
      gateway.find({
        title: TITLE,
        asked: 'a book',
        answer: volumeAnswer,
        send: (options) => api.volumes.get({ volumeId }, options),
      }),
    annotations: ({ updatedMin, volumeId } = {}) =>
      allPages((pageToken) =>
        gateway.ask({
          title: TITLE,
          asked: 'your highlights and notes',
          answer: annotationsPage,
          send: (options) =>
            api.mylibrary.annotations.list(
              {
                maxResults: AT_ONCE,
                ...(updatedMin !== undefined && { updatedMin, showDeleted: true }),
                ...(volumeId !== undefined && { volumeId }),
                ...(pageToken !== undefined && { pageToken }),
              },
              options,
            ),
        }),
      ),
  }
}

function unlisted(shelf: string): SourceError {
  return new SourceError('retry', `Google Books did not list the books on the shelf ${shelf}.`)
}
