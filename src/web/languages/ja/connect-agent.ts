import type { Translation } from '../translation.ts'

export const connectAgent: Translation['connectAgent'] = {
  title: (name) => `${name}を接続しますか？`,
  connectAgent: 'エージェントを接続',
  about: (name) => `${name}が記憶へのアクセスを求めています。`,
  fromHost: (host) => `この名前は${host}で公開されています。`,
  unverified: 'この名前は確認されていません。エージェントから自分で接続を始めた場合にだけ続けてください。',
  returnsTo: {
    site: (name) => `${name}にリダイレクトされ、このサイトがアクセスできるようになります。`,
    machine: (name) => `このコンピューター上のプログラム（${name}）がアクセスできるようになります。`,
    program: (name) => `このコンピューターで${name}のリンクを開くプログラムがアクセスできるようになります。`,
  },
  loading: 'リクエストを読み込み中',
  account: 'アカウント',
  mayDo: '許可する操作',
  read: '読み取り',
  readAbout: '検索と質問ができ、見つかったパッセージを受け取ります。',
  write: '読み取りと書き込み',
  writeAbout: 'メモの保存とアイテムの削除もできます。',
  until: 'アクセスの期限',
  untilAbout: '「設定 > キー」でいつでも取り消せます。',
  days: [
    { value: '1', label: '明日まで' },
    { value: '30', label: '30日間' },
    { value: '90', label: '90日間' },
    { value: '365', label: '1年間' },
    { value: '', label: '取り消すまで' },
  ],
  allow: '接続',
  deny: 'キャンセル',
  notOwner: 'エージェントを接続できるのはアカウントのオーナーだけです。オーナーに依頼してください。',
  continuing: 'エージェントに戻っています…',
}
