import { formatNoun } from '../../ui/formats.ts'
import type { Translation } from '../translation.ts'

export const reading: Translation['reading'] = {
  text: 'Text',
  passages: (count) => formatNoun(count, 'Abschnitt', 'Abschnitte'),
  openOriginal: 'Original öffnen',
  copyPassage: 'Kopieren',
  copyCitation: 'Quellenangabe kopieren',
  agentsView: 'Was Agenten sehen',
  quotedTitle: (title) => `„${title}“`,
}
