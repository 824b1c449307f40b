/** What an item is, and when it is deleted. */
export const about: Readonly<Record<string, string>> = {
  'a conversation (one item per 20 messages), without quoted replies and signatures; attachments by name only':
    'eine Konversation (ein Eintrag je 20 Nachrichten), ohne zitierte Antworten und Signaturen; von Anhängen nur der Name',
  'an event, or a series with its changed occurrences: when, where, who, and description':
    'ein Termin, oder eine Serie mit ihren Änderungen: wann, wo, mit wem, Beschreibung',
  'a document with all tabs, a spreadsheet with all sheets, a presentation with its notes, each with its comments; a PDF, Office, OpenDocument or text file; shortcuts are followed; pictures, recordings, archives, forms and drawings are skipped':
    'ein Dokument mit allen Tabs, eine Tabelle mit allen Blättern, eine Präsentation mit ihren Notizen, jeweils mit Kommentaren; eine PDF-, Office-, OpenDocument- oder Textdatei; Verknüpfungen wird gefolgt; Bilder, Aufnahmen, Archive, Formulare und Zeichnungen werden übersprungen',
  'the transcript of a recorded meeting': 'das Transkript einer aufgezeichneten Besprechung',
  'half an hour of a transcript; the notes Gemini took in a meeting: their text if access to Drive was granted too (`gdocs`), otherwise a link':
    'eine halbe Stunde eines Transkripts; die Notizen von Gemini zu einer Besprechung: ihr Text, wenn auch Zugriff auf Drive gewährt wurde (`gdocs`), sonst ein Link',
  'a task with its subtasks, including completed ones': 'eine Aufgabe mit ihren Unteraufgaben, auch erledigte',
  'a person: names, addresses, work, birthdays, relations, notes':
    'eine Person: Namen, Adressen, Arbeit, Geburtstage, Beziehungen, Notizen',
  'a video you liked or saved to a playlist; a playlist with its first 50 videos; all subscriptions in one item; the videos you watched on one day':
    'ein Video, das du mit „Mag ich“ markiert oder in einer Playlist gespeichert hast; eine Playlist mit ihren ersten 50 Videos; alle Abos in einem Eintrag; die an einem Tag angesehenen Videos',
  'a day of photos from exports, with albums, people, places and captions; a photo you picked; never the picture itself':
    'ein Tag mit Fotos aus Exporten, mit Alben, Personen, Orten und Bildunterschriften; ein ausgewähltes Foto; nie das Bild selbst',
  'a book on a shelf, with your review; a highlight or note in a book; not the shelves that Google fills (recently viewed, recommended, browsing history)':
    'ein Buch in einem Regal, mit deiner Rezension; eine Markierung oder Notiz in einem Buch; nicht die Regale, die Google füllt (zuletzt angesehen, empfohlen, Suchverlauf)',
  'a day in numbers: steps, distance, energy, heart rate, weight, sleep; an exercise':
    'ein Tag in Zahlen: Schritte, Strecke, Energie, Herzfrequenz, Gewicht, Schlaf; ein Training',
  'a conversation (one item per 20 mails), with the mails of all folders; attachments by name only':
    'eine Konversation (ein Eintrag je 20 E-Mails), mit den E-Mails aller Ordner; von Anhängen nur der Name',
  'an event, or a series with its exceptions; cancelled events are marked':
    'ein Termin, oder eine Serie mit ihren Ausnahmen; abgesagte Termine sind gekennzeichnet',
  'a thread of a channel, also of one that another team shares with yours or with you; with `direct_messages`, a chat on one day (UTC)':
    'ein Thread eines Kanals, auch eines, den ein anderes Team mit deinem oder mit dir teilt; mit `direct_messages` ein Chat an einem Tag (UTC)',
  'one file with text: Office, OpenDocument, PDF, Markdown, HTML, text':
    'eine Datei mit Text: Office, OpenDocument, PDF, Markdown, HTML, Text',
  'one file with text; one published page; one entry of a list in `lists`':
    'eine Datei mit Text; eine veröffentlichte Seite; ein Eintrag einer Liste aus `lists`',
  'a thread; the other messages of a channel on one day (UTC)':
    'ein Thread; die übrigen Nachrichten eines Kanals an einem Tag (UTC)',
  'an issue, pull request or discussion (one item per 60 comments), a release, a text file of the default branch':
    'ein Issue, ein Pull Request oder eine Diskussion (ein Eintrag je 60 Kommentare), ein Release, eine Textdatei des Standard-Branches',
  'a task with its comments and a list of its subtasks; a project with its description, brief and status updates':
    'eine Aufgabe mit ihren Kommentaren und einer Liste ihrer Unteraufgaben; ein Projekt mit Beschreibung, Briefing und Statusberichten',
  'an issue with its description, state and comments': 'ein Issue mit Beschreibung, Status und Kommentaren',
  'a page with its text, or an entry of a database with its properties; files by name only':
    'eine Seite mit ihrem Text, oder ein Datenbankeintrag mit seinen Eigenschaften; von Dateien nur der Name',
  'a page with its text; files by name only': 'eine Seite mit ihrem Text; von Dateien nur der Name',
  'an issue or merge request with its description, state and comments':
    'ein Issue oder Merge Request mit Beschreibung, Status und Kommentaren',
  'about 20 prompts of a session, with the answers': 'etwa 20 Prompts einer Sitzung, mit den Antworten',
  'the pages of one site on one day': 'die Seiten einer Website an einem Tag',
  'one Markdown, text, HTML, PDF, Word, PowerPoint, Excel or OpenDocument file, or an image with text':
    'eine Markdown-, Text-, HTML-, PDF-, Word-, PowerPoint-, Excel- oder OpenDocument-Datei, oder ein Bild mit Text',
  'one text, Markdown, Word, OpenDocument text, mail, calendar or contact file':
    'eine Text-, Markdown-, Word-, OpenDocument-Text-, E-Mail-, Kalender- oder Kontaktdatei',
  'one PDF file': 'eine PDF-Datei',
  'a note with its properties, tags and links; a daily note on its day; the cards of a canvas; not templates, comments and query results':
    'eine Notiz mit Eigenschaften, Tags und Links; eine Tagesnotiz an ihrem Tag; die Karten eines Canvas; keine Vorlagen, Kommentare und Abfrageergebnisse',
  'a digest of the items memorized in one week, or a file':
    'eine Zusammenfassung der in einer Woche gespeicherten Einträge, oder eine Datei',
  'about 20 prompts of a conversation, with the answers; of edited prompts and repeated answers, those that are shown; with Gemini, what you asked on one day (UTC)':
    'etwa 20 Prompts einer Unterhaltung, mit den Antworten; von bearbeiteten Prompts und wiederholten Antworten die angezeigten; bei Gemini, was du an einem Tag gefragt hast (UTC)',
  'a chat on one day; names of files instead of pictures and recordings; no system messages':
    'ein Chat an einem Tag; Dateinamen statt Bildern und Aufnahmen; keine Systemnachrichten',
  'one line of JSON; a later line with the same `id` replaces it':
    'eine JSON-Zeile; eine spätere Zeile mit derselben `id` ersetzt sie',
  'a feed entry, with the text in the feed': 'ein Feed-Eintrag mit dem Text, der im Feed steht',
  'a mail, without quoted replies and signatures; attachments by name only':
    'eine E-Mail, ohne zitierte Antworten und Signaturen; von Anhängen nur der Name',
  'at the next sync, also when it is moved to trash or spam; drafts and chats are never synced, promotions and social mail only if exclude_categories allows it':
    'bei der nächsten Synchronisierung, auch beim Verschieben in Papierkorb oder Spam; Entwürfe und Chats werden nie synchronisiert, Werbung und soziale Netzwerke nur, wenn exclude_categories es erlaubt',
  'at the next sync; also the events of a calendar you remove from your list':
    'bei der nächsten Synchronisierung; auch die Termine eines Kalenders, den du aus deiner Liste entfernst',
  'at the next sync when it is deleted, moved to the trash or no longer accessible; within a week when only a folder above it was deleted':
    'bei der nächsten Synchronisierung, wenn die Datei gelöscht, in den Papierkorb verschoben oder nicht mehr zugänglich ist; innerhalb einer Woche, wenn nur ein Ordner darüber gelöscht wurde',
  'never: recordings are often deleted by a rule of the account, the memory is kept':
    'nie: Aufzeichnungen werden oft nach einer Regel des Kontos gelöscht, die Erinnerung bleibt',
  'never: Google deletes every record after 30 days, the memory is kept':
    'nie: Google löscht jede Aufzeichnung nach 30 Tagen, die Erinnerung bleibt',
  'deleted tasks and lists at the next sync; tasks that left a list unreported, such as some moved tasks, within an hour':
    'gelöschte Aufgaben und Listen bei der nächsten Synchronisierung; Aufgaben, die eine Liste ohne Meldung verlassen haben, etwa manche verschobene, innerhalb einer Stunde',
  'at the next sync, a few minutes after the deletion; merged contacts become one':
    'bei der nächsten Synchronisierung, einige Minuten nach dem Löschen; zusammengeführte Kontakte werden zu einem',
  'videos removed from every playlist: within a week; playlists: at the next sync; watched videos: never':
    'aus allen Playlists entfernte Videos: innerhalb einer Woche; Playlists: bei der nächsten Synchronisierung; angesehene Videos: nie',
  'never: exports and picked photos are copies': 'nie: Exporte und ausgewählte Fotos sind Kopien',
  'books, shelves and reviews within a day; highlights and notes at the next sync':
    'Bücher, Regale und Rezensionen innerhalb eines Tages; Markierungen und Notizen bei der nächsten Synchronisierung',
  'days and exercises of the last 7 days: at the next sync; older ones and those from exports are kept':
    'Tage und Trainings der letzten 7 Tage: bei der nächsten Synchronisierung; ältere und die aus Exporten bleiben',
  'mails that are deleted, moved to Deleted Items, or moved to a folder that is not synced: at the next sync':
    'E-Mails, die gelöscht, in „Gelöschte Elemente“ oder in einen nicht synchronisierten Ordner verschoben werden: bei der nächsten Synchronisierung',
  'events from last month to a year from now: at the next sync; others within a day':
    'Termine vom letzten Monat bis in einem Jahr: bei der nächsten Synchronisierung; andere innerhalb eines Tages',
  'deleted messages, and teams and chats you leave, at the next sync':
    'gelöschte Nachrichten sowie Teams und Chats, die du verlässt, bei der nächsten Synchronisierung',
  'deleted files at the next sync; files in a folder renamed into or out of an excluded one with `recalld sync ms-onedrive --full`':
    'gelöschte Dateien bei der nächsten Synchronisierung; Dateien in einem Ordner, der durch Umbenennen ausgeschlossen oder eingeschlossen wird, mit `recalld sync ms-onedrive --full`',
  'at the next sync, also everything in sites you no longer follow; files in a folder renamed into or out of an excluded one with `recalld sync ms-sharepoint --full`':
    'bei der nächsten Synchronisierung, auch alles in Websites, denen du nicht mehr folgst; Dateien in einem Ordner, der durch Umbenennen ausgeschlossen oder eingeschlossen wird, mit `recalld sync ms-sharepoint --full`',
  'deleted messages: the newest 200 or so in a channel and those of the last 14 days at the next sync, those of the last 90 days within a week, older ones with `recalld sync slack --full` (a thread is as old as its first message); channels you leave or exclude: at the next sync; messages hidden by the plan of the workspace: never':
    'gelöschte Nachrichten: etwa die neuesten 200 eines Kanals und die der letzten 14 Tage bei der nächsten Synchronisierung, die der letzten 90 Tage innerhalb einer Woche, ältere mit `recalld sync slack --full` (ein Thread ist so alt wie seine erste Nachricht); Kanäle, die du verlässt oder ausschließt: bei der nächsten Synchronisierung; Nachrichten, die der Tarif des Workspace verbirgt: nie',
  'within a day; files at the next sync after a push':
    'innerhalb eines Tages; Dateien bei der nächsten Synchronisierung nach einem Push',
  'tasks in projects at the next sync, your own tasks without a project within a day; anything you exclude or lose access to at the next sync':
    'Aufgaben in Projekten bei der nächsten Synchronisierung, deine eigenen ohne Projekt innerhalb eines Tages; alles, was du ausschließt oder worauf du keinen Zugriff mehr hast, bei der nächsten Synchronisierung',
  'issues in the trash at the next sync, deleted ones within a day; archived ones stay':
    'Issues im Papierkorb bei der nächsten Synchronisierung, gelöschte innerhalb eines Tages; archivierte bleiben',
  'within a day, also when a page is no longer shared with the integration':
    'innerhalb eines Tages, auch wenn eine Seite nicht mehr für die Integration freigegeben ist',
  'within a day': 'innerhalb eines Tages',
  'never, because tools delete old sessions on their own': 'nie, weil Tools alte Sitzungen von sich aus löschen',
  'never; cleared or expired history is kept, unless you exclude its site':
    'nie; gelöschter oder abgelaufener Verlauf bleibt, außer du schließt die Website aus',
  'when the file is deleted, moved or excluded': 'wenn die Datei gelöscht, verschoben oder ausgeschlossen wird',
  'when the note is deleted, moved or excluded': 'wenn die Notiz gelöscht, verschoben oder ausgeschlossen wird',
  'when the file is deleted; digests are kept': 'wenn die Datei gelöscht wird; Zusammenfassungen bleiben',
  'never, because exports are copies': 'nie, weil Exporte Kopien sind',
  'by a line with its `id` and `"deleted": true`': 'durch eine Zeile mit ihrer `id` und `"deleted": true`',
  never: 'nie',
  'an event that was still to come: at the next sync; past events are kept, because feeds drop them':
    'ein Termin, der noch bevorstand: bei der nächsten Synchronisierung; vergangene bleiben, weil Feeds sie weglassen',
  'at the next sync, past events too': 'bei der nächsten Synchronisierung, auch vergangene Termine',
  'within six hours, also when it is moved to trash or spam; a mail that moves to another folder stays':
    'innerhalb von sechs Stunden, auch beim Verschieben in Papierkorb oder Spam; E-Mails, die in einen anderen Ordner wandern, bleiben',
}
