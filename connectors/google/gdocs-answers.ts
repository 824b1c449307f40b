import { z } from 'zod'

const text = z.string().optional().catch(undefined)
const count = z.number().optional().catch(undefined)
const ids = z.array(z.string()).optional().catch(undefined)

/** The elements of a paragraph that have text. */
const element = z.looseObject({
  textRun: z
    .looseObject({
      content: z.string().catch(''),
      suggestedInsertionIds: ids,
      textStyle: z
        .looseObject({ link: z.looseObject({ url: text }).optional().catch(undefined) })
        .optional()
        .catch(undefined),
    })
    .optional()
    .catch(undefined),
  person: z
    .looseObject({ personProperties: z.looseObject({ name: text, email: text }).optional() })
    .optional()
    .catch(undefined),
  richLink: z
    .looseObject({ richLinkProperties: z.looseObject({ title: text, uri: text }).optional() })
    .optional()
    .catch(undefined),
  dateElement: z
    .looseObject({ dateElementProperties: z.looseObject({ displayText: text, timestamp: text }).optional() })
    .optional()
    .catch(undefined),
  footnoteReference: z.looseObject({ footnoteId: text, footnoteNumber: text }).optional().catch(undefined),
  inlineObjectElement: z.looseObject({ inlineObjectId: text }).optional().catch(undefined),
})
export type ParagraphElement = z.infer<typeof element>

const paragraph = z.looseObject({
  elements: z.array(element).catch([]),
  paragraphStyle: z.looseObject({ namedStyleType: text }).optional().catch(undefined),
  bullet: z.looseObject({ listId: text, nestingLevel: count }).optional().catch(undefined),
})
export type Paragraph = z.infer<typeof paragraph>

const block = z.looseObject({
  paragraph: paragraph.optional().catch(undefined),
  get table() {
    return z
      .looseObject({
        tableRows: z
          .array(z.looseObject({ tableCells: z.array(z.looseObject({ content: z.array(block).catch([]) })).catch([]) }))
          .catch([]),
      })
      .optional()
  },
})
export type Block = z.infer<typeof block>

const content = z
  .looseObject({ content: z.array(block).catch([]) })
  .optional()
  .catch(undefined)

const parts = {
  body: content,
  footnotes: z.record(z.string(), content).optional().catch(undefined),
  lists: z
    .record(
      z.string(),
      z.looseObject({
        listProperties: z
          .looseObject({ nestingLevels: z.array(z.looseObject({ glyphType: text })).catch([]) })
          .optional()
          .catch(undefined),
      }),
    )
    .optional()
    .catch(undefined),
  inlineObjects: z
    .record(
      z.string(),
      z.looseObject({
        inlineObjectProperties: z
          .looseObject({
            embeddedObject: z.looseObject({ title: text, description: text }).optional().catch(undefined),
          })
          .optional()
          .catch(undefined),
      }),
    )
    .optional()
    .catch(undefined),
}

const documentTab = z.looseObject(parts)
export type DocumentTab = z.infer<typeof documentTab>

const tab = z.looseObject({
  tabProperties: z.looseObject({ title: text }).optional().catch(undefined),
  documentTab: documentTab.optional().catch(undefined),
  get childTabs() {
    return z.array(tab).optional()
  },
})
export type Tab = z.infer<typeof tab>

/** `documents.get`, with tabs or in the older form without. */
export const documentAnswer = z.looseObject({ ...parts, tabs: z.array(tab).optional() })
export type DocumentAnswer = z.infer<typeof documentAnswer>
