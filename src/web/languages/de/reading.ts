import { formatCount, formatFullDay, formatNoun } from '../../ui/formats.ts'
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

export const memoryEdits: Translation['memoryEdits'] = {
  correct: 'Korrigieren',
  correctionLabel: 'Was stattdessen stimmt',
  correctionAbout: 'Dein Text ersetzt diese Erinnerung in allen Antworten. Das Original bleibt unverändert.',
  saveCorrection: 'Speichern',
  undoCorrection: 'Korrektur zurücknehmen',
  pin: 'Anheften',
  unpin: 'Nicht mehr anheften',
  hide: 'Ausblenden',
  showAgain: 'Wieder anzeigen',
  hidden: 'Ausgeblendet',
  hiddenBy: (by, at) => `von ${by} am ${formatFullDay(at)}. Keine Antwort enthält sie.`,
  nowHidden: 'Erinnerung ausgeblendet',
  shownAgain: 'Erinnerung wird wieder angezeigt',
  corrected: (by, at) => `Von ${by} am ${formatFullDay(at)} korrigiert`,
  pinned: (by, at) => `Von ${by} am ${formatFullDay(at)} angeheftet`,
  corrects: (by, at) => `Eine Korrektur von ${by} vom ${formatFullDay(at)}.`,
  openCorrected: 'Korrigierten Eintrag öffnen',
  processing: 'Gespeichert. Antworten berücksichtigen das in Kürze.',
  undone: 'Korrektur zurückgenommen',
  editsTitle: 'Deine Änderungen',
  editsAbout: 'Was in diesem Konto korrigiert, notiert, angeheftet und ausgeblendet wurde.',
  editKinds: { correction: 'Korrigiert', note: 'Notiert', pin: 'Angeheftet', hide: 'Ausgeblendet' },
  editedBy: (by, at) => `${by}, ${formatFullDay(at)}`,
  noEdits: 'Nichts ist korrigiert, notiert, angeheftet oder ausgeblendet.',
  editUndone: 'Änderung zurückgenommen',
  newerEdits: 'Neuere',
  olderEdits: 'Ältere',
  editRange: (first, last, total) => `${formatCount(first)}–${formatCount(last)} von ${formatCount(total)}`,
}
