import type { Translation } from '../translation.ts'

/** German messages about exports that are uploaded to become a source. */
export const exports: Translation['exports'] = {
  exportFiles: 'Exporte',
  dropExports: 'Exporte deiner Chats hinzufügen',
  dropExportsAbout: 'Exportierte Dateien aus ChatGPT, Claude, Gemini, WhatsApp, Telegram, Signal oder iMessage.',
  dropExportsHere: 'Zieh sie hierher oder wähle sie aus.',
  chooseExports: 'Dateien auswählen',
  exportsToUpload: 'Exporte zum Hochladen',
  exportsOnServer: 'Stattdessen Dateien auf dem Server verwenden',
  uploadOf: (name) => `Upload von ${name}`,
  cancelUpload: (name) => `Upload von ${name} abbrechen`,
  removeExport: (name) => `${name} entfernen`,
  otherExport: (apps) => `Das ist ein Export aus ${apps}. Füge ihn als eigene Quelle hinzu.`,
}
