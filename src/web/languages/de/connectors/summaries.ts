/** Titles and summaries of connectors, and what their parts are called. */
export const summaries: Readonly<Record<string, string>> = {
  'Google Docs and Drive': 'Google Docs und Drive',
  'Google Health and Fit': 'Google Health und Fit',
  'Outlook Calendar': 'Outlook-Kalender',
  'Browser history': 'Browserverlauf',
  'Technical documents': 'Technische Dokumente',
  'Text files': 'Textdateien',
  'PDF files': 'PDF-Dateien',
  'Weekly updates': 'Wochenberichte',
  'Chat exports': 'Chat-Exporte',
  'Messenger exports': 'Messenger-Exporte',
  Stream: 'Datenstrom',
  'Calendar feeds': 'Kalender-Feeds',
  'Calendar (CalDAV)': 'Kalender (CalDAV)',
  'Mail (IMAP)': 'E-Mail (IMAP)',
  'Your mail as conversations, without quoted replies and signatures.':
    'Deine E-Mails als Konversationen, ohne zitierte Antworten und Signaturen.',
  'Events in your calendars: when, where, who, and notes.':
    'Termine in deinen Kalendern: wann, wo, mit wem, und die Notizen dazu.',
  'Documents, spreadsheets and presentations with their comments, and PDF and Office files.':
    'Dokumente, Tabellen und Präsentationen mit ihren Kommentaren sowie PDF- und Office-Dateien.',
  'Transcripts of your meetings that were recorded in the cloud.':
    'Transkripte deiner Besprechungen, die in der Cloud aufgezeichnet wurden.',
  'Transcripts and notes of your meetings.': 'Transkripte und Notizen deiner Besprechungen.',
  'Your tasks and their subtasks, including completed ones.': 'Deine Aufgaben und Unteraufgaben, auch die erledigten.',
  'The people you know: names, work, birthdays, notes.':
    'Die Menschen, die du kennst: Namen, Arbeit, Geburtstage, Notizen.',
  'Videos you liked, saved to playlists or watched, and your subscriptions.':
    'Videos, die du mit „Mag ich“ markiert, in Playlists gespeichert oder angesehen hast, und deine Abos.',
  'Your photos by day, with places, people and captions; never the pictures themselves.':
    'Deine Fotos nach Tagen, mit Orten, Personen und Bildunterschriften; nie die Bilder selbst.',
  'Books on your shelves, with your reviews, highlights and notes.':
    'Bücher in deinen Regalen, mit deinen Rezensionen, Markierungen und Notizen.',
  'Days in numbers: steps, sleep, heart rate, weight, exercises.':
    'Tage in Zahlen: Schritte, Schlaf, Herzfrequenz, Gewicht, Trainings.',
  'Your mail as conversations, from all folders.': 'Deine E-Mails als Konversationen, aus allen Ordnern.',
  'Conversations of the channels you are in, and your chats if you choose.':
    'Konversationen der Kanäle, in denen du bist, und auf Wunsch deine Chats.',
  'Office, PDF and text files in your drive.': 'Office-, PDF- und Textdateien in deinem Laufwerk.',
  'Files, pages and lists of the sites you follow.': 'Dateien, Seiten und Listen der Websites, denen du folgst.',
  'Threads and messages of the channels you are in, and direct messages if you choose.':
    'Threads und Nachrichten der Kanäle, in denen du bist, und auf Wunsch Direktnachrichten.',
  'Issues, pull requests, discussions, releases and documents of your repositories.':
    'Issues, Pull Requests, Diskussionen, Releases und Dokumente deiner Repositorys.',
  'Tasks with their comments, and projects with their briefs and status updates.':
    'Aufgaben mit ihren Kommentaren, und Projekte mit Briefings und Statusberichten.',
  'Issues of your teams, with their comments.': 'Issues deiner Teams, mit ihren Kommentaren.',
  'Pages and database entries that you share with your integration.':
    'Seiten und Datenbankeinträge, die du für deine Integration freigibst.',
  'Issues of the projects you see, with their comments.':
    'Vorgänge der Projekte, die du siehst, mit ihren Kommentaren.',
  'Pages of the spaces you see.': 'Seiten der Bereiche, die du siehst.',
  'Issues and merge requests of your projects, with their comments.':
    'Issues und Merge Requests deiner Projekte, mit ihren Kommentaren.',
  'Your sessions: your prompts and the answers.': 'Deine Sitzungen: deine Prompts und die Antworten.',
  'Your chats: your prompts and the answers.': 'Deine Chats: deine Prompts und die Antworten.',
  'Your chats with assistants in the editor.': 'Deine Chats mit Assistenten im Editor.',
  'The pages you visited, by day, from Chromium browsers, Firefox and Safari.':
    'Die Seiten, die du besucht hast, nach Tagen, aus Chromium-Browsern, Firefox und Safari.',
  'Markdown, PDF, Office and text files in your folders, and the text in images.':
    'Markdown-, PDF-, Office- und Textdateien in deinen Ordnern, und der Text in Bildern.',
  'Notes, text and Word files, saved mail, calendar and contact files in your folders.':
    'Notizen, Text- und Word-Dateien, gespeicherte E-Mails, Kalender- und Kontaktdateien in deinen Ordnern.',
  'PDF files in your folders.': 'PDF-Dateien in deinen Ordnern.',
  'Notes of your Obsidian vaults, with their properties, tags and links.':
    'Notizen deiner Obsidian-Vaults, mit Eigenschaften, Tags und Links.',
  'A digest of each week, and updates you write yourself.':
    'Eine Zusammenfassung jeder Woche, und Berichte, die du selbst schreibst.',
  'Your conversations with ChatGPT, Claude and Gemini, from their exports.':
    'Deine Unterhaltungen mit ChatGPT, Claude und Gemini, aus deren Exporten.',
  'Your chats of WhatsApp, Telegram, Signal and iMessage, from their exports.':
    'Deine Chats aus WhatsApp, Telegram, Signal und iMessage, aus deren Exporten.',
  'Anything your own programs send as lines of JSON.': 'Alles, was deine eigenen Programme als JSON-Zeilen senden.',
  'Entries of RSS, Atom and JSON feeds.': 'Einträge von RSS-, Atom- und JSON-Feeds.',
  'Events of any calendar with an iCalendar address: Fastmail, iCloud, Nextcloud, teams and clubs.':
    'Termine aus jedem Kalender mit iCalendar-Adresse: Fastmail, iCloud, Nextcloud, Teams und Vereine.',
  'Your calendars at any provider: Fastmail, iCloud, Nextcloud, or your own server.':
    'Deine Kalender bei jedem Anbieter: Fastmail, iCloud, Nextcloud oder dein eigener Server.',
  'Your mail at any provider: Fastmail, iCloud, Yahoo, or your own server.':
    'Deine E-Mails bei jedem Anbieter: Fastmail, iCloud, Yahoo oder dein eigener Server.',
  part: 'Teil',
  parts: 'Teile',
  calendar: 'Kalender',
  calendars: 'Kalender',
  list: 'Liste',
  lists: 'Listen',
  playlist: 'Playlist',
  playlists: 'Playlists',
  shelf: 'Regal',
  shelves: 'Regale',
  folder: 'Ordner',
  folders: 'Ordner',
  channel: 'Kanal',
  channels: 'Kanäle',
  repository: 'Repository',
  repositories: 'Repositorys',
  project: 'Projekt',
  projects: 'Projekte',
  team: 'Team',
  teams: 'Teams',
  workspace: 'Workspace',
  workspaces: 'Workspaces',
  space: 'Bereich',
  spaces: 'Bereiche',
  profile: 'Profil',
  profiles: 'Profile',
  vault: 'Vault',
  vaults: 'Vaults',
  assistant: 'Assistent',
  assistants: 'Assistenten',
  app: 'App',
  apps: 'Apps',
  feed: 'Feed',
  feeds: 'Feeds',
  'Gmail, Calendar, Drive, Meet, Tasks and Contacts': 'Gmail, Kalender, Drive, Meet, Tasks und Kontakte',
  Photos: 'Fotos',
  Books: 'Bücher',
  'Health and Fit': 'Health und Fit',
  'Outlook, Calendar, Teams, OneDrive and SharePoint': 'Outlook, Kalender, Teams, OneDrive und SharePoint',
}
