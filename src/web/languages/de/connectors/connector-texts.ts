import { about } from './about.ts'
import { limits } from './limits.ts'
import { steps } from './steps.ts'
import { summaries } from './summaries.ts'

/** Settings of connectors. */
const settings: Readonly<Record<string, string>> = {
  'How many days its items are kept; overrides `retention` of the source.':
    'Wie viele Tage ihre Einträge bleiben; hat Vorrang vor `retention` der Quelle.',
  'JSON key file of a service account to which a Google Workspace administrator has delegated the scopes; needs `subject`.':
    'JSON-Schlüsseldatei eines Dienstkontos, dem ein Google-Workspace-Admin die Scopes delegiert hat; braucht `subject`.',
  'With `service_account_file`: the address of the person whose data is synced.':
    'Mit `service_account_file`: die Adresse der Person, deren Daten synchronisiert werden.',
  'Address of the API, for tests; only its origin is used. Default: the address of each Google API.':
    'Adresse der API, für Tests; nur ihr Ursprung zählt. Standard: die Adresse der jeweiligen Google-API.',
  'Sync only items from this day on, e.g. 2024-01-01.': 'Nur Einträge ab diesem Tag synchronisieren, z. B. 2024-01-01.',
  'Sync only conversations with one of these labels, by name as in Gmail: ["Family", "Work/Contracts"].':
    'Nur Konversationen mit einem dieser Labels, mit dem Namen wie in Gmail: ["Family", "Work/Contracts"].',
  'Exclude conversations with one of these labels.': 'Konversationen mit einem dieser Labels ausschließen.',
  'Exclude conversations that are only in these Gmail categories; [] syncs all. Receipts and tickets are in `updates`.':
    'Konversationen ausschließen, die nur in diesen Gmail-Kategorien sind; [] synchronisiert alle. Quittungen und Tickets stehen in `updates`.',
  'Sync only events that end on or after this day, e.g. 2024-01-01.':
    'Nur Termine, die an oder nach diesem Tag enden, z. B. 2024-01-01.',
  'Names or IDs of calendars to sync. Default: all in your list, except hidden ones and those that Google fills, such as public holidays.':
    'Namen oder IDs der Kalender. Standard: alle in deiner Liste, außer ausgeblendeten und solchen, die Google füllt, etwa Feiertage.',
  'Names or IDs of calendars to exclude.': 'Namen oder IDs von Kalendern, die ausgeschlossen werden.',
  '`true`: also sync calendars hidden from your list.': '`true`: auch Kalender, die in deiner Liste ausgeblendet sind.',
  'Kinds of events to sync. Also available: outOfOffice, focusTime, workingLocation and birthday.':
    'Arten von Terminen. Es gibt auch: outOfOffice, focusTime, workingLocation und birthday.',
  'Sync only files that changed on or after this day, e.g. 2024-01-01.':
    'Nur Dateien, die an oder nach diesem Tag geändert wurden, z. B. 2024-01-01.',
  'What to sync: documents, spreadsheets, presentations, files. Default: all. `files`: uploaded files in supported formats: PDF (at most 20 MB), DOCX, PPTX, XLSX, ODT, ODS, ODP, Markdown and other text, HTML, CSV, EML, ICS (at most 10 MB).':
    'Was synchronisiert wird: documents, spreadsheets, presentations, files. Standard: alles. `files`: hochgeladene Dateien in unterstützten Formaten: PDF (höchstens 20 MB), DOCX, PPTX, XLSX, ODT, ODS, ODP, Markdown und anderer Text, HTML, CSV, EML, ICS (höchstens 10 MB).',
  'Sync only these folders and their subfolders: names, paths or IDs of folders or shared drives, e.g. ["Projects", "Team/Minutes"].':
    'Nur diese Ordner und ihre Unterordner: Namen, Pfade oder IDs von Ordnern oder geteilten Ablagen, z. B. ["Projects", "Team/Minutes"].',
  'Folders and shared drives to exclude with their subfolders, as above.':
    'Ordner und geteilte Ablagen, die mit ihren Unterordnern ausgeschlossen werden, wie oben.',
  'Whether to sync shared drives you are a member of.':
    'Ob geteilte Ablagen synchronisiert werden, in denen du Mitglied bist.',
  'Which files shared with you to sync. `opened`: those you have opened or edited. Files in your own folders are always synced.':
    'Welche für dich freigegebenen Dateien synchronisiert werden. `opened`: die du geöffnet oder bearbeitet hast. Dateien in deinen eigenen Ordnern werden immer synchronisiert.',
  'Whether to sync comments on documents, spreadsheets and presentations; takes one more request for each.':
    'Ob Kommentare zu Dokumenten, Tabellen und Präsentationen synchronisiert werden; braucht für jedes eine weitere Anfrage.',
  'Sync only meetings that ended on or after this day, e.g. 2024-01-01.':
    'Nur Besprechungen, die an oder nach diesem Tag endeten, z. B. 2024-01-01.',
  '`true`: also sync people that Google saved because you wrote to them; needs one more scope.':
    '`true`: auch Personen, die Google gespeichert hat, weil du ihnen geschrieben hast; braucht einen weiteren Scope.',
  '`false`: sync only `takeout`; needs no access to the account.':
    '`false`: nur `takeout`; braucht keinen Zugriff auf das Konto.',
  'Folder with your Google Takeout exports: takeout-*.zip or .tgz files, or unpacked. recalld never changes them.':
    'Ordner mit deinen Exporten von Google Takeout: takeout-*.zip oder .tgz, auch entpackt. recalld ändert sie nie.',
  '`health`: the Google Health API. `fit-rest`: the Fit API, for accounts that have it, until it shuts down at the end of 2026; without sleep and exercises. `takeout`: exports of Google Fit and Health Connect ("Health Connect.zip") in the `takeout` folder.':
    '`health`: die Google Health API. `fit-rest`: die Fit API, für Konten, die sie noch haben, bis sie Ende 2026 abgeschaltet wird; ohne Schlaf und Trainings. `takeout`: Exporte von Google Fit und Health Connect („Health Connect.zip“) im Ordner `takeout`.',
  'What to sync; each has its own scope. Not used with `takeout`.':
    'Was synchronisiert wird; jedes hat einen eigenen Scope. Gilt nicht mit `takeout`.',
  'First day to sync, e.g. 2024-01-01. Not used with `takeout`. Default: 90 days back.':
    'Erster Tag, z. B. 2024-01-01. Gilt nicht mit `takeout`. Standard: 90 Tage zurück.',
  'The cloud of the account: global, us-government, us-government-dod, china. Default: the one chosen in `recalld connect`, otherwise global.':
    'Die Cloud des Kontos: global, us-government, us-government-dod, china. Standard: die in `recalld connect` gewählte, sonst global.',
  'Address of Microsoft Graph, with or without /v1.0. Default: the address of the cloud.':
    'Adresse von Microsoft Graph, mit oder ohne /v1.0. Standard: die Adresse der Cloud.',
  'Sync only conversations with a mail from this day on, e.g. 2024-01-01; they are synced in full.':
    'Nur Konversationen mit einer E-Mail ab diesem Tag, z. B. 2024-01-01; sie werden ganz synchronisiert.',
  'Names of mail folders to sync, with their subfolders; `*` matches any text, `/` separates a folder from its subfolder: ["Inbox", "Projects/Shop*"]. Default: all.':
    'Namen der E-Mail-Ordner, mit ihren Unterordnern; `*` steht für beliebigen Text, `/` trennt einen Ordner von seinem Unterordner: ["Inbox", "Projects/Shop*"]. Standard: alle.',
  'Names of mail folders to exclude, as above. Junk, Deleted Items, Drafts, Outbox and Sync Issues are never synced.':
    'Namen von E-Mail-Ordnern, die ausgeschlossen werden, wie oben. Junk, Gelöschte Elemente, Entwürfe, Postausgang und Synchronisierungsprobleme werden nie synchronisiert.',
  'Sync only events and series that end on or after this day, e.g. 2024-01-01.':
    'Nur Termine und Serien, die an oder nach diesem Tag enden, z. B. 2024-01-01.',
  'Names of calendars to sync: ["Calendar"]. Default: all.': 'Namen der Kalender: ["Calendar"]. Standard: alle.',
  'Names of calendars to exclude, e.g. ["Birthdays", "United Kingdom holidays"].':
    'Namen von Kalendern, die ausgeschlossen werden, z. B. ["Birthdays", "United Kingdom holidays"].',
  'Channels to sync, as "Team / Channel" or the name of either; `*` matches any text: ["Engineering / *"]. Default: all channels of your teams.':
    'Kanäle, als „Team / Kanal“ oder nur einer der beiden Namen; `*` steht für beliebigen Text: ["Engineering / *"]. Standard: alle Kanäle deiner Teams.',
  'Channels to exclude, as above.': 'Kanäle, die ausgeschlossen werden, wie oben.',
  '`true`: also sync chats and meeting messages; needs the permission Chat.Read.':
    '`true`: auch Chats und Nachrichten in Besprechungen; braucht die Berechtigung Chat.Read.',
  'Patterns of files to sync, e.g. "Projects/**" or "*.md"; a pattern without / matches file names. Default: all.':
    'Muster von Dateien, z. B. "Projects/**" oder "*.md"; ein Muster ohne / gilt für Dateinamen. Standard: alle.',
  'Patterns of files and folders to exclude, as above.':
    'Muster von Dateien und Ordnern, die ausgeschlossen werden, wie oben.',
  'Addresses of sites to sync, e.g. "{url}".': 'Adressen der Websites, z. B. "{url}".',
  "`false`: don't sync the sites you follow.": '`false`: die Websites, denen du folgst, nicht synchronisieren.',
  '`true`: sync every site you have access to, which can be thousands in a large organization.':
    '`true`: jede Website, auf die du Zugriff hast; in einer großen Organisation können das Tausende sein.',
  '`false`: sync only files, no pages and news.': '`false`: nur Dateien, keine Seiten und Nachrichten.',
  'Names of lists to sync too, in every site that has them: ["Decisions"].':
    'Namen von Listen, die auch synchronisiert werden, in jeder Website, die sie hat: ["Decisions"].',
  'Address of the API. Default: {url}.': 'Adresse der API. Standard: {url}.',
  'The workspace to sync, e.g. T024BE7LD, when the app is installed for a whole organization; otherwise not needed.':
    'Der Workspace, z. B. T024BE7LD, wenn die App für eine ganze Organisation installiert ist; sonst nicht nötig.',
  'App-level token (xapp-...) of an app with Socket Mode: new messages, edits and deletions are then read within seconds, and all channels are compared every six hours.':
    'App-Token (xapp-...) einer App mit Socket Mode: Neue Nachrichten, Änderungen und Löschungen werden dann innerhalb von Sekunden gelesen, und alle Kanäle werden alle sechs Stunden verglichen.',
  'File with the app-level token.': 'Datei mit dem App-Token.',
  'Sync only messages from this day on, e.g. 2024-01-01; a thread counts from its first message.':
    'Nur Nachrichten ab diesem Tag, z. B. 2024-01-01; bei einem Thread zählt die erste Nachricht.',
  'Names or IDs of channels to sync; `*` matches any text: ["team-*"]. Default: channels you are or were a member of. Does not affect direct messages.':
    'Namen oder IDs der Kanäle; `*` steht für beliebigen Text: ["team-*"]. Standard: Kanäle, in denen du Mitglied bist oder warst. Gilt nicht für Direktnachrichten.',
  'Names or IDs of conversations to exclude, with `*` as above: direct messages by the name or ID of the person, group messages by the user names: ["random", "C04ABCDEF", "@Ada Lovelace", "@ada, bob, carl"].':
    'Namen oder IDs von Konversationen, die ausgeschlossen werden, mit `*` wie oben: Direktnachrichten mit Name oder ID der Person, Gruppennachrichten mit den Benutzernamen: ["random", "C04ABCDEF", "@Ada Lovelace", "@ada, bob, carl"].',
  '`false`: skip private channels.': '`false`: private Kanäle überspringen.',
  '`true`: also sync direct messages and group messages.': '`true`: auch Direktnachrichten und Gruppennachrichten.',
  '`exclude`: skip messages by bots and apps.': '`exclude`: Nachrichten von Bots und Apps überspringen.',
  'How many days back each run looks for edits, deletions and new replies; always at least about the newest 200 messages (15 where Slack gives the app no more). Once a week a run looks back 90 days, and also for edited replies in threads with new messages. A thread is as old as its first message; use `recalld sync slack --full` for older ones.':
    'Wie viele Tage zurück jeder Lauf nach Änderungen, Löschungen und neuen Antworten sucht; mindestens etwa die neuesten 200 Nachrichten (15, wenn Slack der App nicht mehr gibt). Einmal pro Woche sucht ein Lauf 90 Tage zurück, auch nach geänderten Antworten in Threads mit neuen Nachrichten. Ein Thread ist so alt wie seine erste Nachricht; für ältere gibt es `recalld sync slack --full`.',
  'Address of your Enterprise server, e.g. {url}, or {url}; the addresses of its APIs follow from it.':
    'Adresse deines Enterprise-Servers, z. B. {url}, oder {url}; die Adressen seiner APIs ergeben sich daraus.',
  "Address of the API itself, where `base_url` doesn't lead to it, e.g. behind a proxy. Default: {url}.":
    'Adresse der API selbst, wenn `base_url` nicht zu ihr führt, z. B. hinter einem Proxy. Standard: {url}.',
  'ID of a GitHub App, instead of a token; with `installation_id` and `private_key_file`. Its tokens are requested and renewed automatically.':
    'ID einer GitHub-App, statt eines Tokens; mit `installation_id` und `private_key_file`. Ihre Token werden automatisch geholt und erneuert.',
  'ID of the installation of the app: the number at the end of the address of its settings page.':
    'ID der Installation der App: die Zahl am Ende der Adresse ihrer Einstellungsseite.',
  'File with the private key of the app (.pem).': 'Datei mit dem privaten Schlüssel der App (.pem).',
  'Sync only issues, pull requests and discussions that changed on or after this day, e.g. 2024-01-01, and releases from then on. Files are synced whatever their age.':
    'Nur Issues, Pull Requests und Diskussionen, die an oder nach diesem Tag geändert wurden, z. B. 2024-01-01, und Releases seitdem. Dateien werden unabhängig vom Alter synchronisiert.',
  'Repositories to sync, e.g. ["acme/shop", "acme/doc-*"]. A full name can be any repository the token can read; `*` matches those you own, collaborate on or have access to as a member of an organization. Default: all of these; with an app, those it is installed on.':
    'Repositorys, z. B. ["acme/shop", "acme/doc-*"]. Ein voller Name kann jedes Repository sein, das das Token lesen darf; `*` gilt für die, die dir gehören, an denen du mitarbeitest oder auf die du als Mitglied einer Organisation Zugriff hast. Standard: alle diese; mit einer App die, in denen sie installiert ist.',
  'Repositories to exclude, e.g. ["acme/archive-*"].':
    'Repositorys, die ausgeschlossen werden, z. B. ["acme/archive-*"].',
  'What to sync from a repository: issues, pull_requests, discussions, releases, documents. Default: all.':
    'Was aus einem Repository synchronisiert wird: issues, pull_requests, discussions, releases, documents. Standard: alles.',
  '`exclude`: skip comments by bots on issues, pull requests and discussions. What bots open, review and release is still synced.':
    '`exclude`: Kommentare von Bots zu Issues, Pull Requests und Diskussionen überspringen. Was Bots öffnen, prüfen und veröffentlichen, wird trotzdem synchronisiert.',
  'Files of the default branch to sync, at most 1 MB each; `*` matches part of a name, `**` any folders. Text files only: md, markdown, mdx, txt, rst, adoc, asciidoc, org, textile, or a name without a dot.':
    'Dateien des Standard-Branches, höchstens je 1 MB; `*` steht für einen Teil eines Namens, `**` für beliebige Ordner. Nur Textdateien: md, markdown, mdx, txt, rst, adoc, asciidoc, org, textile oder ein Name ohne Punkt.',
  'Sync only tasks that changed on or after this day, e.g. 2024-01-01. Projects are synced whatever their age.':
    'Nur Aufgaben, die an oder nach diesem Tag geändert wurden, z. B. 2024-01-01. Projekte werden unabhängig vom Alter synchronisiert.',
  'Names or IDs of workspaces to sync; `*` matches any text. Default: all.':
    'Namen oder IDs der Workspaces; `*` steht für beliebigen Text. Standard: alle.',
  'Names or IDs of projects to sync; `*` matches any text: ["Launch *", "1204323569089194"]. Default: all projects you have access to, which can be many in a large organization. Tasks assigned to you that are in no project are always synced.':
    'Namen oder IDs der Projekte; `*` steht für beliebigen Text: ["Launch *", "1204323569089194"]. Standard: alle Projekte, auf die du Zugriff hast; in einer großen Organisation können das viele sein. Dir zugewiesene Aufgaben ohne Projekt werden immer synchronisiert.',
  'Names or IDs of projects to exclude, with `*` as above. A task that is also in a synced project is kept.':
    'Namen oder IDs von Projekten, die ausgeschlossen werden, mit `*` wie oben. Eine Aufgabe, die auch in einem synchronisierten Projekt ist, bleibt.',
  'Sync only issues that changed on or after this day, e.g. 2024-01-01.':
    'Nur Issues, die an oder nach diesem Tag geändert wurden, z. B. 2024-01-01.',
  'Names or keys of teams to sync, e.g. ["Platform", "OPS"]. Default: all.':
    'Namen oder Kürzel der Teams, z. B. ["Platform", "OPS"]. Standard: alle.',
  'Names or keys of teams to exclude.': 'Namen oder Kürzel von Teams, die ausgeschlossen werden.',
  'Sync only pages that were edited on or after this day, e.g. 2024-01-01.':
    'Nur Seiten, die an oder nach diesem Tag bearbeitet wurden, z. B. 2024-01-01.',
  'Address of your site, e.g. {url}.': 'Adresse deiner Site, z. B. {url}.',
  'Email address of your Atlassian account.': 'E-Mail-Adresse deines Atlassian-Kontos.',
  'Names or keys of projects to sync. Default: all that you see.':
    'Namen oder Schlüssel der Projekte. Standard: alle, die du siehst.',
  'Names or keys of projects to exclude.': 'Namen oder Schlüssel von Projekten, die ausgeschlossen werden.',
  'Names or keys of spaces to sync. Default: all that you see.':
    'Namen oder Schlüssel der Bereiche. Standard: alle, die du siehst.',
  'Names or keys of spaces to exclude.': 'Namen oder Schlüssel von Bereichen, die ausgeschlossen werden.',
  'Account ID of your app, under "App Credentials".': 'Account-ID deiner App, unter „App Credentials“.',
  'Client ID of your app.': 'Client-ID deiner App.',
  'Email address of the person whose meetings to sync.':
    'E-Mail-Adresse der Person, deren Besprechungen synchronisiert werden.',
  'Sync only meetings that began on or after this day, e.g. 2024-01-01.':
    'Nur Besprechungen, die an oder nach diesem Tag begannen, z. B. 2024-01-01.',
  'Address of GitLab. Default: {url}.': 'Adresse von GitLab. Standard: {url}.',
  'Sync only what changed on or after this day, e.g. 2024-01-01.':
    'Nur, was an oder nach diesem Tag geändert wurde, z. B. 2024-01-01.',
  'Paths of projects to sync, e.g. ["acme/shop", "acme/**"]. Default: all that you are a member of.':
    'Pfade der Projekte, z. B. ["acme/shop", "acme/**"]. Standard: alle, in denen du Mitglied bist.',
  'Paths of projects to exclude, with patterns as above.':
    'Pfade von Projekten, die ausgeschlossen werden, mit Mustern wie oben.',
  'Folder or folders with the sessions. Default: ~/.claude/projects.':
    'Ordner mit den Sitzungen, einer oder mehrere. Standard: ~/.claude/projects.',
  'Project folders to sync, with their subfolders, e.g. "~/work/*"; without / it matches the folder name. Default: all.':
    'Projektordner mit ihren Unterordnern, z. B. "~/work/*"; ohne / gilt es für den Ordnernamen. Standard: alle.',
  'Project folders to exclude, with their subfolders.':
    'Projektordner, die mit ihren Unterordnern ausgeschlossen werden.',
  'How many KB to keep of each tool input and output; 0 keeps none. Default: 4.':
    'Wie viele KB von jeder Ein- und Ausgabe eines Tools bleiben; 0 lässt alles weg. Standard: 4.',
  'Folder or folders with the sessions. Default: ~/.codex.':
    'Ordner mit den Sitzungen, einer oder mehrere. Standard: ~/.codex.',
  "Folder or folders with the sessions. Default: Cursor's User folder and ~/.cursor.":
    'Ordner mit den Sitzungen, einer oder mehrere. Standard: Cursors User-Ordner und ~/.cursor.',
  'Folder or folders with the sessions. Default: the User folder of Code, Code - Insiders and VSCodium.':
    'Ordner mit den Sitzungen, einer oder mehrere. Standard: der User-Ordner von Code, Code - Insiders und VSCodium.',
  'Folder or folders with the sessions. Default: ~/.gemini.':
    'Ordner mit den Sitzungen, einer oder mehrere. Standard: ~/.gemini.',
  'Folder or folders with the sessions. Default: ~/.local/share/opencode.':
    'Ordner mit den Sitzungen, einer oder mehrere. Standard: ~/.local/share/opencode.',
  'History databases to sync. Default: those of every browser and profile on this machine.':
    'Verlaufsdatenbanken. Standard: die aller Browser und Profile auf diesem Computer.',
  'Sync only these domains and their subdomains; can include domains that are excluded by default, such as banks.':
    'Nur diese Domains und ihre Subdomains; auch solche, die sonst ausgeschlossen sind, etwa Banken.',
  'Domains to exclude, in addition to banks, health, adult and sign-in pages and private networks.':
    'Domains, die ausgeschlossen werden, zusätzlich zu Banken, Gesundheit, Erotik, Anmeldeseiten und privaten Netzen.',
  'Folders to sync, with their subfolders. Default: those of ~/Documents, ~/docs, ~/Docs, ~/notes, ~/Notes, ~/wiki.':
    'Ordner mit ihren Unterordnern. Standard: ~/Documents, ~/docs, ~/Docs, ~/notes, ~/Notes, ~/wiki, soweit vorhanden.',
  'Patterns of files to sync, e.g. "handbook/**" or "*.md"; a pattern without / matches file names. Default: all.':
    'Muster von Dateien, z. B. "handbook/**" oder "*.md"; ein Muster ohne / gilt für Dateinamen. Standard: alle.',
  'Patterns of files and folders to exclude, in addition to hidden ones and those that tools generate.':
    'Muster von Dateien und Ordnern, die ausgeschlossen werden, zusätzlich zu versteckten und von Tools erzeugten.',
  'Largest file to sync. Default and maximum: 10 for text files, 20 for PDFs.':
    'Größte Datei. Standard und Maximum: 10 bei Textdateien, 20 bei PDFs.',
  '`true`: follow symbolic links. Default: false.': '`true`: symbolischen Links folgen.',
  '`false`: also sync files that git ignores in a repository. Default: true.':
    '`false`: auch Dateien, die git in einem Repository ignoriert.',
  '`false`: skip images. Otherwise the text in PNG, JPEG, TIFF and WebP files of more than 4 KB is read, unless `ocr` is off. Default: true.':
    '`false`: Bilder überspringen. Sonst wird der Text in PNG-, JPEG-, TIFF- und WebP-Dateien über 4 KB gelesen, außer `ocr` ist aus.',
  'Folders to sync, with their subfolders. Default: those of ~/Documents.':
    'Ordner mit ihren Unterordnern. Standard: ~/Documents.',
  'Folders of your vaults, e.g. ["~/Documents/Notes"].': 'Ordner deiner Vaults, z. B. ["~/Documents/Notes"].',
  '`false`: create no digests. Default: true.': '`false`: keine Zusammenfassungen erstellen.',
  'Folders to sync, with their subfolders. Default: none; only digests are created.':
    'Ordner mit ihren Unterordnern. Standard: keine; es gibt nur Zusammenfassungen.',
  'Your exports from ChatGPT, Claude and Gemini (Google Takeout): .zip files, or folders with them, packed or unpacked. recalld never changes them.':
    'Deine Exporte aus ChatGPT, Claude und Gemini (Google Takeout): ZIP-Dateien oder Ordner damit, gepackt oder entpackt. recalld ändert sie nie.',
  'Chats exported from WhatsApp (.zip or .txt), Telegram Desktop (result.json) and Signal (main.jsonl), or the database of Messages on a Mac (chat.db): files, or folders with them.':
    'Aus WhatsApp (.zip oder .txt), Telegram Desktop (result.json) und Signal (main.jsonl) exportierte Chats oder die Datenbank von Nachrichten auf einem Mac (chat.db): Dateien oder Ordner damit.',
  'Names of chats to exclude, e.g. ["Family*"]; `*` matches any text.':
    'Namen von Chats, die ausgeschlossen werden, z. B. ["Family*"]; `*` steht für beliebigen Text.',
  'Where recalld listens for lines: path of a Unix socket (0600), or a port on 127.0.0.1.':
    'Wo recalld Zeilen empfängt: Pfad eines Unix-Sockets (0600) oder ein Port auf 127.0.0.1.',
  'Addresses of RSS, Atom or JSON feeds, e.g. ["{url}"].': 'Adressen von RSS-, Atom- oder JSON-Feeds, z. B. ["{url}"].',
  'Addresses of calendars in iCalendar format, e.g. ["{url}"]. Keep secret addresses secret.':
    'Adressen von Kalendern im iCalendar-Format, z. B. ["{url}"]. Halte geheime Adressen geheim.',
  'CalDAV server, e.g. cloud.example.org or caldav.fastmail.com. Default: that of the mail address in `user`.':
    'CalDAV-Server, z. B. cloud.example.org oder caldav.fastmail.com. Standard: der zur E-Mail-Adresse in `user`.',
  'Your user name at the server, usually your mail address.':
    'Dein Benutzername auf dem Server, meist deine E-Mail-Adresse.',
  'Names of calendars to exclude, e.g. ["Birthdays", "Team*"]; `*` matches any text.':
    'Namen von Kalendern, die ausgeschlossen werden, z. B. ["Birthdays", "Team*"]; `*` steht für beliebigen Text.',
  'Mail server, e.g. imap.fastmail.com.': 'E-Mail-Server, z. B. imap.fastmail.com.',
  'Port of the server. Default: 993, with STARTTLS 143.': 'Port des Servers. Standard: 993, mit STARTTLS 143.',
  'How the connection is encrypted: tls, starttls, or none, which is allowed only for a server on this machine.':
    'Wie die Verbindung verschlüsselt wird: tls, starttls oder none; none ist nur für einen Server auf diesem Computer erlaubt.',
  'Whether a second connection waits for new mail, which is then synced within seconds while recalld runs: in the inbox, or in the first of `folders`. Other folders and deletions follow on schedule.':
    'Ob eine zweite Verbindung auf neue E-Mails wartet, die dann innerhalb von Sekunden synchronisiert werden, solange recalld läuft: im Posteingang oder im ersten Ordner aus `folders`. Andere Ordner und Löschungen folgen nach Zeitplan.',
  'Sync only these folders, by their full path, e.g. ["INBOX", "Archive/2026"]; also trash or spam.':
    'Nur diese Ordner, mit vollem Pfad, z. B. ["INBOX", "Archive/2026"]; auch Papierkorb oder Spam.',
  'Exclude these folders and the folders inside them. Trash, spam and drafts are synced only if `folders` names them.':
    'Diese Ordner und die Ordner darin ausschließen. Papierkorb, Spam und Entwürfe werden nur synchronisiert, wenn `folders` sie nennt.',
}

/** The texts of connectors in German, by their English ones; see `pages/sources/connector-texts.ts`. */
export const connectorTexts: Readonly<Record<string, string>> = {
  ...summaries,
  ...steps,
  ...about,
  ...limits,
  ...settings,
}
