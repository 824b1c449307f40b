import { translated } from '../../languages/catalog.ts'

/** Messages about exports that are uploaded to become a source. */
export const exportMessages = translated('exports', {
  exportFiles: 'Exports',
  dropExports: 'Add exports of your chats',
  dropExportsAbout: 'Exported files from ChatGPT, Claude, Gemini, WhatsApp, Telegram, Signal or iMessage.',
  dropExportsHere: 'Drop them here or choose them.',
  chooseExports: 'Choose files',
  exportsToUpload: 'Exports to upload',
  exportsOnServer: 'Use files on the server instead',
  uploadOf: (name: string) => `Upload of ${name}`,
  cancelUpload: (name: string) => `Cancel the upload of ${name}`,
  removeExport: (name: string) => `Remove ${name}`,
  otherExport: (apps: string) => `This is an export of ${apps}. Add it as a source of its own.`,
})
