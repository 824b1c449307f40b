import { isPartOfPassage, passageWords } from '../../lib/passage-words.ts'
import { chunkIdsOf, type HiddenChunks } from './hidden-chunks.ts'
import type { MemoryRow, QaRow, SearchIndex } from './search.ts'

/**
 * A search index without hidden memories. Every answer comes from an index, so this is the only place that filters
 * them.
 */
export function withoutHidden(index: Omit<SearchIndex, 'hidden'>, hidden: () => Promise<HiddenChunks>): SearchIndex {
  const shown = async <Row>(read: () => Promise<Row[]>, isHidden: (row: Row, chunks: HiddenChunks) => boolean) => {
    const [rows, chunks] = await readBetween(read, hidden)
    return chunks.size === 0 ? rows : rows.filter((row) => !isHidden(row, chunks))
  }
  const isHiddenChunk = ({ chunkId }: { readonly chunkId: number }, chunks: HiddenChunks) => chunks.has(chunkId)
  const isHiddenMemory = (memory: MemoryRow, chunks: HiddenChunks) => chunkIdsOf(memory).some((id) => chunks.has(id))
  return {
    ...index,
    hidden,
    lexicalCandidates: (query) => shown(() => index.lexicalCandidates(query), isHiddenChunk),
    nearest: (query) => shown(() => index.nearest(query), isHiddenChunk),
    chunks: (...asked) => shown(() => index.chunks(...asked), isHiddenChunk),
    passages: async (ids) => {
      const [passages, chunks] = await readBetween(() => index.passages(ids), hidden)
      return chunks.size === 0 ? passages : new Map([...passages].filter(([chunkId]) => !chunks.has(chunkId)))
    },
    memoriesOf: (chunkIds) => shown(() => index.memoriesOf(chunkIds), isHiddenMemory),
    memoriesIn: (range, limits) => shown(() => index.memoriesIn(range, limits), isHiddenMemory),
    recentMemories: (query) => shown(() => index.recentMemories(query), isHiddenMemory),
    latestMemories: (limit, source) => shown(() => index.latestMemories(limit, source), isHiddenMemory),
    qasOf: (chunkIds) =>
      shown(
        () => index.qasOf(chunkIds),
        (qa, chunks) => isHiddenChunk(qa, chunks) || asksHidden(qa, chunks),
      ),
  }
}

/**
 * What was hidden before a read or after it: an item may be processed again meanwhile, and ids of chunks are used once.
 * Where nothing was hidden before, what is hidden meanwhile is left out by the next request.
 */
async function readBetween<Result>(
  read: () => Promise<Result>,
  hidden: () => Promise<HiddenChunks>,
): Promise<readonly [Result, HiddenChunks]> {
  const before = await hidden()
  const result = await read()
  if (before.size === 0) return [result, before]
  const after = await hidden()
  return [result, before === after ? after : new Map([...before, ...after])]
}

/** Whether the question of a pair is from a hidden passage of the same item. */
function asksHidden({ itemId, sourceType, question }: QaRow, chunks: HiddenChunks): boolean {
  const words = passageWords(question)
  return [...new Set(chunks.values())].some(
    (hide) => hide.itemId === itemId && hide.sourceType === sourceType && isPartOfPassage(words, hide.passage),
  )
}
