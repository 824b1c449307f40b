import type { SourceType } from '../domain/source-type.ts'
import { type Recalled, recallMemories } from '../retrieval/recall.ts'
import type { LibraryItem } from '../store/library/library.ts'
import { forget } from './files.ts'
import { recallSources } from './recall.ts'
import type { Principal } from './service.ts'
import type { ServiceContext } from './service-context.ts'

/** What was deleted, and what a search for it brought up afterwards. */
export interface ForgetReceipt {
  readonly item_id: string
  readonly source: SourceType
  readonly title: string
  readonly deleted_memories: number
  readonly deleted_chunks: number
  readonly checked_at: string
  /** Sentences of the item that the memory was asked for once it was gone. `found`: something of the item came back. */
  readonly questions: readonly { readonly text: string; readonly found: boolean }[]
  /** Which had brought it; it does not bring it back by itself. */
  readonly connection: string | null
}

/** Of its memories, and of its lines. */
const MOST_QUESTIONS = 3
/** So many are looked at to choose from. */
const CHOSEN_FROM = 60
const QUESTION_CHARACTERS = 200
/** As many results as can be asked for. */
const RESULTS = 100

/**
 * Deletes an item; then asks for some of its own sentences, as its account asks for anything, and tells whether one of the
 * results is of it.
 *
 * @param connection that brought it
 * @throws AppError `not_found`
 */
export async function forgetWithReceipt(
  context: ServiceContext,
  principal: Principal,
  item: LibraryItem,
  connection: string | null,
): Promise<ForgetReceipt> {
  const { itemId, sourceType } = item
  const questions = await chooseQuestions(context, principal, item)
  const { deleted_memories } = await forget(context, principal, { itemId, sourceType })
  const answers: { text: string; found: boolean }[] = []
  for (const text of questions) answers.push({ text, found: await isRecalled(context, principal, item, text) })
  return {
    item_id: itemId,
    source: sourceType,
    title: item.title ?? item.fileName,
    deleted_memories,
    deleted_chunks: item.chunkCount,
    checked_at: context.clock().toISOString(),
    questions: answers,
    connection,
  }
}

/** Headlines of its memories and lines of its text, from all over the item. */
async function chooseQuestions(
  { store }: ServiceContext,
  { scope }: Principal,
  ref: Pick<LibraryItem, 'itemId' | 'sourceType'>,
): Promise<string[]> {
  const { library } = store.scoped(scope)
  const page = { offset: 0, limit: CHOSEN_FROM }
  const [memories, chunks] = [await library.memories(ref, page), await library.chunks(ref, page)]
  const headlines = memories.map(({ content }) => content.headline ?? content.narrative ?? content.body ?? '')
  const lines = chunks.flatMap(({ text }) => text.split('\n')).filter((line) => line.trim() !== '')
  const texts = [...spread(headlines), ...spread(lines)].map(asQuestion)
  return [...new Set(texts)].filter((text) => text !== '')
}

/** Some of them, with the same distance between each. */
function spread(texts: readonly string[]): string[] {
  const places = Array.from({ length: MOST_QUESTIONS }, (_, n) => Math.floor((n * texts.length) / MOST_QUESTIONS))
  return [...new Set(places)].flatMap((place) => texts[place] ?? [])
}

/** Its first line, cut where a word ends. */
function asQuestion(text: string): string {
  const line = text.trim().split('\n', 1)[0]?.trim() ?? ''
  if (line.length <= QUESTION_CHARACTERS) return line
  const cut = line.slice(0, QUESTION_CHARACTERS).toWellFormed()
  return cut.slice(0, Math.max(cut.lastIndexOf(' '), QUESTION_CHARACTERS / 2))
}

async function isRecalled(
  context: ServiceContext,
  { scope, timeZone }: Principal,
  item: Pick<LibraryItem, 'itemId' | 'sourceType'>,
  text: string,
): Promise<boolean> {
  const question = { text, limit: RESULTS, timeZone, now: context.clock() }
  const recalled = await recallMemories(question, recallSources(context, scope))
  return itemsIn(recalled).some(({ itemId, sourceType }) => itemId === item.itemId && sourceType === item.sourceType)
}

/** Every item that a recall names anywhere. */
function itemsIn({ memories, qas, chunks }: Recalled): Pick<LibraryItem, 'itemId' | 'sourceType'>[] {
  return [
    ...memories.flatMap(({ row, copies, supersededBy, supersedes }) => [
      row,
      ...copies.map((copy) => copy.row),
      ...(supersededBy === undefined ? [] : [supersededBy]),
      ...supersedes,
    ]),
    ...qas.map(({ row }) => row),
    ...chunks.flatMap((chunk) => [
      chunk,
      ...chunk.copies,
      ...(chunk.supersededBy === undefined ? [] : [chunk.supersededBy]),
    ]),
  ]
}
