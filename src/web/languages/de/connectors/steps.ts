/** How to get access to each source. */
export const steps: Readonly<Record<string, string>> = {
  'Open this link, choose your workspace and create the app; its read-only scopes are filled in: {url}':
    'Öffne diesen Link, wähle deinen Workspace und erstelle die App; ihre Leserechte sind schon eingetragen: {url}',
  'To sync direct messages too (`direct_messages: true`), open this link instead: {url}':
    'Um auch Direktnachrichten zu synchronisieren (`direct_messages: true`), öffne stattdessen diesen Link: {url}',
  'Choose "Install App" and install it in your workspace. If Slack says "Request to install", an administrator approves it under "Manage apps"; until then there is no token.':
    'Wähle „Install App“ und installiere sie in deinem Workspace. Wenn Slack „Request to install“ anzeigt, genehmigt ein Admin sie unter „Manage apps“; bis dahin gibt es kein Token.',
  'Copy the "User OAuth Token"; it starts with xoxp-.': 'Kopiere das „User OAuth Token“; es beginnt mit xoxp-.',
  'Open this link for a fine-grained token; name, expiration and read-only permissions are filled in: {url}':
    'Öffne diesen Link für ein fein abgestuftes Token; Name, Ablauf und Leserechte sind schon eingetragen: {url}',
  'Choose the owner of the repositories and the repositories to sync. The permissions are: Metadata, Issues, Pull requests, Contents, Discussions.':
    'Wähle den Besitzer der Repositorys und die Repositorys aus. Die Berechtigungen sind: Metadata, Issues, Pull requests, Contents, Discussions.',
  'Generate the token and copy it; it starts with github_pat_. For an organization, an owner may have to approve it first, under "Personal access tokens", "Pending requests"; until then its private repositories are missing.':
    'Erzeuge das Token und kopiere es; es beginnt mit github_pat_. Bei einer Organisation muss es eventuell zuerst ein Owner genehmigen, unter „Personal access tokens“, „Pending requests“; bis dahin fehlen ihre privaten Repositorys.',
  'Open {url} and choose "Create new token" under "Personal access tokens".':
    'Öffne {url} und wähle „Create new token“ unter „Personal access tokens“.',
  'Name it recalld, create it and copy it; Asana shows it only once. It has the same access as you and does not expire. If your organization blocks tokens, an administrator allows them in the admin console under "Apps".':
    'Nenne es recalld, erstelle und kopiere es; Asana zeigt es nur einmal. Es hat denselben Zugriff wie du und läuft nicht ab. Wenn deine Organisation Token sperrt, erlaubt ein Admin sie in der Admin-Konsole unter „Apps“.',
  'Open {url} and create a personal API key with the permission "Read" only.':
    'Öffne {url} und erstelle einen persönlichen API-Schlüssel, der nur die Berechtigung „Read“ hat.',
  'Copy the key; it starts with lin_api_. If there is no such button, an administrator has switched off personal keys under "Administration", "API".':
    'Kopiere den Schlüssel; er beginnt mit lin_api_. Wenn der Knopf fehlt, hat ein Admin persönliche Schlüssel unter „Administration“, „API“ abgeschaltet.',
  'Open {url}, "New integration", type "Internal", and choose your workspace. Only workspace owners may; ask one otherwise.':
    'Öffne {url}, „New integration“, Typ „Internal“, und wähle deinen Workspace. Das dürfen nur Owner des Workspace; bitte sonst einen darum.',
  'Under "Capabilities", leave only "Read content" and "Read user information without email addresses".':
    'Lass unter „Capabilities“ nur „Read content“ und „Read user information without email addresses“ eingeschaltet.',
  'Under "Access", choose the pages to sync; pages inside them are included.':
    'Wähle unter „Access“ die Seiten zum Synchronisieren; Seiten darin gehören dazu.',
  'Copy the "Internal Integration Secret"; it starts with ntn_ or secret_.':
    'Kopiere das „Internal Integration Secret“; es beginnt mit ntn_ oder secret_.',
  'Your site and email address go into the settings `site` and `user`: --set site={url} --set user=ada@acme.test':
    'Deine Site und deine E-Mail-Adresse gehören in die Einstellungen `site` und `user`: --set site={url} --set user=ada@acme.test',
  'Open {url} and choose "Create API token" (the one without scopes), with the longest expiration.':
    'Öffne {url} und wähle „Create API token“ (das ohne Scopes) mit dem spätesten Ablauf.',
  'Copy the token. If tokens are switched off, an organization administrator allows them under "Security", "API token settings".':
    'Kopiere das Token. Wenn Token abgeschaltet sind, erlaubt ein Organisations-Admin sie unter „Security“, „API token settings“.',
  'Open {url} (or the same page of your own GitLab, which goes into the setting `site`); name and scope are filled in.':
    'Öffne {url} (oder dieselbe Seite deines eigenen GitLab, das in die Einstellung `site` gehört); Name und Scope sind schon eingetragen.',
  'Choose an expiration, create the token and copy it; it starts with glpat-. If a group forbids personal tokens, ask an owner for a group access token with the role Reporter and the scope read_api.':
    'Wähle ein Ablaufdatum, erstelle das Token und kopiere es; es beginnt mit glpat-. Wenn eine Gruppe persönliche Token verbietet, bitte einen Owner um ein Gruppen-Token mit der Rolle Reporter und dem Scope read_api.',
  'Open {url} and create a "Server-to-Server OAuth App". Only people with a role for developers may; an administrator of your account creates it otherwise.':
    'Öffne {url} und erstelle eine „Server-to-Server OAuth App“. Das dürfen nur Leute mit einer Rolle für Entwickler; sonst erstellt sie ein Admin deines Kontos.',
  'Under "Scopes", add cloud_recording:read:list_user_recordings:admin, cloud_recording:read:list_recording_files:admin and user:read:user:admin, then activate the app.':
    'Füge unter „Scopes“ cloud_recording:read:list_user_recordings:admin, cloud_recording:read:list_recording_files:admin und user:read:user:admin hinzu und aktiviere die App.',
  'Its "Account ID" and "Client ID" go into the settings `account_id` and `client_id`, your email address into `user`. Paste the "Client Secret" here.':
    'Ihre „Account ID“ und „Client ID“ gehören in die Einstellungen `account_id` und `client_id`, deine E-Mail-Adresse in `user`. Füge hier das „Client Secret“ ein.',
  'Set `user` to your user name, usually your mail address. Set `server` to the address of your Nextcloud or your own server; those of Fastmail and iCloud are found automatically.':
    'Trage in `user` deinen Benutzernamen ein, meist deine E-Mail-Adresse, und in `server` die Adresse deines Nextcloud- oder eigenen Servers. Die von Fastmail und iCloud werden automatisch gefunden.',
  'Create an app password in the security settings of your account. If your provider has none, use your usual password.':
    'Erstelle in den Sicherheitseinstellungen deines Kontos ein App-Passwort. Wenn dein Anbieter keins hat, nimm dein normales Passwort.',
  'Paste that password here. If the right one is refused, an administrator has switched off this access or app passwords, and can allow them.':
    'Füge dieses Passwort hier ein. Wenn das richtige abgelehnt wird, hat ein Admin diesen Zugriff oder App-Passwörter abgeschaltet und kann sie erlauben.',
  'Look up the IMAP server of your provider, e.g. imap.fastmail.com. It goes into the setting `host`, your user name into `user`.':
    'Suche den IMAP-Server deines Anbieters heraus, z. B. imap.fastmail.com. Er gehört in die Einstellung `host`, dein Benutzername in `user`.',
  'Create an app password in the security settings of your mail account. If your provider has none, use your usual password.':
    'Erstelle in den Sicherheitseinstellungen deines E-Mail-Kontos ein App-Passwort. Wenn dein Anbieter keins hat, nimm dein normales Passwort.',
  'Open {url} and create or choose a project.': 'Öffne {url} und erstelle oder wähle ein Projekt.',
  'Open this link, choose the project, and enable all APIs at once: {url} (or only those of your sources under "APIs & Services", "Library").':
    'Öffne diesen Link, wähle das Projekt und aktiviere alle APIs auf einmal: {url} (oder nur die deiner Quellen unter „APIs & Services“, „Library“).',
  'Under "Google Auth Platform", choose "Get started": enter a name and your email address, and choose "Internal" in your own Workspace, otherwise "External".':
    'Wähle unter „Google Auth Platform“ „Get started“: Gib einen Namen und deine E-Mail-Adresse ein und wähle „Internal“ in deinem eigenen Workspace, sonst „External“.',
  'Under "Audience", set the publishing status to "In production". While it is "Testing", access expires after 7 days.':
    'Setze unter „Audience“ den Veröffentlichungsstatus auf „In production“. Solange er „Testing“ ist, läuft der Zugriff nach 7 Tagen ab.',
  'Under "Clients", create a client of type "Desktop app", and copy its ID and secret.':
    'Erstelle unter „Clients“ einen Client vom Typ „Desktop app“ und kopiere seine ID und sein Secret.',
  'Open {url}, "App registrations", "New registration". If that is switched off, an administrator registers the app or gives you the role Application Developer.':
    'Öffne {url}, „App registrations“, „New registration“. Wenn das abgeschaltet ist, registriert ein Admin die App oder gibt dir die Rolle Application Developer.',
  'Choose who can use it: accounts in your organization, in any organization, or personal accounts too.':
    'Wähle, wer sie verwenden darf: Konten deiner Organisation, jeder Organisation, oder auch persönliche Konten.',
  'As redirect URI, choose "Public client/native (mobile & desktop)" and enter {url}':
    'Wähle als Redirect URI „Public client/native (mobile & desktop)“ und gib {url} ein',
  'For --device, set "Allow public client flows" to "Yes" under "Authentication".':
    'Stelle für --device unter „Authentication“ „Allow public client flows“ auf „Yes“.',
  'Copy the "Application (client) ID". You need no secret.':
    'Kopiere die „Application (client) ID“. Ein Secret brauchst du nicht.',
  'If the sign-in says "Need admin approval", an administrator opens the app under "Enterprise applications" and chooses "Permissions", "Grant admin consent". By default, only administrators can agree to mail, calendars, files and Teams for apps of other organizations.':
    'Wenn bei der Anmeldung „Need admin approval“ steht, öffnet ein Admin die App unter „Enterprise applications“ und wählt „Permissions“, „Grant admin consent“. Standardmäßig dürfen nur Admins E-Mail, Kalender, Dateien und Teams für Apps anderer Organisationen freigeben.',
  'If your Workspace blocks the app at the sign-in, an administrator trusts its client ID in the admin console under "Security", "API controls".':
    'Wenn dein Workspace die App bei der Anmeldung sperrt, vertraut ein Admin ihrer Client-ID in der Admin-Konsole unter „Security“, „API controls“.',
  'Open this link, choose your workspace and create the app; its redirect URL and read-only scopes are filled in: {url}':
    'Öffne diesen Link, wähle deinen Workspace und erstelle die App; ihre Redirect-URL und Leserechte sind schon eingetragen: {url}',
  'To sync direct messages too (`direct_messages: true`), add the scopes im:read, im:history, mpim:read and mpim:history under "OAuth & Permissions", "User Token Scopes".':
    'Um auch Direktnachrichten zu synchronisieren (`direct_messages: true`), füge unter „OAuth & Permissions“, „User Token Scopes“ die Scopes im:read, im:history, mpim:read und mpim:history hinzu.',
  'Under "Basic Information", copy "Client ID" and "Client Secret". If Slack says "Request to install" at the sign-in, an administrator approves the app under "Manage apps".':
    'Kopiere unter „Basic Information“ „Client ID“ und „Client Secret“. Wenn Slack bei der Anmeldung „Request to install“ anzeigt, genehmigt ein Admin die App unter „Manage apps“.',
  'Open {url} for an OAuth app.': 'Öffne {url} für eine OAuth-App.',
  'As "Authorization callback URL", enter {url}. To sign in with a code, select "Enable Device Flow".':
    'Gib als „Authorization callback URL“ {url} ein. Um dich mit einem Code anzumelden, wähle „Enable Device Flow“.',
  'Copy the client ID, and generate a client secret. If an organization restricts OAuth apps, an owner approves this one under "Third-party access", "OAuth app policy"; until then its private repositories are missing.':
    'Kopiere die Client-ID und erzeuge ein Client-Secret. Wenn eine Organisation OAuth-Apps einschränkt, genehmigt ein Owner diese unter „Third-party access“, „OAuth app policy“; bis dahin fehlen ihre privaten Repositorys.',
  'Open {url} and create an app.': 'Öffne {url} und erstelle eine App.',
  'Under "OAuth", add the redirect URL and the scopes from docs/connect/asana.md.':
    'Füge unter „OAuth“ die Redirect URL und die Scopes aus docs/connect/asana.md hinzu.',
  'Copy "Client ID" and "Client secret". If your organization blocks the app at the sign-in, an administrator allows it in the admin console under "Apps".':
    'Kopiere „Client ID“ und „Client secret“. Wenn deine Organisation die App bei der Anmeldung sperrt, erlaubt ein Admin sie in der Admin-Konsole unter „Apps“.',
  '`recalld connect google` with the API "Gmail API" enabled, scope gmail.readonly':
    '`recalld connect google` mit aktivierter „Gmail API“, Scope gmail.readonly',
  '`recalld connect google` with the API "Google Calendar API" enabled, scope calendar.readonly':
    '`recalld connect google` mit aktivierter „Google Calendar API“, Scope calendar.readonly',
  '`recalld connect google`, with the APIs of Google Drive, Docs, Sheets and Slides enabled':
    '`recalld connect google` mit den aktivierten APIs von Google Drive, Docs, Sheets und Slides',
  '`recalld connect google`, with the Google Meet API enabled, and a Workspace edition with transcripts; after 30 days only the Google Doc of a transcript is left, which `gdocs` syncs':
    '`recalld connect google` mit aktivierter Google Meet API und eine Workspace-Edition mit Transkripten; nach 30 Tagen bleibt vom Transkript nur das Google-Dokument, das `gdocs` synchronisiert',
  '`recalld connect google` with the API "Google Tasks" enabled, scope tasks.readonly':
    '`recalld connect google` mit aktivierter API „Google Tasks“, Scope tasks.readonly',
  '`recalld connect google` with the API "People API" enabled, scope contacts.readonly (and contacts.other.readonly with other_contacts)':
    '`recalld connect google` mit aktivierter „People API“, Scope contacts.readonly (und contacts.other.readonly mit other_contacts)',
  '`recalld connect google --sources youtube` with the API "YouTube Data API v3" enabled, scope youtube.readonly; for videos you watched: Google Takeout exports in the `takeout` folder':
    '`recalld connect google --sources youtube` mit aktivierter „YouTube Data API v3“, Scope youtube.readonly; für angesehene Videos: Exporte von Google Takeout im Ordner `takeout`',
  'Google Takeout exports in the `takeout` folder; or, in a separate connection, picked photos: `recalld connect google --sources photos` with the API "Google Photos Picker API" enabled, scope photospicker.mediaitems.readonly, then `recalld photos pick`':
    'Exporte von Google Takeout im Ordner `takeout`; oder, in einer eigenen Verbindung, ausgewählte Fotos: `recalld connect google --sources photos` mit aktivierter „Google Photos Picker API“, Scope photospicker.mediaitems.readonly, danach `recalld photos pick`',
  '`recalld connect google --sources books` with the API "Books API" enabled, scope books':
    '`recalld connect google --sources books` mit aktivierter „Books API“, Scope books',
  '`recalld connect google --sources fit` with the API "Google Health API" enabled, scopes googlehealth.activity_and_fitness.readonly, .sleep.readonly, .health_metrics_and_measurements.readonly; or exports of Google Fit or Health Connect in the `takeout` folder':
    '`recalld connect google --sources fit` mit aktivierter „Google Health API“, Scopes googlehealth.activity_and_fitness.readonly, .sleep.readonly, .health_metrics_and_measurements.readonly; oder Exporte von Google Fit oder Health Connect im Ordner `takeout`',
  '`recalld connect microsoft`; the permission Mail.Read': '`recalld connect microsoft`; die Berechtigung Mail.Read',
  '`recalld connect microsoft`; the permission Calendars.Read':
    '`recalld connect microsoft`; die Berechtigung Calendars.Read',
  "`recalld connect ms-teams` with a work or school account; the permissions Team.ReadBasic.All, Channel.ReadBasic.All, ChannelMessage.Read.All, which needs an administrator's consent, and Chat.Read for chats":
    '`recalld connect ms-teams` mit einem Geschäfts-, Schul- oder Unikonto; die Berechtigungen Team.ReadBasic.All, Channel.ReadBasic.All und ChannelMessage.Read.All, die ein Admin genehmigen muss, und Chat.Read für Chats',
  '`recalld connect microsoft`; the permission Files.Read': '`recalld connect microsoft`; die Berechtigung Files.Read',
  "`recalld connect ms-sharepoint`; the permission Sites.Read.All, which often needs an administrator's consent":
    '`recalld connect ms-sharepoint`; die Berechtigung Sites.Read.All, die oft ein Admin genehmigen muss',
  'sessions on this machine (~/.claude/projects)': 'Sitzungen auf diesem Computer (~/.claude/projects)',
  'sessions on this machine (~/.codex)': 'Sitzungen auf diesem Computer (~/.codex)',
  "sessions on this machine (Cursor's User folder and ~/.cursor)":
    'Sitzungen auf diesem Computer (Cursors User-Ordner und ~/.cursor)',
  'sessions on this machine (the User folder of Code, Code - Insiders and VSCodium)':
    'Sitzungen auf diesem Computer (der User-Ordner von Code, Code - Insiders und VSCodium)',
  'sessions on this machine (~/.gemini)': 'Sitzungen auf diesem Computer (~/.gemini)',
  'sessions on this machine (~/.local/share/opencode)': 'Sitzungen auf diesem Computer (~/.local/share/opencode)',
  'nothing; Safari needs Full Disk Access for the program that runs recalld':
    'nothing; für Safari braucht das Programm, das recalld ausführt, Festplattenvollzugriff',
  'nothing; syncs ~/Documents, ~/docs, ~/Docs, ~/notes, ~/Notes, ~/wiki unless `paths` is set':
    'nothing; synchronisiert ~/Documents, ~/docs, ~/Docs, ~/notes, ~/Notes, ~/wiki, solange `paths` leer ist',
  'nothing; syncs ~/Documents unless `paths` is set': 'nothing; synchronisiert ~/Documents, solange `paths` leer ist',
  'the folder of a vault; exclude it from `technical_docs` if that reads it too':
    'der Ordner eines Vaults; schließe ihn aus `technical_docs` aus, wenn er dort auch gelesen wird',
  'nothing; `paths` for updates you write yourself': 'nothing; `paths` für Berichte, die du selbst schreibst',
  'exports, as files or in a folder': 'Exporte, als Dateien oder in einem Ordner',
  'nothing for `recalld sync stream < file`; `socket` to listen':
    'nothing für `recalld sync stream < Datei`; `socket` zum Empfangen',
  'the addresses of the feeds': 'die Adressen der Feeds',
  'the addresses of the calendars': 'die Adressen der Kalender',
}
