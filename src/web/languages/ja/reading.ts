import { formatCount, formatFullDay } from '../../ui/formats.ts'
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

export const memoryEdits: Translation['memoryEdits'] = {
  correct: '訂正',
  correctionLabel: '正しい内容',
  correctionAbout: '今後の回答では、この記憶の代わりに入力した内容が使われます。原本は変わりません。',
  saveCorrection: '保存',
  undoCorrection: '訂正を取り消す',
  pin: 'ピン留め',
  unpin: 'ピン留めを外す',
  hide: '非表示にする',
  showAgain: '再び表示',
  hidden: '非表示',
  hiddenBy: (by, at) => `${formatFullDay(at)}に${by}が非表示にしました。回答には使われません。`,
  nowHidden: '記憶を非表示にしました',
  shownAgain: '記憶を再び表示します',
  corrected: (by, at) => `${formatFullDay(at)}に${by}が訂正`,
  pinned: (by, at) => `${formatFullDay(at)}に${by}がピン留め`,
  corrects: (by, at) => `${formatFullDay(at)}に${by}が行った訂正です。`,
  openCorrected: '訂正されたアイテムを開く',
  processing: '保存しました。まもなく回答に反映されます。',
  undone: '訂正を取り消しました',
  editsTitle: '変更した内容',
  editsAbout: 'このアカウントで訂正、固定、非表示にしたものと、メモしたものです。',
  editKinds: { correction: '訂正済み', note: 'メモ', pin: '固定済み', hide: '非表示' },
  editedBy: (by, at) => `${by}、${formatFullDay(at)}`,
  noEdits: '訂正、メモ、固定、非表示にしたものはありません。',
  editUndone: '変更を元に戻しました',
  newerEdits: '新しいもの',
  olderEdits: '古いもの',
  editRange: (first, last, total) => `${formatCount(total)} 件中 ${formatCount(first)}–${formatCount(last)} 件`,
}
