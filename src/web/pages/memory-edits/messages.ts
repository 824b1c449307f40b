import { translated } from '../../languages/catalogue.ts'
import { formatFullDay } from '../../ui/formats.ts'

/** Messages of corrections and pins. */
export const messages = translated('memoryEdits', {
  correct: 'Correct',
  correctionLabel: 'What is true instead',
  correctionAbout: 'Your text replaces this memory in every answer. The original stays as it is.',
  saveCorrection: 'Save',
  undoCorrection: 'Undo correction',
  pin: 'Pin',
  unpin: 'Unpin',
  corrected: (by: string, at: string) => `Corrected by ${by} on ${formatFullDay(at)}`,
  pinned: (by: string, at: string) => `Pinned by ${by} on ${formatFullDay(at)}`,
  corrects: (by: string, at: string) => `A correction by ${by} on ${formatFullDay(at)}.`,
  openCorrected: 'Open the corrected item',
  processing: 'Saved. Answers use it in a moment.',
  undone: 'Correction undone',
} as const)
