import { formatCount } from '../../ui/formats.ts'
import type { Translation } from '../translation.ts'

export const reading: Translation['reading'] = {
  text: '本文',
  passages: (count) => `パッセージ${formatCount(count)}件`,
  openOriginal: '原本を開く',
  copyPassage: 'コピー',
  copyCitation: '引用をコピー',
  agentsView: 'エージェントに見える内容',
  quotedTitle: (title) => `「${title}」`,
}
