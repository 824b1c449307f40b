import { formatCount } from '../../ui/formats.ts'
import type { Translation } from '../translation.ts'

export const people: Translation['people'] = {
  title: '人物',
  about: '記憶に登場する人物、プロジェクト、場所と、自分についてわかっていること。',
  you: '自分',
  kind: '種類',
  kinds: { person: '人物', project: 'プロジェクト', place: '場所' },
  loading: '読み込み中',
  none: {
    person: '人物はまだありません',
    project: 'プロジェクトはまだありません',
    place: '場所はまだありません',
  },
  noneAbout: '記憶に名前が出てくると、ここに表示されます。',
  memories: (count) => `記憶${formatCount(count)}件`,
  listed: (shown, total) => `${formatCount(total)}件中${formatCount(shown)}件`,
  showMore: 'さらに表示',
  newestOnly: (count) => `最新の記憶${formatCount(count)}件から集計しています。`,
  lastSeen: (day) => `最新: ${day}`,
  alsoKnownAs: (names) => `別名: ${names}`,
  span: (first, last) => (first === last ? first : `${first}～${last}`),
  searchFor: (name) => `${name}を検索`,
  lastContact: '最後の連絡',
  theirPromises: (name) => `${name}の約束`,
  myPromises: '自分の約束と頼まれたこと',
  decisions: '決定事項',
  facts: '記憶にある内容',
  noStatements: '記憶に名前は出てきますが、ほかの情報はありません。',
  // The profile
  profileAbout: '自分の発言から集めた内容です。どの行からも出典を確認できます。',
  preferences: '好み',
  roles: '役割',
  routines: '習慣',
  openPromises: '未完了の約束',
  noProfile: '自分についての情報はまだありません',
  noProfileAbout: 'メッセージ、メモ、チャットで好みや役割、習慣に触れると、ここに表示されます。',
}
