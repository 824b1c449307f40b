/** Limits of the sources, and APIs that are described in words. */
export const limits: Readonly<Record<string, string>> = {
  '6,000 quota units per minute (projects created before May 2026: 15,000); reading a conversation costs 10, a list of 500 costs 10, a run without changes 3':
    '1分あたり6,000割り当て単位（2026年5月より前に作成したプロジェクトは15,000）。会話1件の読み取りは10、500件の一覧は10、変更のない実行は3',
  'quotas per minute, for the project and the person; 2,500 events per request, and two requests for each changed series':
    'プロジェクトとユーザーごとに1分あたりの割り当て。1リクエストで2,500件の予定、変更された繰り返し予定ごとに2リクエスト',
  'PDFs up to 20 MB, other files up to 10 MB; the first 5,000 rows and 100 columns of a sheet, the first 1,000,000 characters of a spreadsheet':
    'PDFは20 MBまで、その他のファイルは10 MBまで。シートの最初の5,000行と100列、スプレッドシートの最初の1,000,000文字',
  'records are kept for 30 days': '記録は30日間保持されます',
  'one request per 100 tasks; at most 20,000 open tasks in a list':
    'タスク100件ごとに1リクエスト。1つのリストにつき未完了のタスクは20,000件まで',
  'a sync token expires 7 days after the last full sync; the first page of a full sync has its own quota':
    '同期トークンは最後の完全同期の7日後に失効します。完全同期の最初のページには別の割り当てがあります',
  '10,000 units per day, until midnight Pacific Time: a run costs one per playlist, a full sync two per 50 videos; no API lists watched videos or Watch Later':
    '太平洋時間の午前0時まで1日10,000単位：実行は再生リストごとに1、完全同期は動画50本ごとに2。視聴済みの動画や「後で見る」を一覧できるAPIはありません',
  'since 2025-03-31 no API lists a library; adding a .tgz archive makes recalld read all of them again, so .zip is faster':
    '2025年3月31日以降、ライブラリを一覧できるAPIはありません。.tgz を追加するとrecalldはすべてを読み直すため、.zip の方が速くなります',
  '40 books per request; Google does not list books removed from a shelf':
    '1リクエストで40冊。本棚から外した本をGoogleは一覧に含めません',
  'heart rate and energy for at most 14 days per request; the Fit API accepts no new apps and shuts down at the end of 2026':
    '心拍数とエネルギーは1リクエストで最大14日分。Fit APIは新しいアプリを受け付けず、2026年末に終了します',
  'Graph reports only the ID of a permanently deleted mail, so the headers of all mails are listed again, 200 per request; in mailboxes with more than 4,000 mails at most once a minute for every 200; the texts of a first sync come 100 mails a request':
    'Graphは完全に削除されたメールのIDしか通知しないため、すべてのメールのヘッダーを1リクエスト200件ずつ取得し直します。4,000件を超えるメールボックスでは200件ごとに最大1分に1回。初回同期の本文は1リクエスト100件',
  'the dates of a view are fixed; Graph does not name the series of a deleted occurrence, which is known by its id':
    'ビューの期間は固定です。Graphは削除された回がどの繰り返し予定のものかを示さないため、IDで判別します',
  'channels that a team of another organization shares with you alone are not listed; Microsoft allows checking for changes once a day; delta goes back eight months, older messages are listed once':
    '別の組織のチームがあなただけと共有するチャネルは一覧に含まれません。変更の確認はMicrosoftにより1日1回まで。差分は8か月前まで、それより古いメッセージは一度だけ取得します',
  'SharePoint resource units; `Retry-After` is respected; text files up to 10 MB, PDFs up to 20 MB':
    'SharePointのリソース単位。`Retry-After` に従います。テキストファイルは10 MBまで、PDFは20 MBまで',
  'Slack gives apps that are distributed outside the Marketplace one request per minute, which is respected':
    'Slackはマーケットプレイス外で配布されるアプリを1分に1リクエストに制限しており、これに従います',
  '5,000 requests per hour; secondary limits are respected': '1時間に5,000リクエスト。二次的な制限にも従います',
  'Asana keeps events for 24 hours; after that the whole project is listed again. Changed subtasks are found through events, and for open tasks also in a daily comparison. Edited and deleted comments are found through events, otherwise when their task changes. 150 requests per minute without a paid plan':
    'Asanaはイベントを24時間保持し、それ以降はプロジェクト全体を取得し直します。変更されたサブタスクはイベントで、未完了のタスクについては毎日の比較でも見つけます。編集・削除されたコメントはイベントで、それ以外はタスクが変わったときに見つけます。有料プランでなければ1分に150リクエスト',
  'a month of recordings for each request; a new topic counts for seven days; chats, summaries and recordings on a computer are left out':
    '録画の一覧は1か月ごとに1回のリクエストです。変更された議題は7日間反映されます。チャット、要約、コンピューター上の録画は含まれません',
  'Linear limits requests and their complexity per hour, which is respected; deleted comments are noticed when their issue changes':
    'Linearは1時間あたりのリクエスト数と複雑さを制限しており、これに従います。削除されたコメントはIssueが変わったときに検出します',
  'three requests a second, which is respected; comments are left out; pages of more than 5,000 blocks are cut off':
    '1秒に3リクエストで、これに従います。コメントは対象外。5,000ブロックを超えるページは途中まで',
  '`Retry-After` is respected; files by name only; Jira Data Center is not supported':
    '`Retry-After` に従います。ファイルは名前のみ。Jira Data Centerには対応していません',
  '`Retry-After` is respected; comments and blog posts are left out; Confluence Data Center is not supported':
    '`Retry-After` に従います。コメントとブログ記事は対象外。Confluence Data Centerには対応していません',
  '`Retry-After` and `RateLimit-Reset` are respected; files and wikis are left out':
    '`Retry-After` と `RateLimit-Reset` に従います。ファイルとWikiは対象外',
  'sub-agents of Cursor, VS Code and Gemini CLI are skipped': 'Cursor、VS Code、Gemini CLIのサブエージェントは対象外',
  'Chrome keeps 90 days': 'Chromeが保持するのは90日間',
  'text files and images up to 10 MB, PDFs up to 20 MB': 'テキストファイルと画像は10 MBまで、PDFは20 MBまで',
  'files up to 10 MB': 'ファイルは10 MBまで',
  'of several states of a conversation the newest counts; files, pictures and projects are left out':
    '同じ会話の複数の版では最新のものを使います。ファイル、画像、プロジェクトは対象外',
  'WhatsApp writes times in the time zone of the phone, which is taken for that of recalld; of a day in several exports, the one with most messages counts; no disappearing messages of Signal, no reactions; files up to 256 MB, chat.db of any size':
    'WhatsAppの時刻は電話機のタイムゾーンで書かれ、recalldのタイムゾーンとみなします。複数のエクスポートにある日は、メッセージが最も多いものを使います。Signalの消えるメッセージとリアクションは対象外。ファイルは256 MBまで、chat.db は制限なし',
  'lines of at most 10 MB': '1行10 MBまで',
  '10 MiB and 30 s per feed; redirects from the internet to a private network are not followed':
    'フィードごとに10 MiB、30秒まで。インターネットからプライベートネットワークへのリダイレクトには従いません',
  '10 MiB and 30 s per calendar; redirects from the internet to a private network are not followed':
    'カレンダーごとに10 MiB、30秒まで。インターネットからプライベートネットワークへのリダイレクトには従いません',
  '50 events in a request; tasks and journals are left out; 32 MiB for one answer':
    '1リクエストで予定50件。タスクとジャーナルは対象外。1つの応答は32 MiBまで',
  'one connection, and with `push` another one that waits for new mail; of mails over 256 KiB only the texts are downloaded':
    '接続は1つ、`push` を使うと新着メールを待つ接続がもう1つ。256 KiBを超えるメールは本文だけをダウンロードします',
  'files of the tool on this machine': 'このマシンにあるツールのファイル',
  'copies of the history databases of Chromium browsers, Firefox and Safari':
    'Chromium系ブラウザー、Firefox、Safariの履歴データベースのコピー',
  'files on this machine': 'このマシンのファイル',
  'Markdown and canvas files on this machine; settings in .obsidian':
    'このマシンのMarkdownとCanvasのファイル。設定は .obsidian から',
  'the ledger of recalld; files': 'recalldの台帳。ファイル',
  'conversations.json of the exports of ChatGPT and Claude, activity of Gemini Apps as JSON in Google Takeout, in a .zip or unpacked':
    'ChatGPTとClaudeのエクスポートの conversations.json、Google TakeoutのGeminiアプリのアクティビティ（JSON）。.zip または展開済み',
  'text exports of WhatsApp and main.jsonl of Signal, in a .zip or unpacked; result.json of Telegram Desktop; chat.db of Messages, with the databases of Contacts for names':
    'WhatsAppのテキストエクスポートとSignalの main.jsonl（.zip または展開済み）、Telegram Desktopの result.json、メッセージの chat.db（名前は連絡先のデータベースから）',
  'lines of JSON, from standard input or a socket': '標準入力またはソケットからのJSONの行',
}
