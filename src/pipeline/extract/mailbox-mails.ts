import type { Block } from '../../domain/document.ts'
import type { ExtractContext } from './extract-context.ts'
import { passageTitle } from './headline/document-titles.ts'
import type { Passage } from './passages.ts'

/**
 * The context of a passage of a mailbox, with the people and the subject of its mail; of mails to different people without
 * an addressee. For any other passage the context of the document.
 * @param blocks the block of each chunk of the document
 */
export function passageContext(
  passage: Passage,
  blocks: readonly (Block | undefined)[],
  context: ExtractContext,
): ExtractContext {
  const { document, people, file } = context
  const sets = passage.chunks.flatMap(({ ordinal }) => {
    const participants = blocks[ordinal]?.participants
    return participants === undefined ? [] : [[...new Set(participants.map(people.display))]]
  })
  const [everybody] = sets
  if (everybody === undefined) return context
  const { participants: _, ...meta } = document.meta
  const isOne = sets.every((set) => set.toSorted().join('\n') === everybody.toSorted().join('\n'))
  if (!isOne) return { ...context, document: { ...document, meta }, people: { ...people, partner: undefined } }
  const others = everybody.filter((name) => name !== file.userName)
  const hasMe = others.length < everybody.length
  const partner = hasMe && others.length === 1 ? others[0] : undefined
  const title = passageTitle(passage, document)
  return {
    ...context,
    document: { ...document, meta: { ...meta, ...(title !== undefined && { title }), participants: everybody } },
    people: { ...people, everybody, hasMe, partner },
  }
}
