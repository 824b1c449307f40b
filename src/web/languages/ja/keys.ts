import { formatCount } from '../../ui/formats.ts'
import type { Translation } from '../translation.ts'

export const keys: Translation['keys'] = {
  // The list
  title: 'キー',
  about:
    'エージェントやプログラムは、キーを使って記憶にアクセスします。それぞれに専用のキーを発行すると、個別に制限したり無効にしたりできます。',
  newKey: '新しいキー',
  loadingKeys: 'キーを読み込み中',
  keyCount: (count, most) => `キー${formatCount(count)}個（上限${formatCount(most)}個）`,
  ownersOnly: (account) => `キーの作成、再生成、無効化は、${account}のオーナーだけが行えます。`,
  keyLimit: (most) =>
    `キーの上限（${formatCount(most)}個）に達しました。新しく作成するには、使っていないキーを無効にしてください。`,
  planNeeded: 'キーを追加で作成するには、プランが必要です。',
  pastDue: '支払い期限を過ぎています。支払いが済むまで、すべてのキーが使えません。',
  askAdmin: 'このサーバーの管理者にお問い合わせください。',
  choosePlan: 'プランを選択',
  openBilling: '請求を開く',
  defaultKey: 'デフォルト',
  created: '作成日',
  neverUsed: '未使用',
  lastUsed: '最終使用',
  regenerate: '再生成',
  regenerateNamed: (name) => `${name}を再生成`,
  revoke: '無効にする',
  revokeNamed: (name) => `${name}を無効にする`,
  allSources: 'すべてのソース',
  noSources: 'ソースなし',
  sources: 'ソース',
  regenerateTitle: (name) => `${name}を再生成しますか？`,
  regenerateAbout:
    'キーの値が新しくなり、古い値はすぐに使えなくなります。このキーを使っているものをすべて更新してください。',
  regenerateOwnMachine:
    'このマシンのrecalldコマンドとMCPサーバーがこのキーを使っている場合、それらは自動で更新されます。',
  regenerateKey: 'キーを再生成',
  revoked: (name) => `${name}を無効にしました`,
  revokeTitle: (name) => `${name}を無効にしますか？`,
  revokeAbout:
    'このキーを使っているものは、すぐにアクセスできなくなります。この操作は取り消せません。このキーでアップロードしたアイテムは残ります。',
  revokeKey: 'キーを無効にする',
  neverUsedSentence: '一度も使われていません。',
  lastUsedSentence: '最終使用:',

  // Connected agents
  agents: '接続済みのエージェント',
  agentsAbout: 'エージェント側からここにサインインして接続したものです。キーは不要です。',
  noAgents: '接続済みのエージェントはありません。接続するには、エージェントに次のサーバーを追加します:',
  loadingAgents: '接続済みのエージェントを読み込み中',
  mayRead: '読み取り可',
  mayWrite: '読み取りと書き込み可',
  describedBy: (host) => `提供元: ${host}`,
  connectedBy: (person) => `${person}が接続`,
  untilDay: (day) => `${day}まで有効`,
  untilRevoked: '取り消すまで有効',
  revokeAgentAbout:
    'エージェントはすぐにアクセスできなくなります。エージェントから再び接続できます。エージェントが保存した内容は残ります。',

  // A new key
  newKeyAbout: '値を確認できるのは、作成直後の1回だけです。',
  name: '名前',
  nameAbout: 'このキーを使うエージェントやプログラムの名前（例: cursor-laptop）。',
  createKey: 'キーを作成',
  billingNeeded: 'キーを追加で作成するには、有効なプランが必要です。このサーバーではプランは無料です。',
  allSourcesAbout: '記憶全体。今後接続するソースも含みます。',
  specificSources: '特定のソース',
  specificSourcesAbout: '選択したソースだけ。',
  noSourcesAbout: 'キーは有効ですが、アクセスできるソースはありません。',
  accessTitle: 'アクセス',
  accessFixed: 'あとから変更できません。別のアクセス範囲が必要な場合は、キーをもう1つ作成してください。',
  searchSources: 'ソースを検索',
  selectedCount: (count) => `${formatCount(count)}件のソースを選択中`,
  clear: '選択を解除',
  noMatches: '一致するソースはありません',

  // The value of a key
  keyTitle: (name) => `キー${name}`,
  keyAbout: '今すぐコピーしてください。この値は二度と表示されません。紛失した場合は再生成してください。',
  hide: '隠す',
  show: '表示',
  copyKey: 'キーをコピー',
  keySaved: 'キーを保存しました',
  programs: 'プログラム',
  copyStep: (step) => `コピー: ${step}`,

  // Set-up of programs
  inTerminal: 'ターミナルで実行:',
  inTerminalOnce: 'ターミナルで1回だけ実行（全プロジェクト共通）:',
  claudeCodeCheck:
    '新しいセッションを開始し、/mcpを実行して接続を確認してください。キーは~/.claude.jsonに保存されます。',
  claudeDesktopInstall:
    'Claude Desktopを使うマシンで実行します（recalldのインストールが必要）。claude_desktop_config.jsonに"recalld"が追加されます:',
  claudeDesktopKey:
    'そのマシンに保存されているキーの代わりにこのキーを使うには、追加された項目の"args"の後に次を追加します:',
  claudeDesktopRestart: 'Claude Desktopを終了し、開き直してください。ウィンドウを閉じるだけでは反映されません。',
  cursorFile: '~/.cursor/mcp.jsonに追加（全プロジェクト共通）:',
  cursorRestart: 'Cursorを再起動してください。設定のMCPサーバー一覧にrecalldが表示されます。',
  keyPrompt: 'recalldのキー',
  vscodeFile: '「MCP: Open User Configuration」で開くファイルに追加:',
  vscodePrompt: 'VS Codeが一度だけキーの入力を求め、保存します:',
  codexFile: '~/.codex/config.tomlに追加:',
  codexProfile: 'Codexを起動する環境（シェルのプロファイルなど）に追加:',
  typescriptFile: 'recall.tsに記述（Node.js 24、Deno、Bunで動作。パッケージは不要）:',
  typescriptRun: '環境変数にキーを設定して実行:',
  groups: {
    files: 'ファイルとメモ',
    mail: 'メール、カレンダー、連絡先',
    chat: 'チャットと会議',
    code: 'コードとエージェント',
    tasks: 'タスク',
    life: 'ウェブと生活',
  },
}
