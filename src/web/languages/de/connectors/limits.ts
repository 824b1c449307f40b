/** Limits of the sources, and APIs that are described in words. */
export const limits: Readonly<Record<string, string>> = {
  '6,000 quota units per minute (projects created before May 2026: 15,000); reading a conversation costs 10, a list of 500 costs 10, a run without changes 3':
    '6.000 Kontingenteinheiten pro Minute (vor Mai 2026 angelegte Projekte: 15.000); eine Konversation kostet 10, eine Liste von 500 kostet 10, ein Lauf ohne Änderungen 3',
  'quotas per minute, for the project and the person; 2,500 events per request, and two requests for each changed series':
    'Kontingente pro Minute, für das Projekt und die Person; 2.500 Termine pro Anfrage, und zwei Anfragen für jede geänderte Serie',
  'PDFs up to 20 MB, other files up to 10 MB; the first 5,000 rows and 100 columns of a sheet, the first 1,000,000 characters of a spreadsheet':
    'PDFs bis 20 MB, andere Dateien bis 10 MB; die ersten 5.000 Zeilen und 100 Spalten eines Blatts, die ersten 1.000.000 Zeichen einer Tabelle',
  'records are kept for 30 days': 'Aufzeichnungen bleiben 30 Tage erhalten',
  'one request per 100 tasks; at most 20,000 open tasks in a list':
    'eine Anfrage je 100 Aufgaben; höchstens 20.000 offene Aufgaben in einer Liste',
  'a sync token expires 7 days after the last full sync; the first page of a full sync has its own quota':
    'ein Sync-Token läuft 7 Tage nach dem letzten vollständigen Abgleich ab; die erste Seite eines vollständigen Abgleichs hat ein eigenes Kontingent',
  '10,000 units per day, until midnight Pacific Time: a run costs one per playlist, a full sync two per 50 videos; no API lists watched videos or Watch Later':
    '10.000 Einheiten pro Tag, bis Mitternacht pazifischer Zeit: ein Lauf kostet eine je Playlist, ein vollständiger Abgleich zwei je 50 Videos; keine API nennt angesehene Videos oder „Später ansehen“',
  'since 2025-03-31 no API lists a library; adding a .tgz archive makes recalld read all of them again, so .zip is faster':
    'seit dem 31.03.2025 listet keine API eine Mediathek auf; ein neues .tgz-Archiv lässt recalld alle erneut lesen, .zip ist also schneller',
  '40 books per request; Google does not list books removed from a shelf':
    '40 Bücher pro Anfrage; Google nennt keine Bücher, die aus einem Regal entfernt wurden',
  'heart rate and energy for at most 14 days per request; the Fit API accepts no new apps and shuts down at the end of 2026':
    'Herzfrequenz und Energie für höchstens 14 Tage pro Anfrage; die Fit-API nimmt keine neuen Apps an und wird Ende 2026 abgeschaltet',
  'Graph reports only the ID of a permanently deleted mail, so the headers of all mails are listed again, 200 per request; in mailboxes with more than 4,000 mails at most once a minute for every 200; the texts of a first sync come 100 mails a request':
    'Graph meldet nur die ID einer endgültig gelöschten E-Mail, deshalb werden die Kopfzeilen aller E-Mails erneut aufgelistet, 200 pro Anfrage; in Postfächern mit mehr als 4.000 E-Mails höchstens einmal pro Minute je 200; beim ersten Abgleich kommen die Texte von 100 E-Mails pro Anfrage',
  'the dates of a view are fixed; Graph does not name the series of a deleted occurrence, which is known by its id':
    'die Daten einer Ansicht stehen fest; Graph nennt die Serie eines gelöschten Termins nicht, er wird an seiner ID erkannt',
  'channels that a team of another organization shares with you alone are not listed; Microsoft allows checking for changes once a day; delta goes back eight months, older messages are listed once':
    'Kanäle, die ein Team einer anderen Organisation nur mit dir teilt, werden nicht aufgelistet; Microsoft erlaubt eine Prüfung auf Änderungen pro Tag; Änderungen reichen acht Monate zurück, ältere Nachrichten werden einmal aufgelistet',
  'SharePoint resource units; `Retry-After` is respected; text files up to 10 MB, PDFs up to 20 MB':
    'Ressourceneinheiten von SharePoint; `Retry-After` wird beachtet; Textdateien bis 10 MB, PDFs bis 20 MB',
  'Slack gives apps that are distributed outside the Marketplace one request per minute, which is respected':
    'Slack erlaubt Apps, die außerhalb des Marketplace verteilt werden, eine Anfrage pro Minute; das wird beachtet',
  '5,000 requests per hour; secondary limits are respected':
    '5.000 Anfragen pro Stunde; sekundäre Limits werden beachtet',
  'Asana keeps events for 24 hours; after that the whole project is listed again. Changed subtasks are found through events, and for open tasks also in a daily comparison. Edited and deleted comments are found through events, otherwise when their task changes. 150 requests per minute without a paid plan':
    'Asana bewahrt Ereignisse 24 Stunden auf; danach wird das ganze Projekt erneut aufgelistet. Geänderte Unteraufgaben werden über Ereignisse gefunden, bei offenen Aufgaben auch durch einen täglichen Vergleich. Bearbeitete und gelöschte Kommentare werden über Ereignisse gefunden, sonst wenn sich ihre Aufgabe ändert. 150 Anfragen pro Minute ohne bezahlten Tarif',
  'a month of recordings for each request; a new topic counts for seven days; chats, summaries and recordings on a computer are left out':
    'eine Anfrage für jeden Monat mit Aufzeichnungen; ein neues Thema gilt sieben Tage lang; Chats, Zusammenfassungen und Aufzeichnungen auf einem Computer fehlen',
  'Linear limits requests and their complexity per hour, which is respected; deleted comments are noticed when their issue changes':
    'Linear begrenzt Anfragen und ihre Komplexität pro Stunde; das wird beachtet; gelöschte Kommentare werden bemerkt, wenn sich ihr Issue ändert',
  'three requests a second, which is respected; comments are left out; pages of more than 5,000 blocks are cut off':
    'drei Anfragen pro Sekunde, was beachtet wird; Kommentare fehlen; Seiten mit mehr als 5.000 Blöcken werden gekürzt',
  '`Retry-After` is respected; files by name only; Jira Data Center is not supported':
    '`Retry-After` wird beachtet; von Dateien nur der Name; Jira Data Center wird nicht unterstützt',
  '`Retry-After` is respected; comments and blog posts are left out; Confluence Data Center is not supported':
    '`Retry-After` wird beachtet; Kommentare und Blogbeiträge fehlen; Confluence Data Center wird nicht unterstützt',
  '`Retry-After` and `RateLimit-Reset` are respected; files and wikis are left out':
    '`Retry-After` und `RateLimit-Reset` werden beachtet; Dateien und Wikis fehlen',
  'sub-agents of Cursor, VS Code and Gemini CLI are skipped':
    'Sub-Agenten von Cursor, VS Code und Gemini CLI werden übersprungen',
  'Chrome keeps 90 days': 'Chrome bewahrt 90 Tage auf',
  'text files and images up to 10 MB, PDFs up to 20 MB': 'Textdateien und Bilder bis 10 MB, PDFs bis 20 MB',
  'files up to 10 MB': 'Dateien bis 10 MB',
  'of several states of a conversation the newest counts; files, pictures and projects are left out':
    'von mehreren Ständen einer Konversation zählt der neueste; Dateien, Bilder und Projekte fehlen',
  'WhatsApp writes times in the time zone of the phone, which is taken for that of recalld; of a day in several exports, the one with most messages counts; no disappearing messages of Signal, no reactions; files up to 256 MB, chat.db of any size':
    'WhatsApp schreibt Zeiten in der Zeitzone des Telefons, die als die von recalld gilt; von einem Tag in mehreren Exporten zählt der mit den meisten Nachrichten; keine verschwindenden Nachrichten von Signal, keine Reaktionen; Dateien bis 256 MB, chat.db in jeder Größe',
  'lines of at most 10 MB': 'Zeilen von höchstens 10 MB',
  '10 MiB and 30 s per feed; redirects from the internet to a private network are not followed':
    '10 MiB und 30 s je Feed; Weiterleitungen aus dem Internet in ein privates Netz wird nicht gefolgt',
  '10 MiB and 30 s per calendar; redirects from the internet to a private network are not followed':
    '10 MiB und 30 s je Kalender; Weiterleitungen aus dem Internet in ein privates Netz wird nicht gefolgt',
  '50 events in a request; tasks and journals are left out; 32 MiB for one answer':
    '50 Termine pro Anfrage; Aufgaben und Journale fehlen; 32 MiB für eine Antwort',
  'one connection, and with `push` another one that waits for new mail; of mails over 256 KiB only the texts are downloaded':
    'eine Verbindung, mit `push` eine weitere, die auf neue E-Mails wartet; von E-Mails über 256 KiB werden nur die Texte geladen',
  'files of the tool on this machine': 'Dateien des Werkzeugs auf diesem Rechner',
  'copies of the history databases of Chromium browsers, Firefox and Safari':
    'Kopien der Verlaufsdatenbanken von Chromium-Browsern, Firefox und Safari',
  'files on this machine': 'Dateien auf diesem Rechner',
  'Markdown and canvas files on this machine; settings in .obsidian':
    'Markdown- und Canvas-Dateien auf diesem Rechner; Einstellungen in .obsidian',
  'the ledger of recalld; files': 'das Verzeichnis von recalld; Dateien',
  'conversations.json of the exports of ChatGPT and Claude, activity of Gemini Apps as JSON in Google Takeout, in a .zip or unpacked':
    'conversations.json aus den Exporten von ChatGPT und Claude, Aktivität der Gemini-Apps als JSON in Google Takeout, als .zip oder entpackt',
  'text exports of WhatsApp and main.jsonl of Signal, in a .zip or unpacked; result.json of Telegram Desktop; chat.db of Messages, with the databases of Contacts for names':
    'Textexporte von WhatsApp und main.jsonl von Signal, als .zip oder entpackt; result.json von Telegram Desktop; chat.db von Nachrichten, mit den Datenbanken von Kontakte für Namen',
  'lines of JSON, from standard input or a socket': 'JSON-Zeilen, von der Standardeingabe oder einem Socket',
}
