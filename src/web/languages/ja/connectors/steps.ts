/** How to get access to each source. */
export const steps: Readonly<Record<string, string>> = {
  'Open this link, choose your workspace and create the app; its read-only scopes are filled in: {url}':
    'このリンクを開き、ワークスペースを選んでアプリを作成します。読み取り専用のスコープは入力済みです: {url}',
  'To sync direct messages too (`direct_messages: true`), open this link instead: {url}':
    'ダイレクトメッセージも同期するには（`direct_messages: true`）、代わりにこのリンクを開きます: {url}',
  'Choose "Install App" and install it in your workspace. If Slack says "Request to install", an administrator approves it under "Manage apps"; until then there is no token.':
    '「Install App」を選び、ワークスペースにインストールします。「Request to install」と表示された場合は、管理者が「Manage apps」で承認するまでトークンは発行されません。',
  'Copy the "User OAuth Token"; it starts with xoxp-.': '「User OAuth Token」をコピーします。xoxp-で始まります。',
  'Open this link for a fine-grained token; name, expiration and read-only permissions are filled in: {url}':
    'このリンクを開いてfine-grainedトークンを作成します。名前、有効期限、読み取り専用の権限は入力済みです: {url}',
  'Choose the owner of the repositories and the repositories to sync. The permissions are: Metadata, Issues, Pull requests, Contents, Discussions.':
    'リポジトリの所有者と、同期するリポジトリを選びます。必要な権限: Metadata、Issues、Pull requests、Contents、Discussions。',
  'Generate the token and copy it; it starts with github_pat_. For an organization, an owner may have to approve it first, under "Personal access tokens", "Pending requests"; until then its private repositories are missing.':
    'トークンを生成してコピーします。github_pat_で始まります。組織の場合は、所有者が「Personal access tokens」の「Pending requests」で承認する必要がある場合があります。承認されるまで、非公開リポジトリは同期されません。',
  'Open {url} and choose "Create new token" under "Personal access tokens".':
    '{url} を開き、「Personal access tokens」で「Create new token」を選びます。',
  'Name it recalld, create it and copy it; Asana shows it only once. It has the same access as you and does not expire. If your organization blocks tokens, an administrator allows them in the admin console under "Apps".':
    '名前をrecalldにして作成し、コピーします。Asanaでは一度しか表示されません。あなたと同じアクセス権を持ち、期限はありません。組織でトークンが禁止されている場合は、管理者が管理コンソールの「Apps」で許可できます。',
  'Open {url} and create a personal API key with the permission "Read" only.':
    '{url} を開き、権限が「Read」だけの個人APIキーを作成します。',
  'Copy the key; it starts with lin_api_. If there is no such button, an administrator has switched off personal keys under "Administration", "API".':
    'キーをコピーします。lin_api_で始まります。ボタンがない場合は、管理者が「Administration」の「API」で個人キーを無効にしています。',
  'Open {url}, "New integration", type "Internal", and choose your workspace. Only workspace owners may; ask one otherwise.':
    '{url} を開き、「New integration」で種類「Internal」を選び、ワークスペースを指定します。ワークスペースの所有者だけが作成できます。所有者でない場合は依頼してください。',
  'Under "Capabilities", leave only "Read content" and "Read user information without email addresses".':
    '「Capabilities」では「Read content」と「Read user information without email addresses」だけを残します。',
  'Under "Access", choose the pages to sync; pages inside them are included.':
    '「Access」で同期するページを選びます。その下のページも含まれます。',
  'Copy the "Internal Integration Secret"; it starts with ntn_ or secret_.':
    '「Internal Integration Secret」をコピーします。ntn_またはsecret_で始まります。',
  'Your site and email address go into the settings `site` and `user`: --set site={url} --set user=ada@acme.test':
    'サイトとメールアドレスは設定`site`と`user`に入力します: --set site={url} --set user=ada@acme.test',
  'Open {url} and choose "Create API token" (the one without scopes), with the longest expiration.':
    '{url} を開き、「Create API token」（スコープなし）を選び、有効期限を最長にします。',
  'Copy the token. If tokens are switched off, an organization administrator allows them under "Security", "API token settings".':
    'トークンをコピーします。トークンが無効になっている場合は、組織の管理者が「Security」の「API token settings」で許可できます。',
  'Open {url} (or the same page of your own GitLab, which goes into the setting `site`); name and scope are filled in.':
    '{url} を開きます（自分のGitLabの場合は同じページを開き、そのアドレスを設定`site`に入力します）。名前とスコープは入力済みです。',
  'Choose an expiration, create the token and copy it; it starts with glpat-. If a group forbids personal tokens, ask an owner for a group access token with the role Reporter and the scope read_api.':
    '有効期限を選び、トークンを作成してコピーします。glpat-で始まります。グループで個人トークンが禁止されている場合は、ロールReporterとスコープread_apiのグループアクセストークンを所有者に依頼してください。',
  'Open {url} and create a "Server-to-Server OAuth App". Only people with a role for developers may; an administrator of your account creates it otherwise.':
    '{url} を開き、「Server-to-Server OAuth App」を作成します。開発者向けのロールを持つ人だけが作成できます。持っていない場合は、アカウントの管理者が作成します。',
  'Under "Scopes", add cloud_recording:read:list_user_recordings:admin, cloud_recording:read:list_recording_files:admin and user:read:user:admin, then activate the app.':
    '「Scopes」でcloud_recording:read:list_user_recordings:admin、cloud_recording:read:list_recording_files:admin、user:read:user:adminを追加し、アプリを有効にします。',
  'Its "Account ID" and "Client ID" go into the settings `account_id` and `client_id`, your email address into `user`. Paste the "Client Secret" here.':
    '「Account ID」と「Client ID」は設定`account_id`と`client_id`に、メールアドレスは`user`に入力します。ここに「Client Secret」を貼り付けます。',
  'Set `user` to your user name, usually your mail address. Set `server` to the address of your Nextcloud or your own server; those of Fastmail and iCloud are found automatically.':
    '`user`にユーザー名（通常はメールアドレス）、`server`にNextcloudまたは自分のサーバーのアドレスを入力します。FastmailとiCloudのサーバーは自動で見つかります。',
  'Create an app password in the security settings of your account. If your provider has none, use your usual password.':
    'アカウントのセキュリティ設定でアプリパスワードを作成します。作成できない場合は、通常のパスワードを使います。',
  'Paste that password here. If the right one is refused, an administrator has switched off this access or app passwords, and can allow them.':
    'そのパスワードをここに貼り付けます。正しいパスワードが拒否される場合は、管理者がこのアクセスまたはアプリパスワードを無効にしています。管理者が許可できます。',
  'Look up the IMAP server of your provider, e.g. imap.fastmail.com. It goes into the setting `host`, your user name into `user`.':
    'プロバイダーのIMAPサーバー（例: imap.fastmail.com）を調べ、設定`host`に入力します。ユーザー名は`user`に入力します。',
  'Create an app password in the security settings of your mail account. If your provider has none, use your usual password.':
    'メールアカウントのセキュリティ設定でアプリパスワードを作成します。作成できない場合は、通常のパスワードを使います。',
  'Open {url} and create or choose a project.': '{url} を開き、プロジェクトを作成または選択します。',
  'Open this link, choose the project, and enable all APIs at once: {url} (or only those of your sources under "APIs & Services", "Library").':
    'このリンクを開き、プロジェクトを選んですべてのAPIをまとめて有効にします: {url}（または「APIs & Services」の「Library」で必要なソースの分だけ）。',
  'Under "Google Auth Platform", choose "Get started": enter a name and your email address, and choose "Internal" in your own Workspace, otherwise "External".':
    '「Google Auth Platform」で「Get started」を選び、名前とメールアドレスを入力します。自分のWorkspace内なら「Internal」、それ以外は「External」を選びます。',
  'Under "Audience", set the publishing status to "In production". While it is "Testing", access expires after 7 days.':
    '「Audience」で公開ステータスを「In production」にします。「Testing」のままではアクセスが7日で切れます。',
  'Under "Clients", create a client of type "Desktop app", and copy its ID and secret.':
    '「Clients」で種類「Desktop app」のクライアントを作成し、IDとシークレットをコピーします。',
  'Open {url}, "App registrations", "New registration". If that is switched off, an administrator registers the app or gives you the role Application Developer.':
    '{url} を開き、「App registrations」の「New registration」を選びます。無効になっている場合は、管理者がアプリを登録するか、あなたにロールApplication Developerを付与します。',
  'Choose who can use it: accounts in your organization, in any organization, or personal accounts too.':
    '利用できる人を選びます: 自分の組織、任意の組織、または個人アカウントも含む。',
  'As redirect URI, choose "Public client/native (mobile & desktop)" and enter {url}':
    'リダイレクトURIに「Public client/native (mobile & desktop)」を選び、{url} を入力します',
  'For --device, set "Allow public client flows" to "Yes" under "Authentication".':
    '--deviceを使う場合は、「Authentication」で「Allow public client flows」を「Yes」にします。',
  'Copy the "Application (client) ID". You need no secret.':
    '「Application (client) ID」をコピーします。シークレットは不要です。',
  'If the sign-in says "Need admin approval", an administrator opens the app under "Enterprise applications" and chooses "Permissions", "Grant admin consent". By default, only administrators can agree to mail, calendars, files and Teams for apps of other organizations.':
    'サインイン時に「Need admin approval」と表示された場合は、管理者が「Enterprise applications」でアプリを開き、「Permissions」の「Grant admin consent」を選びます。既定では、ほかの組織のアプリにメール、予定表、ファイル、Teamsを許可できるのは管理者だけです。',
  'If your Workspace blocks the app at the sign-in, an administrator trusts its client ID in the admin console under "Security", "API controls".':
    'サインイン時にWorkspaceがアプリをブロックする場合は、管理者が管理コンソールの「Security」の「API controls」でクライアントIDを信頼済みにします。',
  'Open this link, choose your workspace and create the app; its redirect URL and read-only scopes are filled in: {url}':
    'このリンクを開き、ワークスペースを選んでアプリを作成します。リダイレクトURLと読み取り専用のスコープは入力済みです: {url}',
  'To sync direct messages too (`direct_messages: true`), add the scopes im:read, im:history, mpim:read and mpim:history under "OAuth & Permissions", "User Token Scopes".':
    'ダイレクトメッセージも同期するには（`direct_messages: true`）、「OAuth & Permissions」の「User Token Scopes」でスコープim:read、im:history、mpim:read、mpim:historyを追加します。',
  'Under "Basic Information", copy "Client ID" and "Client Secret". If Slack says "Request to install" at the sign-in, an administrator approves the app under "Manage apps".':
    '「Basic Information」で「Client ID」と「Client Secret」をコピーします。サインイン時に「Request to install」と表示された場合は、管理者が「Manage apps」でアプリを承認します。',
  'Open {url} for an OAuth app.': '{url} を開き、OAuthアプリを作成します。',
  'As "Authorization callback URL", enter {url}. To sign in with a code, select "Enable Device Flow".':
    '「Authorization callback URL」に {url} を入力します。コードでサインインする場合は「Enable Device Flow」を選びます。',
  'Copy the client ID, and generate a client secret. If an organization restricts OAuth apps, an owner approves this one under "Third-party access", "OAuth app policy"; until then its private repositories are missing.':
    'クライアントIDをコピーし、クライアントシークレットを生成します。組織がOAuthアプリを制限している場合は、所有者が「Third-party access」の「OAuth app policy」でこのアプリを承認します。承認されるまで、非公開リポジトリは同期されません。',
  'Open {url} and create an app.': '{url} を開き、アプリを作成します。',
  'Under "OAuth", add the redirect URL and the scopes from docs/connect/asana.md.':
    '「OAuth」で、リダイレクトURLとdocs/connect/asana.mdのスコープを追加します。',
  'Copy "Client ID" and "Client secret". If your organization blocks the app at the sign-in, an administrator allows it in the admin console under "Apps".':
    '「Client ID」と「Client secret」をコピーします。サインイン時に組織がアプリをブロックする場合は、管理者が管理コンソールの「Apps」で許可できます。',
  '`recalld connect google` with the API "Gmail API" enabled, scope gmail.readonly':
    '`recalld connect google`（「Gmail API」を有効にし、スコープはgmail.readonly）',
  '`recalld connect google` with the API "Google Calendar API" enabled, scope calendar.readonly':
    '`recalld connect google`（「Google Calendar API」を有効にし、スコープはcalendar.readonly）',
  '`recalld connect google`, with the APIs of Google Drive, Docs, Sheets and Slides enabled':
    '`recalld connect google`（Googleドライブ、ドキュメント、スプレッドシート、スライドのAPIを有効に）',
  '`recalld connect google`, with the Google Meet API enabled, and a Workspace edition with transcripts; after 30 days only the Google Doc of a transcript is left, which `gdocs` syncs':
    '`recalld connect google`（Google Meet APIを有効に）と、文字起こしに対応したWorkspaceのエディション。30日後には文字起こしのGoogleドキュメントだけが残り、`gdocs`が同期します',
  '`recalld connect google` with the API "Google Tasks" enabled, scope tasks.readonly':
    '`recalld connect google`（API「Google Tasks」を有効にし、スコープはtasks.readonly）',
  '`recalld connect google` with the API "People API" enabled, scope contacts.readonly (and contacts.other.readonly with other_contacts)':
    '`recalld connect google`（「People API」を有効にし、スコープはcontacts.readonly。other_contactsを使う場合はcontacts.other.readonlyも）',
  '`recalld connect google --sources youtube` with the API "YouTube Data API v3" enabled, scope youtube.readonly; for videos you watched: Google Takeout exports in the `takeout` folder':
    '`recalld connect google --sources youtube`（「YouTube Data API v3」を有効にし、スコープはyoutube.readonly）。視聴した動画には、`takeout`フォルダーのGoogle Takeoutのエクスポート',
  'Google Takeout exports in the `takeout` folder; or, in a separate connection, picked photos: `recalld connect google --sources photos` with the API "Google Photos Picker API" enabled, scope photospicker.mediaitems.readonly, then `recalld photos pick`':
    '`takeout`フォルダーのGoogle Takeoutのエクスポート。または別の接続で選択した写真: `recalld connect google --sources photos`（「Google Photos Picker API」を有効にし、スコープはphotospicker.mediaitems.readonly）、続いて`recalld photos pick`',
  '`recalld connect google --sources books` with the API "Books API" enabled, scope books':
    '`recalld connect google --sources books`（「Books API」を有効にし、スコープはbooks）',
  '`recalld connect google --sources fit` with the API "Google Health API" enabled, scopes googlehealth.activity_and_fitness.readonly, .sleep.readonly, .health_metrics_and_measurements.readonly; or exports of Google Fit or Health Connect in the `takeout` folder':
    '`recalld connect google --sources fit`（「Google Health API」を有効にし、スコープはgooglehealth.activity_and_fitness.readonly、.sleep.readonly、.health_metrics_and_measurements.readonly）。または`takeout`フォルダーのGoogle FitかHealth Connectのエクスポート',
  '`recalld connect microsoft`; the permission Mail.Read': '`recalld connect microsoft`とアクセス許可Mail.Read',
  '`recalld connect microsoft`; the permission Calendars.Read':
    '`recalld connect microsoft`とアクセス許可Calendars.Read',
  "`recalld connect ms-teams` with a work or school account; the permissions Team.ReadBasic.All, Channel.ReadBasic.All, ChannelMessage.Read.All, which needs an administrator's consent, and Chat.Read for chats":
    '`recalld connect ms-teams`と職場または学校のアカウント。アクセス許可はTeam.ReadBasic.All、Channel.ReadBasic.All、管理者の同意が必要なChannelMessage.Read.All、チャットにはChat.Read',
  '`recalld connect microsoft`; the permission Files.Read': '`recalld connect microsoft`とアクセス許可Files.Read',
  "`recalld connect ms-sharepoint`; the permission Sites.Read.All, which often needs an administrator's consent":
    '`recalld connect ms-sharepoint`とアクセス許可Sites.Read.All（多くの場合、管理者の同意が必要）',
  'sessions on this machine (~/.claude/projects)': 'このコンピューターのセッション（~/.claude/projects）',
  'sessions on this machine (~/.codex)': 'このコンピューターのセッション（~/.codex）',
  "sessions on this machine (Cursor's User folder and ~/.cursor)":
    'このコンピューターのセッション（CursorのUserフォルダーと~/.cursor）',
  'sessions on this machine (the User folder of Code, Code - Insiders and VSCodium)':
    'このコンピューターのセッション（Code、Code - Insiders、VSCodiumのUserフォルダー）',
  'sessions on this machine (~/.gemini)': 'このコンピューターのセッション（~/.gemini）',
  'sessions on this machine (~/.local/share/opencode)': 'このコンピューターのセッション（~/.local/share/opencode）',
  'nothing; Safari needs Full Disk Access for the program that runs recalld':
    'nothing。Safariには、recalldを実行するプログラムへの「フルディスクアクセス」が必要です',
  'nothing; syncs ~/Documents, ~/docs, ~/Docs, ~/notes, ~/Notes, ~/wiki unless `paths` is set':
    'nothing。`paths`を指定しない場合は~/Documents、~/docs、~/Docs、~/notes、~/Notes、~/wikiを同期します',
  'nothing; syncs ~/Documents unless `paths` is set': 'nothing。`paths`を指定しない場合は~/Documentsを同期します',
  'the folder of a vault; exclude it from `technical_docs` if that reads it too':
    '保管庫のフォルダー（`technical_docs`でも読み取られる場合は、そこから除外してください）',
  'nothing; `paths` for updates you write yourself': 'nothing。自分で書く報告には`paths`を指定します',
  'exports, as files or in a folder': 'エクスポート（ファイル、またはそれを入れたフォルダー）',
  'nothing for `recalld sync stream < file`; `socket` to listen':
    'nothing（`recalld sync stream < ファイル`の場合）。待ち受けるには`socket`を指定します',
  'the addresses of the feeds': 'フィードのアドレス',
  'the addresses of the calendars': 'カレンダーのアドレス',
}
