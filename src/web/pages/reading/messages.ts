import { translated } from '../../languages/catalog.ts'
import { formatCount } from '../../ui/formats.ts'

/** Messages of the text of an item, on its page and beside the results of a search. */
export const messages = translated('reading', {
  text: 'Text',
  passages: (count: number) => (count === 1 ? '1 passage' : `${formatCount(count)} passages`),
  openOriginal: 'Open original',
  copyPassage: 'Copy',
  copyCitation: 'Copy citation',
  agentsView: 'What agents see',
  quotedTitle: (title: string) => `“${title}”`,
} as const)
