import type { Translation } from '../translation.ts'

/** Japanese messages about exports that are uploaded to become a source. */
export const exports: Translation['exports'] = {
  exportFiles: 'エクスポート',
  dropExports: 'チャットのエクスポートを追加',
  dropExportsAbout: 'ChatGPT、Claude、Gemini、WhatsApp、Telegram、Signal、iMessageからエクスポートしたファイルです。',
  dropExportsHere: 'ここにドロップするか、選択してください。',
  chooseExports: 'ファイルを選択',
  exportsToUpload: 'アップロードするエクスポート',
  exportsOnServer: 'サーバー上のファイルを使う',
  uploadOf: (name) => `${name}のアップロード`,
  cancelUpload: (name) => `${name}のアップロードをキャンセル`,
  removeExport: (name) => `${name}を削除`,
  otherExport: (apps) => `これは${apps}のエクスポートです。別のソースとして追加してください。`,
}
