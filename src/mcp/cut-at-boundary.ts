import { withoutHalf } from './clean-text.ts'

/** At most `most` characters and an ellipsis, ended by a sentence, a line or at least a word. */
export function cutAtBoundary(text: string, most: number): string {
  if (text.length <= most) return text
  const head = withoutHalf(text.slice(0, most))
  const sentence = (head.match(/^[\s\S]*(?:[.!?](?=\s)|[。！？\n])/)?.[0] ?? '').length
  const word = head.search(/\s\S*$/)
  const at = [sentence, word].find((end) => end > most / 2) ?? head.length
  return `${head.slice(0, at).trimEnd()} …`
}
