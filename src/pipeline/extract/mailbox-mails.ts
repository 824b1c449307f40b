import type { Block } from '../../domain/document.ts'
import type { ExtractContext } from './extract-context.ts'
import { passageTitle } from './headline/document-titles.ts'
import type { Passage } from './passages.ts'

/**
 * The context of a passage of a mailbox, with the people and the subject of its mail. For any other passage the context of
 * the document.
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
  // What is told of the first mail names its addressees.
  const [everybody] = sets
  if (everybody === undefined) return context
  const all = [...new Set(sets.flat())]
  const others = everybody.filter((name) => name !== file.userName)
  const hasMe = others.length < everybody.length
  const isSame = sets.every((set) => set.length === all.length)
  const partner = isSame && hasMe && others.length === 1 ? others[0] : undefined
  const title = passageTitle(passage, document)
  return {
    ...context,
    document: {
      ...document,
      meta: { ...document.meta, ...(title !== undefined && { title }), participants: everybody },
    },
    people: { ...people, everybody: all, hasMe, partner },
  }
}
