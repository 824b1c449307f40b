import { about } from './about.ts'
import { limits } from './limits.ts'
import { steps } from './steps.ts'
import { summaries } from './summaries.ts'

/** Settings of connectors. */
const settings: Readonly<Record<string, string>> = {
  'How many days its items are kept; overrides `retention` of the source.':
    'アイテムを保存する日数。ソースの`retention`より優先されます。',
  'JSON key file of a service account to which a Google Workspace administrator has delegated the scopes; needs `subject`.':
    'Google Workspaceの管理者がスコープを委任したサービスアカウントのJSONキーファイル。`subject`が必要です。',
  'With `service_account_file`: the address of the person whose data is synced.':
    '`service_account_file`を使う場合、データを同期する人のアドレス。',
  'Address of the API, for tests; only its origin is used. Default: the address of each Google API.':
    'テスト用のAPIのアドレス。オリジンだけが使われます。既定: 各Google APIのアドレス。',
  'Sync only items from this day on, e.g. 2024-01-01.': 'この日以降のアイテムだけを同期します（例: 2024-01-01）。',
  'Sync only conversations with one of these labels, by name as in Gmail: ["Family", "Work/Contracts"].':
    'いずれかのラベルが付いた会話だけを同期します。名前はGmailの表示どおり: ["Family", "Work/Contracts"]。',
  'Exclude conversations with one of these labels.': 'いずれかのラベルが付いた会話を除外します。',
  'Exclude conversations that are only in these Gmail categories; [] syncs all. Receipts and tickets are in `updates`.':
    'これらのGmailのカテゴリだけに属する会話を除外します。[]ですべて同期します。領収書やチケットは`updates`に入ります。',
  'Sync only events that end on or after this day, e.g. 2024-01-01.':
    'この日以降に終わる予定だけを同期します（例: 2024-01-01）。',
  'Names or IDs of calendars to sync. Default: all in your list, except hidden ones and those that Google fills, such as public holidays.':
    '同期するカレンダーの名前またはID。既定: リストのすべて。非表示のものと、祝日などGoogleが自動で入れるものを除きます。',
  'Names or IDs of calendars to exclude.': '除外するカレンダーの名前またはID。',
  '`true`: also sync calendars hidden from your list.': '`true`: リストで非表示のカレンダーも同期します。',
  'Kinds of events to sync. Also available: outOfOffice, focusTime, workingLocation and birthday.':
    '同期する予定の種類。outOfOffice、focusTime、workingLocation、birthdayも選べます。',
  'Sync only files that changed on or after this day, e.g. 2024-01-01.':
    'この日以降に変更されたファイルだけを同期します（例: 2024-01-01）。',
  'What to sync: documents, spreadsheets, presentations, files. Default: all. `files`: uploaded files in supported formats: PDF (at most 20 MB), DOCX, PPTX, XLSX, ODT, ODS, ODP, Markdown and other text, HTML, CSV, EML, ICS (at most 10 MB).':
    '同期する対象: documents、spreadsheets、presentations、files。既定: すべて。`files`: 対応形式のアップロードファイル: PDF（最大20 MB）、DOCX、PPTX、XLSX、ODT、ODS、ODP、Markdownなどのテキスト、HTML、CSV、EML、ICS（最大10 MB）。',
  'Sync only these folders and their subfolders: names, paths or IDs of folders or shared drives, e.g. ["Projects", "Team/Minutes"].':
    'これらのフォルダーとサブフォルダーだけを同期します。フォルダーまたは共有ドライブの名前、パス、ID（例: ["Projects", "Team/Minutes"]）。',
  'Folders and shared drives to exclude with their subfolders, as above.':
    'サブフォルダーごと除外するフォルダーと共有ドライブ。指定方法は上と同じです。',
  'Whether to sync shared drives you are a member of.': 'メンバーになっている共有ドライブを同期するかどうか。',
  'Which files shared with you to sync. `opened`: those you have opened or edited. Files in your own folders are always synced.':
    '共有されたファイルのうち同期するもの。`opened`: 開いたことがあるか編集したもの。自分のフォルダーにあるファイルは常に同期されます。',
  'Whether to sync comments on documents, spreadsheets and presentations; takes one more request for each.':
    'ドキュメント、スプレッドシート、プレゼンテーションのコメントを同期するかどうか。それぞれリクエストが1回増えます。',
  'Sync only meetings that ended on or after this day, e.g. 2024-01-01.':
    'この日以降に終わった会議だけを同期します（例: 2024-01-01）。',
  '`true`: also sync people that Google saved because you wrote to them; needs one more scope.':
    '`true`: メールを送ったためにGoogleが保存した人も同期します。スコープがもう1つ必要です。',
  '`false`: sync only `takeout`; needs no access to the account.':
    '`false`: `takeout`だけを同期します。アカウントへのアクセスは不要です。',
  'Folder with your Google Takeout exports: takeout-*.zip or .tgz files, or unpacked. recalld never changes them.':
    'Google Takeoutのエクスポートを入れたフォルダー。takeout-*.zipまたは.tgz、展開済みでも可。recalldが変更することはありません。',
  '`health`: the Google Health API. `fit-rest`: the Fit API, for accounts that have it, until it shuts down at the end of 2026; without sleep and exercises. `takeout`: exports of Google Fit and Health Connect ("Health Connect.zip") in the `takeout` folder.':
    '`health`: Google Health API。`fit-rest`: Fit API。利用できるアカウントで2026年末の終了まで。睡眠と運動は含みません。`takeout`: `takeout`フォルダーのGoogle FitとHealth Connectのエクスポート（「Health Connect.zip」）。',
  'What to sync; each has its own scope. Not used with `takeout`.':
    '同期する対象。それぞれ専用のスコープが必要です。`takeout`では使いません。',
  'First day to sync, e.g. 2024-01-01. Not used with `takeout`. Default: 90 days back.':
    '同期する最初の日（例: 2024-01-01）。`takeout`では使いません。既定: 90日前。',
  'The cloud of the account: global, us-government, us-government-dod, china. Default: the one chosen in `recalld connect`, otherwise global.':
    'アカウントのクラウド: global、us-government、us-government-dod、china。既定: `recalld connect`で選んだもの、なければglobal。',
  'Address of Microsoft Graph, with or without /v1.0. Default: the address of the cloud.':
    'Microsoft Graphのアドレス（/v1.0はあってもなくても可）。既定: クラウドのアドレス。',
  'Sync only conversations with a mail from this day on, e.g. 2024-01-01; they are synced in full.':
    'この日以降のメールを含む会話だけを、全体で同期します（例: 2024-01-01）。',
  'Names of mail folders to sync, with their subfolders; `*` matches any text, `/` separates a folder from its subfolder: ["Inbox", "Projects/Shop*"]. Default: all.':
    '同期するメールフォルダーの名前（サブフォルダーを含む）。`*`は任意の文字列、`/`はサブフォルダーの区切り: ["Inbox", "Projects/Shop*"]。既定: すべて。',
  'Names of mail folders to exclude, as above. Junk, Deleted Items, Drafts, Outbox and Sync Issues are never synced.':
    '除外するメールフォルダーの名前。指定方法は上と同じです。迷惑メール、削除済みアイテム、下書き、送信トレイ、同期の失敗は同期されません。',
  'Sync only events and series that end on or after this day, e.g. 2024-01-01.':
    'この日以降に終わる予定と定期的な予定だけを同期します（例: 2024-01-01）。',
  'Names of calendars to sync: ["Calendar"]. Default: all.': '同期する予定表の名前: ["Calendar"]。既定: すべて。',
  'Names of calendars to exclude, e.g. ["Birthdays", "United Kingdom holidays"].':
    '除外する予定表の名前（例: ["Birthdays", "United Kingdom holidays"]）。',
  'Channels to sync, as "Team / Channel" or the name of either; `*` matches any text: ["Engineering / *"]. Default: all channels of your teams.':
    '同期するチャネル。「チーム / チャネル」またはどちらかの名前。`*`は任意の文字列: ["Engineering / *"]。既定: 自分のチームのすべてのチャネル。',
  'Channels to exclude, as above.': '除外するチャネル。指定方法は上と同じです。',
  '`true`: also sync chats and meeting messages; needs the permission Chat.Read.':
    '`true`: チャットと会議のメッセージも同期します。アクセス許可Chat.Readが必要です。',
  'Patterns of files to sync, e.g. "Projects/**" or "*.md"; a pattern without / matches file names. Default: all.':
    '同期するファイルのパターン（例: "Projects/**"、"*.md"）。/のないパターンはファイル名に一致します。既定: すべて。',
  'Patterns of files and folders to exclude, as above.':
    '除外するファイルとフォルダーのパターン。指定方法は上と同じです。',
  'Addresses of sites to sync, e.g. "{url}".': '同期するサイトのアドレス（例: "{url}"）。',
  "`false`: don't sync the sites you follow.": '`false`: フォローしているサイトを同期しません。',
  '`true`: sync every site you have access to, which can be thousands in a large organization.':
    '`true`: アクセスできるすべてのサイトを同期します。大きな組織では数千になることがあります。',
  '`false`: sync only files, no pages and news.': '`false`: ファイルだけを同期し、ページとニュースは同期しません。',
  'Names of lists to sync too, in every site that has them: ["Decisions"].':
    '追加で同期するリストの名前。そのリストがあるすべてのサイトが対象です: ["Decisions"]。',
  'Address of the API. Default: {url}.': 'APIのアドレス。既定: {url}。',
  'The workspace to sync, e.g. T024BE7LD, when the app is installed for a whole organization; otherwise not needed.':
    'アプリが組織全体にインストールされている場合に同期するワークスペース（例: T024BE7LD）。それ以外は不要です。',
  'App-level token (xapp-...) of an app with Socket Mode: new messages, edits and deletions are then read within seconds, and all channels are compared every six hours.':
    'Socket Modeを使うアプリのアプリレベルトークン（xapp-...）。新しいメッセージ、編集、削除が数秒で反映され、全チャンネルは6時間ごとに照合されます。',
  'File with the app-level token.': 'アプリレベルトークンのファイル。',
  'Sync only messages from this day on, e.g. 2024-01-01; a thread counts from its first message.':
    'この日以降のメッセージだけを同期します（例: 2024-01-01）。スレッドは最初のメッセージの日付で判断します。',
  'Names or IDs of channels to sync; `*` matches any text: ["team-*"]. Default: channels you are or were a member of. Does not affect direct messages.':
    '同期するチャンネルの名前またはID。`*`は任意の文字列: ["team-*"]。既定: 現在または過去に参加したチャンネル。ダイレクトメッセージには影響しません。',
  'Names or IDs of conversations to exclude, with `*` as above: direct messages by the name or ID of the person, group messages by the user names: ["random", "C04ABCDEF", "@Ada Lovelace", "@ada, bob, carl"].':
    '除外する会話の名前またはID。`*`も使えます。ダイレクトメッセージは相手の名前かID、グループメッセージはユーザー名で: ["random", "C04ABCDEF", "@Ada Lovelace", "@ada, bob, carl"]。',
  '`false`: skip private channels.': '`false`: 非公開チャンネルを除外します。',
  '`true`: also sync direct messages and group messages.':
    '`true`: ダイレクトメッセージとグループメッセージも同期します。',
  '`exclude`: skip messages by bots and apps.': '`exclude`: ボットとアプリのメッセージを除外します。',
  'How many days back each run looks for edits, deletions and new replies; always at least about the newest 200 messages (15 where Slack gives the app no more). Once a week a run looks back 90 days, and also for edited replies in threads with new messages. A thread is as old as its first message; use `recalld sync slack --full` for older ones.':
    '毎回の同期で、編集、削除、新しい返信を何日前まで確認するか。少なくとも最新の約200件は常に確認します（Slackの制限があるアプリでは15件）。週に一度は90日前まで、新着のあるスレッドでは編集された返信も確認します。スレッドの日付は最初のメッセージで決まります。それ以前は`recalld sync slack --full`を使ってください。',
  'Address of your Enterprise server, e.g. {url}, or {url}; the addresses of its APIs follow from it.':
    'Enterpriseサーバーのアドレス（例: {url}、{url}）。APIのアドレスは自動で決まります。',
  "Address of the API itself, where `base_url` doesn't lead to it, e.g. behind a proxy. Default: {url}.":
    '`base_url`から分からない場合（プロキシの背後など）のAPIのアドレス。既定: {url}。',
  'ID of a GitHub App, instead of a token; with `installation_id` and `private_key_file`. Its tokens are requested and renewed automatically.':
    'トークンの代わりに使うGitHub AppのID。`installation_id`と`private_key_file`が必要です。トークンは自動で取得、更新されます。',
  'ID of the installation of the app: the number at the end of the address of its settings page.':
    'アプリのインストールID。設定ページのアドレスの末尾にある数字です。',
  'File with the private key of the app (.pem).': 'アプリの秘密鍵のファイル（.pem）。',
  'Sync only issues, pull requests and discussions that changed on or after this day, e.g. 2024-01-01, and releases from then on. Files are synced whatever their age.':
    'この日以降に変更されたIssue、プルリクエスト、ディスカッションと、それ以降のリリースだけを同期します（例: 2024-01-01）。ファイルは古さに関係なく同期されます。',
  'Repositories to sync, e.g. ["acme/shop", "acme/doc-*"]. A full name can be any repository the token can read; `*` matches those you own, collaborate on or have access to as a member of an organization. Default: all of these; with an app, those it is installed on.':
    '同期するリポジトリ（例: ["acme/shop", "acme/doc-*"]）。完全な名前ならトークンで読めるどのリポジトリでも指定できます。`*`は自分が所有、共同作業、または組織のメンバーとしてアクセスできるものに一致します。既定: これらすべて。アプリの場合は、インストール先のリポジトリ。',
  'Repositories to exclude, e.g. ["acme/archive-*"].': '除外するリポジトリ（例: ["acme/archive-*"]）。',
  'What to sync from a repository: issues, pull_requests, discussions, releases, documents. Default: all.':
    'リポジトリから同期する対象: issues、pull_requests、discussions、releases、documents。既定: すべて。',
  '`exclude`: skip comments by bots on issues, pull requests and discussions. What bots open, review and release is still synced.':
    '`exclude`: Issue、プルリクエスト、ディスカッションへのボットのコメントを除外します。ボットが作成、レビュー、リリースしたものは同期されます。',
  'Files of the default branch to sync, at most 1 MB each; `*` matches part of a name, `**` any folders. Text files only: md, markdown, mdx, txt, rst, adoc, asciidoc, org, textile, or a name without a dot.':
    '同期する既定のブランチのファイル（各1 MBまで）。`*`は名前の一部、`**`は任意のフォルダーに一致します。テキストファイルのみ: md、markdown、mdx、txt、rst、adoc、asciidoc、org、textile、または拡張子のない名前。',
  'Sync only tasks that changed on or after this day, e.g. 2024-01-01. Projects are synced whatever their age.':
    'この日以降に変更されたタスクだけを同期します（例: 2024-01-01）。プロジェクトは古さに関係なく同期されます。',
  'Names or IDs of workspaces to sync; `*` matches any text. Default: all.':
    '同期するワークスペースの名前またはID。`*`は任意の文字列。既定: すべて。',
  'Names or IDs of projects to sync; `*` matches any text: ["Launch *", "1204323569089194"]. Default: all projects you have access to, which can be many in a large organization. Tasks assigned to you that are in no project are always synced.':
    '同期するプロジェクトの名前またはID。`*`は任意の文字列: ["Launch *", "1204323569089194"]。既定: アクセスできるすべてのプロジェクト（大きな組織では多数になることがあります）。自分に割り当てられた、プロジェクトのないタスクは常に同期されます。',
  'Names or IDs of projects to exclude, with `*` as above. A task that is also in a synced project is kept.':
    '除外するプロジェクトの名前またはID。`*`も使えます。同期するプロジェクトにも含まれるタスクは残ります。',
  'Sync only issues that changed on or after this day, e.g. 2024-01-01.':
    'この日以降に変更されたIssueだけを同期します（例: 2024-01-01）。',
  'Names or keys of teams to sync, e.g. ["Platform", "OPS"]. Default: all.':
    '同期するチームの名前またはキー（例: ["Platform", "OPS"]）。既定: すべて。',
  'Names or keys of teams to exclude.': '除外するチームの名前またはキー。',
  'Sync only pages that were edited on or after this day, e.g. 2024-01-01.':
    'この日以降に編集されたページだけを同期します（例: 2024-01-01）。',
  'Address of your site, e.g. {url}.': 'サイトのアドレス（例: {url}）。',
  'Email address of your Atlassian account.': 'Atlassianアカウントのメールアドレス。',
  'Names or keys of projects to sync. Default: all that you see.':
    '同期するプロジェクトの名前またはキー。既定: 閲覧できるすべて。',
  'Names or keys of projects to exclude.': '除外するプロジェクトの名前またはキー。',
  'Names or keys of spaces to sync. Default: all that you see.':
    '同期するスペースの名前またはキー。既定: 閲覧できるすべて。',
  'Names or keys of spaces to exclude.': '除外するスペースの名前またはキー。',
  'Account ID of your app, under "App Credentials".': 'アプリのアカウントID（「App Credentials」に表示）。',
  'Client ID of your app.': 'アプリのクライアントID。',
  'Email address of the person whose meetings to sync.': '会議を同期する人のメールアドレス。',
  'Sync only meetings that began on or after this day, e.g. 2024-01-01.':
    'この日以降に始まった会議だけを同期します（例: 2024-01-01）。',
  'Address of GitLab. Default: {url}.': 'GitLabのアドレス。既定: {url}。',
  'Sync only what changed on or after this day, e.g. 2024-01-01.':
    'この日以降に変更されたものだけを同期します（例: 2024-01-01）。',
  'Paths of projects to sync, e.g. ["acme/shop", "acme/**"]. Default: all that you are a member of.':
    '同期するプロジェクトのパス（例: ["acme/shop", "acme/**"]）。既定: メンバーになっているすべて。',
  'Paths of projects to exclude, with patterns as above.': '除外するプロジェクトのパス。パターンも使えます。',
  'Folder or folders with the sessions. Default: ~/.claude/projects.':
    'セッションのフォルダー（複数可）。既定: ~/.claude/projects。',
  'Project folders to sync, with their subfolders, e.g. "~/work/*"; without / it matches the folder name. Default: all.':
    '同期するプロジェクトのフォルダー（サブフォルダーを含む。例: "~/work/*"）。/のないものはフォルダー名に一致します。既定: すべて。',
  'Project folders to exclude, with their subfolders.': 'サブフォルダーごと除外するプロジェクトのフォルダー。',
  'How many KB to keep of each tool input and output; 0 keeps none. Default: 4.':
    'ツールの入力と出力をそれぞれ何KBまで残すか。0で残しません。既定: 4。',
  'Folder or folders with the sessions. Default: ~/.codex.': 'セッションのフォルダー（複数可）。既定: ~/.codex。',
  "Folder or folders with the sessions. Default: Cursor's User folder and ~/.cursor.":
    'セッションのフォルダー（複数可）。既定: CursorのUserフォルダーと~/.cursor。',
  'Folder or folders with the sessions. Default: the User folder of Code, Code - Insiders and VSCodium.':
    'セッションのフォルダー（複数可）。既定: Code、Code - Insiders、VSCodiumのUserフォルダー。',
  'Folder or folders with the sessions. Default: ~/.gemini.': 'セッションのフォルダー（複数可）。既定: ~/.gemini。',
  'Folder or folders with the sessions. Default: ~/.local/share/opencode.':
    'セッションのフォルダー（複数可）。既定: ~/.local/share/opencode。',
  'History databases to sync. Default: those of every browser and profile on this machine.':
    '同期する履歴データベース。既定: このコンピューターのすべてのブラウザとプロフィール。',
  'Sync only these domains and their subdomains; can include domains that are excluded by default, such as banks.':
    'これらのドメインとサブドメインだけを同期します。銀行など、既定で除外されるドメインも指定できます。',
  'Domains to exclude, in addition to banks, health, adult and sign-in pages and private networks.':
    '銀行、医療、アダルト、サインインのページ、プライベートネットワークに加えて除外するドメイン。',
  'Folders to sync, with their subfolders. Default: those of ~/Documents, ~/docs, ~/Docs, ~/notes, ~/Notes, ~/wiki.':
    '同期するフォルダー（サブフォルダーを含む）。既定: ~/Documents、~/docs、~/Docs、~/notes、~/Notes、~/wikiのうち存在するもの。',
  'Patterns of files to sync, e.g. "handbook/**" or "*.md"; a pattern without / matches file names. Default: all.':
    '同期するファイルのパターン（例: "handbook/**"、"*.md"）。/のないパターンはファイル名に一致します。既定: すべて。',
  'Patterns of files and folders to exclude, in addition to hidden ones and those that tools generate.':
    '隠しファイルやツールが生成するものに加えて除外するファイルとフォルダーのパターン。',
  'Largest file to sync. Default and maximum: 10 for text files, 20 for PDFs.':
    '同期する最大のファイルサイズ。既定および上限: テキストファイルは10、PDFは20。',
  '`true`: follow symbolic links. Default: false.': '`true`: シンボリックリンクをたどります。',
  '`false`: also sync files that git ignores in a repository. Default: true.':
    '`false`: リポジトリでgitが無視するファイルも同期します。',
  '`false`: skip images. Otherwise the text in PNG, JPEG, TIFF and WebP files of more than 4 KB is read, unless `ocr` is off. Default: true.':
    '`false`: 画像を除外します。それ以外は、`ocr`がオフでない限り、4 KBを超えるPNG、JPEG、TIFF、WebPの文字を読み取ります。',
  'Folders to sync, with their subfolders. Default: those of ~/Documents.':
    '同期するフォルダー（サブフォルダーを含む）。既定: ~/Documents。',
  'Folders of your vaults, e.g. ["~/Documents/Notes"].': '保管庫のフォルダー（例: ["~/Documents/Notes"]）。',
  '`false`: create no digests. Default: true.': '`false`: まとめを作成しません。',
  'Folders to sync, with their subfolders. Default: none; only digests are created.':
    '同期するフォルダー（サブフォルダーを含む）。既定: なし（まとめだけを作成）。',
  'Your exports from ChatGPT, Claude and Gemini (Google Takeout): .zip files, or folders with them, packed or unpacked. recalld never changes them.':
    'ChatGPT、Claude、Gemini（Google Takeout）のエクスポート：.zipファイル、またはそれを入れたフォルダー（展開済みも可）。recalldが変更することはありません。',
  'Chats exported from WhatsApp (.zip or .txt), Telegram Desktop (result.json) and Signal (main.jsonl), or the database of Messages on a Mac (chat.db): files, or folders with them.':
    'WhatsApp（.zipまたは.txt）、Telegram Desktop（result.json）、Signal（main.jsonl）からエクスポートしたチャット、またはMacの「メッセージ」のデータベース（chat.db）：ファイル、またはそれを入れたフォルダー。',
  'Names of chats to exclude, e.g. ["Family*"]; `*` matches any text.':
    '除外するチャットの名前（例: ["Family*"]）。`*`は任意の文字列。',
  'Where recalld listens for lines: path of a Unix socket (0600), or a port on 127.0.0.1.':
    'recalldが行を待ち受ける場所。Unixソケットのパス（0600）または127.0.0.1のポート。',
  'Addresses of RSS, Atom or JSON feeds, e.g. ["{url}"].': 'RSS、Atom、JSONフィードのアドレス（例: ["{url}"]）。',
  'Addresses of calendars in iCalendar format, e.g. ["{url}"]. Keep secret addresses secret.':
    'iCalendar形式のカレンダーのアドレス（例: ["{url}"]）。秘密のアドレスは他人に知られないようにしてください。',
  'CalDAV server, e.g. cloud.example.org or caldav.fastmail.com. Default: that of the mail address in `user`.':
    'CalDAVサーバー（例: cloud.example.org、caldav.fastmail.com）。既定: `user`のメールアドレスのサーバー。',
  'Your user name at the server, usually your mail address.': 'サーバーでのユーザー名（通常はメールアドレス）。',
  'Names of calendars to exclude, e.g. ["Birthdays", "Team*"]; `*` matches any text.':
    '除外するカレンダーの名前（例: ["Birthdays", "Team*"]）。`*`は任意の文字列。',
  'Mail server, e.g. imap.fastmail.com.': 'メールサーバー（例: imap.fastmail.com）。',
  'Port of the server. Default: 993, with STARTTLS 143.': 'サーバーのポート。既定: 993、STARTTLSの場合は143。',
  'How the connection is encrypted: tls, starttls, or none, which is allowed only for a server on this machine.':
    '接続の暗号化方式: tls、starttls、none。noneはこのコンピューターのサーバーでのみ使えます。',
  'Whether a second connection waits for new mail, which is then synced within seconds while recalld runs: in the inbox, or in the first of `folders`. Other folders and deletions follow on schedule.':
    '別の接続で新着メールを待つかどうか。recalldの実行中は、受信トレイまたは`folders`の先頭のフォルダーの新着が数秒で同期されます。他のフォルダーと削除はスケジュールどおりに反映されます。',
  'Sync only these folders, by their full path, e.g. ["INBOX", "Archive/2026"]; also trash or spam.':
    'これらのフォルダーだけを同期します。完全なパスで指定します（例: ["INBOX", "Archive/2026"]）。ゴミ箱や迷惑メールも指定できます。',
  'Exclude these folders and the folders inside them. Trash, spam and drafts are synced only if `folders` names them.':
    'これらのフォルダーと中のフォルダーを除外します。ゴミ箱、迷惑メール、下書きは`folders`で指定した場合だけ同期されます。',
}

/** The texts of connectors in Japanese, by their English ones; see `pages/sources/connector-texts.ts`. */
export const connectorTexts: Readonly<Record<string, string>> = {
  ...summaries,
  ...steps,
  ...about,
  ...limits,
  ...settings,
}
