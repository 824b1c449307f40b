import { isSourceType, type SourceType } from '../domain/source-type.ts'

/** `memory://slack/slack:T1:C2:...`: the item as a resource of this server. Item ids may hold `:`, `=` and `!`. */
export const ITEM_URI_TEMPLATE = 'memory://{source_type}/{item_id}'

export function itemUri(sourceType: string, itemId: string): string {
  return `memory://${sourceType}/${encodeURIComponent(itemId)}`
}

/** The item that the variables of the template name; `undefined` when they name none. */
export function itemOf(variables: Readonly<Record<string, string | readonly string[]>>): ItemName | undefined {
  const { source_type: sourceType, item_id: given } = variables
  if (typeof sourceType !== 'string' || typeof given !== 'string' || !isSourceType(sourceType)) return undefined
  const itemId = decoded(given)
  return itemId === undefined || itemId === '' ? undefined : { sourceType, itemId }
}

interface ItemName {
  readonly sourceType: SourceType
  readonly itemId: string
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}
