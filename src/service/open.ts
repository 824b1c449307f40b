import { AppError } from '../domain/errors.ts'
import { DEFAULT_AROUND, formatHandle, MAX_AROUND, parseHandle } from '../domain/handle.ts'
import { itemIdProblem } from '../domain/identifiers.ts'
import type { OpenQuery } from '../domain/memory.ts'
import type { OpenResult } from '../domain/results.ts'
import { isSourceType, type SourceType } from '../domain/source-type.ts'
import { openPassages } from '../retrieval/agents/open-passages.ts'
import { readNotes } from '../retrieval/recall/memory-notes.ts'
import { checkBilling } from './billing.ts'
import type { Principal } from './principal.ts'
import { noteField } from './recall.ts'
import type { ServiceContext } from './service-context.ts'

/** The passages around a handle. One that the key can't read is `not_found`, like one that does not exist. */
export async function open(
  context: ServiceContext,
  principal: Principal,
  { handle, around = DEFAULT_AROUND }: OpenQuery,
): Promise<OpenResult> {
  await checkBilling(context, principal, 'read')
  if (!(Number.isInteger(around) && around >= 0 && around <= MAX_AROUND)) {
    throw new AppError('invalid', `around must be a whole number from 0 to ${MAX_AROUND}`, { field: 'around' })
  }
  const { index } = context.store.scoped(principal.scope)
  const opened = await openPassages({ ...placeOf(handle), around, timeZone: principal.timeZone }, index)
  if (opened === undefined) {
    const sentence = `There is no passage ${handle} in the sources of this key. It may have been deleted: recall again.`
    throw new AppError('not_found', sentence, { field: 'handle' })
  }
  const { itemKey, itemId, sourceType, before, after, passages } = opened
  const memories = passages.flatMap(({ memory }) => memory ?? [])
  const notesOf = await readNotes(memories, { index, now: context.clock() })
  return {
    item_id: itemId,
    source: sourceType,
    before,
    passages: passages.map(({ ordinal, memory, ...passage }) => ({
      handle: formatHandle({ itemKey, first: ordinal, last: ordinal }),
      ...passage,
      ...(memory && noteField(notesOf(memory))),
    })),
    after,
  }
}

function placeOf(handle: string) {
  const place = parseHandle(handle)
  if (place !== undefined) return { item: { itemKey: place.itemKey }, first: place.first, last: place.last }
  const item = parseItemName(handle)
  if (item !== undefined) return { item, first: 0, last: 0 }
  const sentence =
    'handle must be one that recall or ask shows: r12.7, r12.7-9, or a source and an item such as slack/ITEM'
  throw new AppError('invalid', sentence, { field: 'handle' })
}

/** The item of `slack/ITEM`; `undefined` for any other text. */
function parseItemName(text: string): { readonly sourceType: SourceType; readonly itemId: string } | undefined {
  const slash = text.indexOf('/')
  const [sourceType, itemId] = [text.slice(0, Math.max(slash, 0)), text.slice(slash + 1)]
  return isSourceType(sourceType) && itemIdProblem(itemId) === undefined ? { sourceType, itemId } : undefined
}
