import { formatCount } from '../../ui/formats.ts'
import type { Translation } from '../translation.ts'

export const days: Translation['days'] = {
  title: 'タイムライン',
  about: 'すべてのソースから、いつ何があったかを振り返れます。',
  period: '期間',
  periods: { day: '日', week: '週', month: '月' },
  previous: { day: '前の日', week: '前の週', month: '前の月' },
  next: { day: '次の日', week: '次の週', month: '次の月' },
  today: '今日',
  yesterday: '昨日',
  goToDate: '日付を指定して移動',
  loading: 'タイムラインを読み込み中',
  groups: {
    meetings: '会議と予定',
    messages: 'メールとメッセージ',
    work: 'コードとエージェント',
    tasks: 'タスク',
    documents: '文書とメモ',
    web: 'ウェブとメディア',
    life: '写真と健康',
  },
  showMore: (count) => `さらに${formatCount(count)}件を表示`,
  showFewer: '表示を減らす',
  nothing: 'この期間の記録はありません',
  nothingAbout: 'どのソースにも、この期間の日付のものはありません。',
  nothingEver: '記録はまだありません',
  nothingEverAbout: 'メール、チャット、カレンダーを接続すると、いつ何があったかを確認できます。',
  connectSource: 'ソースを接続',
  goTo: (day) => `${day}に移動`,
  incomplete: 'この期間には表示しきれない記録があります。すべて見るには、期間を短くしてください。',
  untitled: '無題',
  // On the first page
  onThisDay: '過去の同じ日',
  openDay: 'この日を開く',
  // Above results
  openSpan: (when) => `${when}を開く`,
}
