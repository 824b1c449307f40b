import { z } from 'zod'
import type { DriveFile } from './drive-answers.ts'
import type { DriveSource } from './drive-source.ts'
import { editorAnswer } from './editor-answer.ts'
import { markdownTable, paragraphs } from './google-markdown.ts'

const FIELDS =
  'slides(objectId,pageElements,slideProperties(isSkipped,notesPage(notesProperties,pageElements(objectId,shape(text)))))'
const TITLES = new Set(['TITLE', 'CENTERED_TITLE'])

const words = z
  .looseObject({
    textElements: z
      .array(
        z.looseObject({
          textRun: z
            .looseObject({ content: z.string().catch('') })
            .optional()
            .catch(undefined),
          autoText: z
            .looseObject({ content: z.string().catch('') })
            .optional()
            .catch(undefined),
        }),
      )
      .catch([]),
  })
  .optional()
  .catch(undefined)
type Words = z.infer<typeof words>

const pageElement = z.looseObject({
  objectId: z.string().optional().catch(undefined),
  shape: z
    .looseObject({
      text: words,
      placeholder: z.looseObject({ type: z.string().optional() }).optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
  table: z
    .looseObject({
      tableRows: z.array(z.looseObject({ tableCells: z.array(z.looseObject({ text: words })).catch([]) })).catch([]),
    })
    .optional()
    .catch(undefined),
  get elementGroup() {
    return z.looseObject({ children: z.array(pageElement).catch([]) }).optional()
  },
})
type PageElement = z.infer<typeof pageElement>

const slide = z.looseObject({
  pageElements: z.array(pageElement).catch([]),
  slideProperties: z
    .looseObject({
      notesPage: z
        .looseObject({
          notesProperties: z.looseObject({ speakerNotesObjectId: z.string().optional() }).optional().catch(undefined),
          pageElements: z.array(pageElement).catch([]),
        })
        .optional()
        .catch(undefined),
    })
    .optional()
    .catch(undefined),
})
const presentationAnswer = z.looseObject({ slides: z.array(slide).default([]) })

/**
 * Every slide under a heading with its title, followed by its notes; the text export when the API does not know the
 * file.
 */
export async function presentationText(source: DriveSource, file: DriveFile): Promise<string | undefined> {
  const { slides } = await import('googleapis/build/src/apis/slides/index.js')
  const api = slides({ version: 'v1', ...source.gateway.apiOptions })
  const found = await editorAnswer(source, file, {
    title: 'Google Slides',
    answer: presentationAnswer,
    send: (options) => api.presentations.get({ presentationId: file.id, fields: FIELDS }, options),
  })
  if (found !== undefined) return paragraphs(found.slides.map((each, at) => slideMarkdown(each, at + 1)))
  const text = await source.api.exported(file, 'text/plain')
  return text?.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
}

function slideMarkdown({ pageElements, slideProperties }: z.infer<typeof slide>, number: number): string {
  const elements = ungrouped(pageElements)
  const title = elements.find(({ shape }) => TITLES.has(shape?.placeholder?.type ?? ''))
  const head = said(title?.shape?.text).replace(/\s+/g, ' ')
  const parts = elements.filter((element) => element !== title).map(elementText)
  const { notesPage } = slideProperties ?? {}
  const noted = notesPage?.pageElements.find(
    ({ objectId }) => objectId === notesPage.notesProperties?.speakerNotesObjectId,
  )
  const notes = said(noted?.shape?.text)
  const body = paragraphs([...parts, notes === '' ? undefined : `Speaker notes: ${notes}`])
  if (head === '' && body === '') return ''
  return paragraphs([`## Slide ${number}${head === '' ? '' : `: ${head}`}`, body])
}

function ungrouped(elements: readonly PageElement[]): PageElement[] {
  return elements.flatMap((element) => [element, ...ungrouped(element.elementGroup?.children ?? [])])
}

function elementText({ shape, table }: PageElement): string | undefined {
  if (table === undefined) return said(shape?.text)
  return markdownTable(table.tableRows.map(({ tableCells }) => tableCells.map(({ text }) => said(text))))
}

/** A vertical tab is a line break within a paragraph. */
function said(text: Words): string {
  const written = (text?.textElements ?? []).map(({ textRun, autoText }) => textRun?.content ?? autoText?.content ?? '')
  return written.join('').replaceAll('\u000b', '\n').trim()
}
