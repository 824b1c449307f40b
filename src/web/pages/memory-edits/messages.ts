import { translated } from '../../languages/catalogue.ts'
import { formatCount, formatFullDay } from '../../ui/formats.ts'

/** Messages of corrections, notes, pins and hidden memories. */
export const messages = translated('memoryEdits', {
  correct: 'Correct',
  correctionLabel: 'What is true instead',
  correctionAbout: 'Your text replaces this memory in every answer. The original stays as it is.',
  saveCorrection: 'Save',
  undoCorrection: 'Undo correction',
  pin: 'Pin',
  unpin: 'Unpin',
  hide: 'Hide',
  showAgain: 'Show again',
  hidden: 'Hidden',
  hiddenBy: (by: string, at: string) => `by ${by} on ${formatFullDay(at)}. No answer has it.`,
  nowHidden: 'Memory hidden',
  shownAgain: 'Memory shown again',
  corrected: (by: string, at: string) => `Corrected by ${by} on ${formatFullDay(at)}`,
  pinned: (by: string, at: string) => `Pinned by ${by} on ${formatFullDay(at)}`,
  corrects: (by: string, at: string) => `A correction by ${by} on ${formatFullDay(at)}.`,
  openCorrected: 'Open the corrected item',
  processing: 'Saved. Answers use it in a moment.',
  undone: 'Correction undone',
  editsTitle: 'Your changes',
  editsAbout: 'What was corrected, noted, pinned and hidden in this account.',
  editKinds: { correction: 'Corrected', note: 'Noted', pin: 'Pinned', hide: 'Hidden' },
  editedBy: (by: string, at: string) => `${by}, ${formatFullDay(at)}`,
  noEdits: 'Nothing is corrected, noted, pinned or hidden.',
  editUndone: 'Change undone',
  newerEdits: 'Newer',
  olderEdits: 'Older',
  editRange: (first: number, last: number, total: number) =>
    `${formatCount(first)}–${formatCount(last)} of ${formatCount(total)}`,
} as const)
