import { z } from 'zod'
import { optionalNumber, optionalText, pageOf, rowsOf } from './google-rows.ts'

const id = z.string().min(1)
/** A 64-bit integer that only increases. */
const historyId = z.coerce.string().regex(/^\d+$/)
const labelIds = z.array(z.string()).optional().catch(undefined)

export const profileAnswer = z.looseObject({ emailAddress: z.string().min(1), historyId })

export const labelsAnswer = z.looseObject({ labels: rowsOf(z.looseObject({ id, name: z.string() })) })

export const threadPage = pageOf('threads', z.looseObject({ id, historyId: historyId.optional().catch(undefined) }))

export const messagePage = pageOf('messages', z.looseObject({ id, threadId: id }))

const header = z.looseObject({ name: z.string(), value: z.string() })

export interface MailPartBody {
  /** Base64url. */
  readonly data?: string | undefined
  /** Of attachments and long texts that need their own request. */
  readonly attachmentId?: string | undefined
  readonly size?: number | undefined
}

export interface MailPart {
  readonly mimeType?: string | undefined
  readonly filename?: string | undefined
  readonly headers: readonly z.infer<typeof header>[]
  readonly body?: MailPartBody | undefined
  readonly parts: readonly MailPart[]
}

const part: z.ZodType<MailPart> = z.lazy(() =>
  z.looseObject({
    mimeType: optionalText,
    filename: optionalText,
    headers: rowsOf(header),
    body: z
      .looseObject({ data: optionalText, attachmentId: optionalText, size: optionalNumber })
      .optional()
      .catch(undefined),
    parts: rowsOf(part),
  }),
)

const message = z.looseObject({
  id,
  labelIds,
  /** Milliseconds; when Gmail received it, unlike the `Date` header, which the sender writes. */
  internalDate: optionalNumber,
  payload: part.optional().catch(undefined),
})
export type GmailMessage = z.infer<typeof message>

export const threadAnswer = z.looseObject({
  id,
  historyId: historyId.optional().catch(undefined),
  messages: rowsOf(message),
})
export type GmailThread = z.infer<typeof threadAnswer>

export const attachmentAnswer = z.looseObject({ data: optionalText })

const touched = z.looseObject({ message: z.looseObject({ id, threadId: id, labelIds }) })
const relabelled = z.looseObject({ ...touched.shape, labelIds })

const record = z.looseObject({
  id: historyId,
  messagesAdded: rowsOf(touched),
  messagesDeleted: rowsOf(touched),
  labelsAdded: rowsOf(relabelled),
  labelsRemoved: rowsOf(relabelled),
})
export type HistoryRecord = z.infer<typeof record>

export const historyPage = z.looseObject({ historyId: historyId.optional() }).and(pageOf('history', record))
