import { z } from 'zod'
import { listedRows } from '../../src/connector/listed-rows.ts'

const text = z.string().nullish().catch(undefined)
const richText = z
  .array(
    z.looseObject({
      plain_text: text,
      href: text,
      annotations: z.looseObject({ code: z.boolean().optional() }).optional().catch(undefined),
    }),
  )
  .catch([])
export type RichText = z.infer<typeof richText>
export const richTextAnswer = richText

const person = z.looseObject({ id: text, name: text }).nullish().catch(undefined)

/** A property of a page; each type has its value under its own name. */
const property = z.looseObject({ type: z.string() })
export type NotionProperty = z.infer<typeof property>

export const pageAnswer = z.looseObject({
  object: z.string(),
  id: z.string().min(1),
  created_time: z.iso.datetime({ offset: true }).transform((value) => new Date(value)),
  last_edited_time: z.iso.datetime({ offset: true }).transform((value) => new Date(value)),
  archived: z.boolean().optional().catch(undefined),
  in_trash: z.boolean().optional().catch(undefined),
  url: text,
  created_by: person,
  parent: z
    .looseObject({ type: text, page_id: text, database_id: text, data_source_id: text })
    .optional()
    .catch(undefined),
  properties: z.record(z.string(), property).catch({}),
})
export type NotionPage = z.infer<typeof pageAnswer>

const paging = z.looseObject({ has_more: z.boolean(), next_cursor: z.string().nullish() })
export type NotionPaging = z.infer<typeof paging>

/** Of a page that the integration may not read, Notion sends the id alone. */
export const searchAnswer = paging.extend({ results: listedRows(pageAnswer, 'id') })

export const blockAnswer = z.looseObject({
  id: z.string().min(1),
  type: z.string().catch('unsupported'),
  has_children: z.boolean().optional().catch(undefined),
})
export type NotionBlock = z.infer<typeof blockAnswer>
export const blocksAnswer = paging.extend({ results: z.array(blockAnswer) })

export const meAnswer = z.looseObject({
  id: z.string().min(1),
  name: text,
  bot: z.looseObject({ workspace_name: text, workspace_id: text }).optional().catch(undefined),
})
