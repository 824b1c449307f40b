import type { ExtractContext } from '../extract-context.ts'
import type { Passage } from '../passages.ts'
import { beginsMarker, sharedThing } from '../speech/shared-things.ts'
import { fitted } from './headline-cut.ts'
import { LONGEST } from './headline-words.ts'

/** `Ann shared a photo of a lake`; empty if nothing was shared. */
export function sharedHeadline({ chunks, form }: Passage, { people }: ExtractContext): string {
  if (form !== 'turns') return ''
  for (const { speaker, text } of chunks) {
    const thing = sharedThing(SHARED.exec(text)?.[1] ?? '')
    if (speaker === undefined || thing === undefined) continue
    const who = people.isMe(speaker) ? 'I' : people.familiar(people.display(speaker))
    const words = [thing, ...shorterNames(thing)].map((name) => `${who} shared ${name}`)
    return words.find(({ length }) => length <= LONGEST) ?? fitted(words.at(-1)!, LONGEST)
  }
  return ''
}
const SHARED = /(?<=^|\n|[.!?] )(\[(?:shares|shared|sends|sent) [^\][]{3,300}\])\s*(?=$|\n)/i

/** Output without its error, an error without its message: a message that is cut off has no end. */
function shorterNames(thing: string): string[] {
  const output = /^(the output of "[^"]*") with the error "/.exec(thing)?.[1]
  const error = /^the error "([\w.$\\]+): /.exec(thing)?.[1]
  if (output !== undefined) return [output]
  if (error !== undefined) return [`the error "${error}"`]
  return thing.startsWith('the error "') ? ['an error'] : []
}

/** The headline of a message of only code. */
export function firstCodeLine({ chunks }: Passage): string {
  const lines = chunks.flatMap((chunk) => chunk.text.split('\n'))
  const isCode = (line: string) => !/^\s*(?:```|~~~)/.test(line) && !beginsMarker(line)
  return lines.find((line) => isCode(line) && /[\p{L}\p{N}]/u.test(line))?.trim() ?? ''
}
