/** What an item is, and when it is deleted. */
export const about: Readonly<Record<string, string>> = {
  'a conversation (one item per 20 messages), without quoted replies and signatures; attachments by name only':
    '会話（メッセージ20件ごとに1アイテム）。引用された返信と署名を除き、添付ファイルは名前のみ',
  'an event, or a series with its changed occurrences: when, where, who, and description':
    '予定、または変更された回を含む定期的な予定の日時、場所、参加者、説明',
  'a document with all tabs, a spreadsheet with all sheets, a presentation with its notes, each with its comments; a PDF, Office, OpenDocument or text file; shortcuts are followed; pictures, recordings, archives, forms and drawings are skipped':
    'すべてのタブを含むドキュメント、すべてのシートを含むスプレッドシート、ノートを含むプレゼンテーションと、それぞれのコメント。PDF、Office、OpenDocument、テキストの各ファイル。ショートカットの先も対象で、画像、録音・録画、アーカイブ、フォーム、図形描画は対象外',
  'the transcript of a recorded meeting': '録画された会議の文字起こし',
  'half an hour of a transcript; the notes Gemini took in a meeting: their text if access to Drive was granted too (`gdocs`), otherwise a link':
    '文字起こしの30分間。Geminiが会議で取ったメモは、ドライブへのアクセスも許可した場合は本文（`gdocs`）、それ以外はリンク',
  'a task with its subtasks, including completed ones': 'タスクとそのサブタスク（完了済みを含む）',
  'a person: names, addresses, work, birthdays, relations, notes': '人物の名前、住所、勤務先、誕生日、関係、メモ',
  'a video you liked or saved to a playlist; a playlist with its first 50 videos; all subscriptions in one item; the videos you watched on one day':
    '高く評価した動画または再生リストに保存した動画。再生リストと最初の50本の動画。すべてのチャンネル登録で1アイテム。1日に視聴した動画',
  'a day of photos from exports, with albums, people, places and captions; a photo you picked; never the picture itself':
    'エクスポートに含まれる1日分の写真のアルバム、人物、場所、キャプション。選択した写真。画像そのものは含みません',
  'a book on a shelf, with your review; a highlight or note in a book; not the shelves that Google fills (recently viewed, recommended, browsing history)':
    '本棚の本とあなたのレビュー。本のハイライトやメモ。Googleが自動で入れる本棚（最近見た本、おすすめ、閲覧履歴）は対象外',
  'a day in numbers: steps, distance, energy, heart rate, weight, sleep; an exercise':
    '1日の数値（歩数、距離、エネルギー、心拍数、体重、睡眠）。運動',
  'a conversation (one item per 20 mails), with the mails of all folders; attachments by name only':
    '会話（メール20通ごとに1アイテム）。すべてのフォルダーのメールを含み、添付ファイルは名前のみ',
  'an event, or a series with its exceptions; cancelled events are marked':
    '予定、または例外を含む定期的な予定。キャンセルされた予定には印が付きます',
  'a thread of a channel, also of one that another team shares with yours or with you; with `direct_messages`, a chat on one day (UTC)':
    'チャネルのスレッド（他のチームがあなたのチームやあなたと共有しているものを含む）。`direct_messages`を有効にすると、1日ごとのチャット（UTC）',
  'one file with text: Office, OpenDocument, PDF, Markdown, HTML, text':
    '文字を含むファイル1件: Office、OpenDocument、PDF、Markdown、HTML、テキスト',
  'one file with text; one published page; one entry of a list in `lists`':
    '文字を含むファイル1件、公開済みのページ1件、または`lists`のリストの項目1件',
  'a thread; the other messages of a channel on one day (UTC)':
    'スレッド。チャンネルのその他のメッセージは1日ごと（UTC）',
  'an issue, pull request or discussion (one item per 60 comments), a release, a text file of the default branch':
    'Issue、プルリクエスト、ディスカッション（コメント60件ごとに1アイテム）、リリース、既定のブランチのテキストファイル',
  'a task with its comments and a list of its subtasks; a project with its description, brief and status updates':
    'タスクとそのコメント、サブタスクの一覧。プロジェクトの説明、概要、ステータス報告',
  'an issue with its description, state and comments': 'Issueまたは課題の説明、状態、コメント',
  'a page with its text, or an entry of a database with its properties; files by name only':
    'ページの本文、またはデータベースの項目とそのプロパティ。ファイルは名前のみ',
  'a page with its text; files by name only': 'ページの本文。ファイルは名前のみ',
  'an issue or merge request with its description, state and comments':
    'Issueまたはマージリクエストの説明、状態、コメント',
  'about 20 prompts of a session, with the answers': 'セッションのプロンプト約20件と回答',
  'the pages of one site on one day': '1つのサイトで1日に見たページ',
  'one Markdown, text, HTML, PDF, Word, PowerPoint, Excel or OpenDocument file, or an image with text':
    'Markdown、テキスト、HTML、PDF、Word、PowerPoint、Excel、OpenDocumentのファイル1件、または文字を含む画像1件',
  'one text, Markdown, Word, OpenDocument text, mail, calendar or contact file':
    'テキスト、Markdown、Word、OpenDocumentテキスト、メール、カレンダー、連絡先のファイル1件',
  'one PDF file': 'PDFファイル1件',
  'a note with its properties, tags and links; a daily note on its day; the cards of a canvas; not templates, comments and query results':
    'ノートとそのプロパティ、タグ、リンク。デイリーノートはその日付で。キャンバスのカード。テンプレート、コメント、クエリの結果は対象外',
  'a digest of the items memorized in one week, or a file': '1週間に保存されたアイテムのまとめ、またはファイル1件',
  'about 20 prompts of a conversation, with the answers; of edited prompts and repeated answers, those that are shown; with Gemini, what you asked on one day (UTC)':
    '会話のプロンプト約20件と回答。編集や再生成があった場合は表示されているもの。Geminiは1日に質問した内容（UTC）',
  'a chat on one day; names of files instead of pictures and recordings; no system messages':
    '1日分のチャット。写真や録音の代わりにファイル名。システムメッセージは含みません',
  'one line of JSON; a later line with the same `id` replaces it': 'JSONの1行。同じ`id`の行が後から届くと置き換えます',
  'a feed entry, with the text in the feed': 'フィードの記事とその本文',
  'a mail, without quoted replies and signatures; attachments by name only':
    'メール。引用された返信と署名を除き、添付ファイルは名前のみ',
  'at the next sync, also when it is moved to trash or spam; drafts and chats are never synced, promotions and social mail only if exclude_categories allows it':
    '次回の同期で削除（ゴミ箱や迷惑メールへの移動を含む）。下書きとチャットは同期されません。プロモーションとソーシャルはexclude_categoriesで許可した場合のみ同期されます',
  'at the next sync; also the events of a calendar you remove from your list':
    '次回の同期で削除。リストから外したカレンダーの予定も同様',
  'at the next sync when it is deleted, moved to the trash or no longer accessible; within a week when only a folder above it was deleted':
    '削除、ゴミ箱への移動、アクセス権の喪失は次回の同期で。上位のフォルダーだけが削除された場合は1週間以内',
  'never: recordings are often deleted by a rule of the account, the memory is kept':
    '削除しません。録画はアカウントのルールで削除されることが多いため、メモリーは残ります',
  'never: Google deletes every record after 30 days, the memory is kept':
    '削除しません。Googleは記録を30日後に削除しますが、メモリーは残ります',
  'deleted tasks and lists at the next sync; tasks that left a list unreported, such as some moved tasks, within an hour':
    '削除されたタスクとリストは次回の同期で。通知なくリストから外れたタスク（移動されたものなど）は1時間以内',
  'at the next sync, a few minutes after the deletion; merged contacts become one':
    '削除の数分後、次回の同期で。統合された連絡先は1つになります',
  'videos removed from every playlist: within a week; playlists: at the next sync; watched videos: never':
    'どの再生リストにもなくなった動画は1週間以内、再生リストは次回の同期で。視聴した動画は削除しません',
  'never: exports and picked photos are copies': '削除しません。エクスポートと選択した写真はコピーです',
  'books, shelves and reviews within a day; highlights and notes at the next sync':
    '本、本棚、レビューは1日以内、ハイライトとメモは次回の同期で',
  'days and exercises of the last 7 days: at the next sync; older ones and those from exports are kept':
    '直近7日間の日と運動は次回の同期で。それ以前とエクスポートの分は残ります',
  'mails that are deleted, moved to Deleted Items, or moved to a folder that is not synced: at the next sync':
    '削除されたメール、「削除済みアイテム」や同期しないフォルダーに移動したメールは次回の同期で',
  'events from last month to a year from now: at the next sync; others within a day':
    '先月から1年後までの予定は次回の同期で、それ以外は1日以内',
  'deleted messages, and teams and chats you leave, at the next sync':
    '削除されたメッセージ、退出したチームとチャットは次回の同期で',
  'deleted files at the next sync; files in a folder renamed into or out of an excluded one with `recalld sync ms-onedrive --full`':
    '削除されたファイルは次回の同期で。フォルダー名の変更で除外対象に出入りしたファイルは`recalld sync ms-onedrive --full`で',
  'at the next sync, also everything in sites you no longer follow; files in a folder renamed into or out of an excluded one with `recalld sync ms-sharepoint --full`':
    '次回の同期で。フォローを解除したサイトの内容も同様。フォルダー名の変更で除外対象に出入りしたファイルは`recalld sync ms-sharepoint --full`で',
  'deleted messages: the newest 200 or so in a channel and those of the last 14 days at the next sync, those of the last 90 days within a week, older ones with `recalld sync slack --full` (a thread is as old as its first message); channels you leave or exclude: at the next sync; messages hidden by the plan of the workspace: never':
    '削除されたメッセージは、チャンネルの最新約200件と過去14日間の分は次回の同期で、過去90日間の分は1週間以内、それ以前は`recalld sync slack --full`で（スレッドの日付は最初のメッセージで決まります）。退出または除外したチャンネルは次回の同期で。ワークスペースのプランで非表示になったメッセージは削除しません',
  'within a day; files at the next sync after a push': '1日以内。ファイルはプッシュ後の次回の同期で',
  'tasks in projects at the next sync, your own tasks without a project within a day; anything you exclude or lose access to at the next sync':
    'プロジェクトのタスクは次回の同期で、プロジェクトのない自分のタスクは1日以内。除外したものやアクセス権を失ったものは次回の同期で',
  'issues in the trash at the next sync, deleted ones within a day; archived ones stay':
    'ゴミ箱のIssueは次回の同期で、削除されたものは1日以内。アーカイブ済みは残ります',
  'within a day, also when a page is no longer shared with the integration':
    '1日以内。インテグレーションとの共有を解除したページも同様',
  'within a day': '1日以内',
  'never, because tools delete old sessions on their own':
    '削除しません。ツールが古いセッションを自動で削除するためです',
  'never; cleared or expired history is kept, unless you exclude its site':
    '削除しません。サイトを除外しない限り、消去または期限切れの履歴も残ります',
  'when the file is deleted, moved or excluded': 'ファイルが削除、移動、除外されたとき',
  'when the note is deleted, moved or excluded': 'ノートが削除、移動、除外されたとき',
  'when the file is deleted; digests are kept': 'ファイルが削除されたとき。まとめは残ります',
  'never, because exports are copies': '削除しません。エクスポートはコピーです',
  'by a line with its `id` and `"deleted": true`': 'その`id`と`"deleted": true`の行を送ったとき',
  never: '削除しません',
  'an event that was still to come: at the next sync; past events are kept, because feeds drop them':
    'これからの予定は次回の同期で。過去の予定はフィードから消えるため残します',
  'at the next sync, past events too': '次回の同期で。過去の予定も同様',
  'within six hours, also when it is moved to trash or spam; a mail that moves to another folder stays':
    '6時間以内（ゴミ箱や迷惑メールへの移動を含む）。他のフォルダーに移動したメールは残ります',
}
