import { formatBytes, formatCount, formatDay, formatDollars, formatNoun, formatTime } from '../../ui/formats.ts'
import type { Translation } from '../translation.ts'

/** The cost of embedding. */
function costText(dollars: number): string {
  if (dollars === 0) return formatDollars(0)
  return dollars < 0.01 ? `unter ${formatDollars(0.01)}` : `etwa ${formatDollars(dollars)}`
}

/** Units of the speed of a model. */
const UNITS: Readonly<Partial<Record<string, string>>> = { tokens: 'Tokens', texts: 'Texte', passages: 'Abschnitte' }

export const settings: Translation['settings'] = {
  tabAccount: 'Konto',
  tabPeople: 'Mitglieder',
  tabSecurity: 'Sicherheit',
  tabKeys: 'Schlüssel',
  tabUsage: 'Nutzung',
  tabActivity: 'Aktivität',
  tabModels: 'Modelle',
  tabServer: 'Server',
  title: 'Einstellungen',
  goToAccount: 'Zu den Kontoeinstellungen',

  // Account
  accountAbout: 'Name und Zeitzone dieses Kontos. Deinen eigenen Namen änderst du unter',
  name: 'Name',
  timeZone: 'Zeitzone',
  ownersCanChange: 'Nur Inhaber des Kontos können das ändern.',
  accountSaved: 'Konto gespeichert',
  save: 'Speichern',
  timeZoneAbout: 'Gilt für Angaben wie „gestern“ in Fragen und für Tagesbudgets.',
  browserTimeZone: (zone) => `Zeitzone deines Browsers verwenden (${zone})`,
  noTimeZone: 'Keine passende Zeitzone. Versuche es mit einer großen Stadt in deiner Nähe.',

  // Data of the account
  yourData: 'Deine Daten',
  yourDataAbout:
    'Lade alles aus diesem Konto als eine Datei herunter: alle Originale, Erinnerungen und Aktivitäten. Du kannst sie auch ohne recalld lesen.',
  downloadEverything: 'Alles herunterladen',
  deleteAccountTitle: 'Konto löschen',
  deleteAccountAbout:
    'Löscht alle Einträge, Erinnerungen, Schlüssel, Quellen und Mitglieder dieses Kontos endgültig. Du bekommst einen Beleg als Datei.',
  deleteThisAccount: 'Dieses Konto löschen',
  deleteNamed: (account) => `${account} löschen?`,
  deleteDialogAbout:
    'Du kannst das nicht rückgängig machen, außer mit einer Sicherung des Servers oder deinem eigenen Download. Schlüssel und Sitzungen dieses Kontos enden sofort.',
  typeToDelete: (account) => `Gib zur Bestätigung ${account} ein`,
  deletePermanently: 'Endgültig löschen',
  deleting: (account) => `${account} wird gelöscht`,
  deletingAbout:
    'Das Konto ist nicht mehr zugänglich. Das Löschen der Daten dauert eine Weile und läuft im Hintergrund weiter.',
  receiptLater:
    'Der Beleg entsteht, sobald alles gelöscht ist. Der Admin des Servers findet ihn unter dieser Konto-ID:',
  accountDeleted: (account) => `${account} gelöscht`,
  receiptFacts: (items, bytes, memories, tables) =>
    `${formatNoun(items, 'Eintrag', 'Einträge')} (${formatBytes(bytes)}) und ${formatNoun(memories, 'Erinnerung', 'Erinnerungen')} gelöscht. ${formatNoun(tables, 'Datenbanktabelle', 'Datenbanktabellen')} geprüft: keine Daten übrig.`,
  receiptHash: 'SHA-256 über die Hashes der Einträge:',

  // People
  ownersOnly: (account) => `Nur Inhaber von ${account} können die Personen sehen und verwalten.`,
  peopleOf: (account) => `Personen in ${account}`,
  peopleAbout: 'Inhaber verwalten Schlüssel und Personen. Mitglieder suchen, laden Einträge hoch und löschen sie.',
  invite: 'Einladen',
  peopleAndInvitations: 'Personen und Einladungen',
  resetLinkFor: (person) => `Link zum Zurücksetzen des Passworts von ${person}`,
  invitationLink: 'Einladungslink',
  pendingInvitations: 'Offene Einladungen',
  anyoneWithLink: 'Alle mit dem Link',
  ownMemory: 'Eigenes Gedächtnis',
  asRole: (role) => (role === 'owner' ? 'Als Inhaber' : 'Als Mitglied'),
  expires: 'Ablauf:',
  revoke: 'Widerrufen',
  revokeInvitation: (person) => `Einladung von ${person} widerrufen`,
  accounts: 'Konten auf diesem Server',
  accountsAbout:
    'Jedes Konto hat ein eigenes Gedächtnis und eigene Personen und Schlüssel. Niemand kann in andere Konten sehen, auch Admins nicht.',
  accountList: 'Konten',
  accountFacts: (people, since) => `${formatNoun(people, 'Person', 'Personen')}, erstellt am ${formatDay(since)}`,
  accountCreated: (account) => `${account} erstellt`,
  accountCreatedAbout: 'Du bist Inhaber. Wechsle im Menü bei deinem Namen dorthin.',
  newAccount: 'Neues Konto',
  createAccount: 'Konto erstellen',
  inviteTitle: 'Person einladen',
  inviteAbout: 'Du bekommst einen Link zum Weitergeben. recalld verschickt keine E-Mails.',
  loginOptional: 'E-Mail-Adresse oder Benutzername (optional)',
  loginAbout:
    'Wird beim Registrieren vorausgefüllt. Meldet sich die Person über einen Anbieter an, gib ihre E-Mail-Adresse bei diesem Anbieter ein.',
  createLink: 'Link erstellen',
  access: 'Zugriff',
  memberOf: (account) => `Mitglied von ${account}`,
  ownerOf: (account) => `Inhaber von ${account}`,
  separateMemory: 'Eigenes, getrenntes Gedächtnis',
  linkAbout:
    'Gib diesen Link nur an diese Person weiter. Wer ihn hat, kann ihn benutzen. Du siehst ihn nicht noch einmal.',
  linkExpires: (time) => `Funktioniert einmal, bis ${formatTime(time)}.`,
  copyLink: 'Link kopieren',
  roleOf: (person) => `Rolle von ${person}`,
  owner: 'Inhaber',
  member: 'Mitglied',
  leaveAccount: 'Konto verlassen',
  removeNamed: (person) => `${person} entfernen`,
  leave: 'Verlassen',
  remove: 'Entfernen',
  removeAdminOf: (person) => `Adminrechte entziehen: ${person}`,
  makeAdminOf: (person) => `Zum Admin machen: ${person}`,
  removeAdmin: 'Adminrechte entziehen',
  makeAdmin: 'Zum Admin machen',
  resetPassword: 'Passwort zurücksetzen',
  resetPasswordOf: (person) => `Passwort von ${person} zurücksetzen`,
  you: 'Du',
  administrator: 'Admin',
  lastSeen: 'zuletzt aktiv',
  notSignedIn: 'nicht angemeldet',
  youLeft: (account) => `Du hast ${account} verlassen`,
  removedFrom: (person, account) => `${person} aus ${account} entfernt`,
  leaveTitle: (account) => `${account} verlassen?`,
  removeTitle: (person, account) => `${person} aus ${account} entfernen?`,
  leaveAbout:
    'Du verlierst den Zugriff auf dieses Gedächtnis. Wenn das dein einziges Konto ist, wirst du von diesem Server entfernt.',
  removePersonAbout:
    'Die Person verliert sofort den Zugriff auf dieses Gedächtnis. Wenn das ihr einziges Konto ist, wird sie abgemeldet und von diesem Server entfernt. Von ihr hochgeladene Einträge bleiben.',

  // Security
  nameSaved: 'Name gespeichert',
  profile: 'Profil',
  signInAs: (login) => `Du meldest dich als ${login} an.`,
  yourName: 'Dein Name',
  passwordChanged: 'Passwort geändert',
  signedOutElsewhere: 'Du bist überall sonst abgemeldet.',
  password: 'Passwort',
  passwordAbout: 'Wenn du es änderst, wirst du überall sonst abgemeldet.',
  currentPassword: 'Aktuelles Passwort',
  newPassword: 'Neues Passwort',
  changePassword: 'Passwort ändern',
  setPassword: 'Passwort festlegen',
  signedOutOf: (count) => `${formatNoun(count, 'andere Sitzung', 'andere Sitzungen')} beendet`,
  sessions: 'Sitzungen',
  sessionsAbout: 'Sitzungen enden, wenn du sie 30 Tage lang nicht nutzt.',
  signOutElsewhere: 'Überall sonst abmelden',
  thisSession: 'Diese Sitzung',
  used: 'zuletzt verwendet',
  lastUsed: 'Zuletzt genutzt',
  signedInOn: (time) => `angemeldet am ${formatTime(time)}`,
  signOut: 'Abmelden',
  signOutOf: (device) => `${device} abmelden`,
  passkeys: 'Passkeys',
  passkeysAbout:
    'Melde dich mit Fingerabdruck, Gesicht oder Sicherheitsschlüssel statt mit einem Passwort an. Ein Passkey funktioniert nur unter dem Hostnamen, unter dem du ihn hinzufügst.',
  passkeysUnsupported: 'Unter dieser Adresse unterstützen Browser keine Passkeys.',
  useHostName: 'Öffne die App mit einem Hostnamen über HTTPS.',
  open: 'Öffne',
  signInThere: 'und melde dich dort an, um einen hinzuzufügen.',
  passkeyFacts: (host, added) => `Für ${host}, hinzugefügt am ${formatDay(added)}`,
  neverUsed: 'nie verwendet',
  removePasskey: (name) => `Passkey ${name} entfernen`,
  passkeyAdded: 'Passkey hinzugefügt',
  passkeyName: 'Name des neuen Passkeys',
  passkeyNameExample: 'Laptop, Handy, Sicherheitsschlüssel',
  addPasskey: 'Passkey hinzufügen',
  passkeyExists: 'Auf diesem Gerät gibt es schon einen Passkey für dein Konto.',
  passkeyCancelled: 'Es wurde kein Passkey erstellt. Versuche es erneut, wenn du so weit bist.',
  passkeyRemoved: (name) => `${name} entfernt`,
  removeFromDevice: 'Entferne ihn auch von deinem Gerät oder aus deinem Passwortmanager.',
  removePasskeyTitle: (name) => `${name} entfernen?`,
  removePasskeyAbout: (host) => `Du kannst dich damit nicht mehr bei ${host} anmelden.`,

  // Models
  modelsInUse: 'Modelle',
  modelsAbout:
    'Die integrierten Modelle brauchen weder Netzwerk noch API-Schlüssel noch GPU. Du kannst sie durch eigene ersetzen.',
  testing: 'Test läuft',
  testModels: 'Modelle testen',
  languagePurpose: 'Erinnerungen und Antworten',
  languageBuiltIn: 'Regeln extrahieren Erinnerungen, Antworten sind wörtliche Zitate mit Quellen.',
  embeddingPurpose: 'Semantische Suche',
  embeddingBuiltIn:
    'Ein kleines Wortvektor-Modell auf diesem Server. Am besten funktioniert es für Englisch. Namen und genaue Wörter werden in jeder Sprache gefunden.',
  rankingPurpose: 'Ranking',
  rankingBuiltIn: 'Kombiniert Wörter, Bedeutung, Zeit und umgebende Abschnitte.',
  builtIn: 'Integriert',
  builtInModel: 'Das integrierte Modell',
  modelWorks: (model) => `${model} funktioniert`,
  retriedFormat: 'richtiges Format erst im zweiten Versuch',
  latency: (ms) => `Antwort nach ${formatCount(ms)} ms`,
  perSecond: (count, unit) => `${formatCount(count)} ${UNITS[unit] ?? unit} pro Sekunde`,
  usedFor: (uses) => `Verwendet für ${uses}.`,
  uses: { extract: 'Erinnerungen', ask: 'Antworten' },
  refined: (items) => `Erinnerungen aus ${formatNoun(items, 'Eintrag', 'Einträgen')} extrahiert`,
  gaveUp: (count) => `${formatCount(count)} fehlgeschlagen`,
  unproven: (count) => `${formatNoun(count, 'unbelegte Aussage', 'unbelegte Aussagen')} ausgelassen`,
  usedToday: (tokens, dollars) => `heute ${formatNoun(tokens, 'Token', 'Tokens')}, ${formatDollars(dollars)}`,
  itemsQueued: (count) => `${formatNoun(count, 'Eintrag', 'Einträge')} in der Warteschlange.`,
  itemsWaiting: (count, reason) => `${formatNoun(count, 'Eintrag wartet', 'Einträge warten')}: ${reason}`,
  continues: (time) => `Weiter am ${formatTime(time)}.`,
  textsEmbedded: 'Eingebettete Texte',
  preparing: (model) => `${model} wird vorbereitet`,
  retries: (time) => `Nächster Versuch am ${formatTime(time)}.`,
  countOf: (done, all) => `${formatCount(done)} von ${formatCount(all)}`,
  localModels: 'Bessere semantische Suche auf diesem Server',
  localModelsAbout:
    'Ein Satz-Encoder findet Erinnerungen, die anders formuliert sind als deine Frage. Dein Text bleibt auf diesem Server.',
  localModelTitles: { minilm: 'all-MiniLM-L6-v2, ein Satz-Encoder für Englisch' },
  localModelUsed: 'In Verwendung',
  addLocalModel: (size) => `Hinzufügen (${size})`,
  useLocalModel: 'Verwenden',
  removeLocalModel: 'Entfernen',
  localModelGives:
    'Mit seinem Reranker steht die richtige Stelle öfter auf Platz 1: bei 57 % der häufig gestellten Fragen (49 % mit dem integrierten Modell), bei 55 % der Fragen zu Chats zwischen zwei Personen (50 %) und bei 69 % der Fragen zu einem Jahr auf dem Handy (65 %). Hilft wenig bei Kanälen und Besprechungen. Nur Englisch.',
  localModelCosts: (licence) =>
    `Braucht 94 MB Speicherplatz, etwa 260 MB Arbeitsspeicher und 12 ms Rechenzeit pro Abschnitt. Lizenz: ${licence}.`,
  localModelTakes: (size, licence) =>
    `Braucht ${size} Speicherplatz und etwa 260 MB Arbeitsspeicher. Lizenz: ${licence}.`,
  localModelSteps: {
    download: 'Wird heruntergeladen',
    vectors: 'Dein Gedächtnis wird eingebettet',
    remove: 'Wird entfernt',
  },
  sizeOf: (done, all) => `${done} von ${all}`,
  languageModel: 'Sprachmodell',
  languageModelAbout:
    'Extrahiert bessere Erinnerungen und schreibt Antworten. Dein Text geht an den Anbieter, den du wählst. Mit Ollama bleibt er auf deinem Computer.',
  openAiCompatible: 'Ollama und OpenAI-kompatibel',
  modelName: 'Modell',
  modelAddress: 'Adresse',
  modelKey: 'API-Schlüssel',
  modelKeyOptional: 'API-Schlüssel (optional)',
  modelKeyAbout: 'Wird auf dem Server in einer privaten Datei gespeichert.',
  modelKeyKept: 'Lass das Feld leer, um den aktuellen Schlüssel zu behalten.',
  limitsDropped:
    'Die Token-Grenzen in config.yaml gehören zum aktuellen Modell. Ein anderes Modell übernimmt sie nicht.',
  priceAndBudget: 'Preis und Budget (optional)',
  priceInput: 'Eingabe, US-$ je Million Token',
  priceOutput: 'Ausgabe, US-$ je Million Token',
  priceHalf: 'Gib beide Preise an oder keinen.',
  priceOf: (model) => `Prüfe den Preis: Es ist der von ${model}.`,
  monthlyBudget: 'Höchstens je Monat und Konto, US-$',
  monthlyBudgetAbout: 'Leer: keine Grenze.',
  budgetAMonth:
    'Pro Kalendermonat. Ist es aufgebraucht, sind Antworten Zitate, und neue Erinnerungen entstehen bis zum nächsten Monat nach Regeln.',
  budgetNeedsPrice: 'Ein Budget braucht beide Preise.',
  noAmount: 'Gib einen Betrag an, etwa 0,15.',
  testAndUse: 'Testen und verwenden',
  languageModelSwitched: 'Sprachmodell gewechselt',
  languageModelKept: 'Es wird ab jetzt verwendet, ganz ohne Neustart.',
  removeLanguageModel: 'Integriertes verwenden',
  embeddingModel: 'Embedding-Modell eines Anbieters',
  embeddingModelAbout:
    'Findet Erinnerungen mit anderen Worten als deine Frage. Alle Texte deines Gedächtnisses gehen an den gewählten Anbieter; mit Ollama bleiben sie auf deinem Rechner.',
  embeddingPrice: 'Preis, US-$ je Million Token (optional)',
  testEmbedding: 'Testen',
  embedWith: (texts) => `Verwenden und ${formatCount(texts)} ${texts === 1 ? 'Text' : 'Texte'} einbetten`,
  embeddingTakes: ({ texts, tokens, dollars, seconds }) =>
    `${formatCount(texts)} ${texts === 1 ? 'Text wird' : 'Texte werden'} eingebettet, etwa ${formatCount(tokens)} Token. Kosten: ${dollars === null ? 'ohne Preis unbekannt' : costText(dollars)}. Dauer: etwa ${formatCount(Math.max(1, Math.round(seconds / 60)))} min. Bis dahin verwenden Fragen das integrierte Modell.`,
  embeddingBegun: 'Dein Gedächtnis wird eingebettet',
  embeddingBegunAbout: 'Das Modell wird verwendet, sobald alle Texte eingebettet sind.',
  removeEmbeddingModel: 'Integriertes verwenden',
  removeEmbeddingTitle: 'Integriertes Modell verwenden?',
  removeEmbeddingConfirm: 'Vektoren löschen und verwenden',
  vectorsDeleted: ({ vectors, dollars }) =>
    vectors === 0
      ? 'Von diesem Modell gibt es noch keine Vektoren.'
      : `${formatCount(vectors)} ${vectors === 1 ? 'Vektor dieses Modells wird' : 'Vektoren dieses Modells werden'} gelöscht. Sie neu zu erzeugen kostet ${dollars === null ? 'Geld, wenn der Anbieter dafür etwas verlangt; sein Preis ist unbekannt' : costText(dollars)}.`,
  reranker: 'Reranker',
  rerankerAbout: 'Liest deine Frage und die besten Textstellen zusammen und setzt die nach vorn, die sie beantworten.',
  rerankerNone: ['Keiner', 'Die Ergebnisse behalten die integrierte Reihenfolge.'],
  rerankerForAnswers: (model) => [
    `${model}, für Antworten`,
    'Braucht 55 ms Rechenzeit pro Frage und 110 MB Arbeitsspeicher. Nur Englisch.',
  ],
  rerankerForAll: (model) => [
    `${model}, für Antworten und Suche`,
    'Auch die Suche dauert dann 55 ms länger. Nur Englisch.',
  ],
  rerankerOfProvider: [
    'Ein Anbieter',
    'Cohere, Jina, vLLM, llama.cpp und andere. Die besten Textstellen zu jeder Frage gehen dorthin.',
  ],
  rerankerAddressAbout: 'Ohne /rerank am Ende.',
  rerankerInConfig: (model) => `${model} steht in config.yaml. Deine Auswahl ersetzt es.`,
  rerankerChanged: 'Reranker gewechselt',
  useReranker: 'Verwenden',
  ownModel: 'In config.yaml einrichten',
  ownModelAbout: 'Budgets je Quelle, Amazon Bedrock und alle anderen Optionen.',
  provider: 'Anbieter',
  onServer: 'Auf dem Server:',
  addLines: 'Ergänze diese Zeilen in',
  omitLines: 'Lass weg, was du nicht brauchst.',
  bracesAbout: 'Werte in geschweiften Klammern sind Umgebungsvariablen. So steht der Schlüssel nicht in der Datei.',
  checkModels: 'Teste die Modelle mit',
  thenRestart:
    ' und starte recalld neu, wenn du ein Modell von onnx geändert hast. Führe bei einem Embedding-Modell außerdem',
  untilEmbedded: ' aus. Bis alle Texte eingebettet sind, wird das integrierte Modell verwendet.',

  // Server
  version: 'Version',
  address: 'Adresse',
  homeFolder: 'Home-Ordner',
  configFile: 'Konfigurationsdatei',
  database: 'Datenbank',
  limits: 'Limits',
  limitTexts: {
    rate_limit_per_minute: {
      title: 'Anfragen pro Minute',
      about:
        'Anfragen pro Minute und Konto; weitere erhalten 429. Bei PostgreSQL gilt das Limit für alle Prozesse zusammen, und jeder darf es um 5 % überschreiten.',
    },
    max_concurrent_asks: {
      title: 'Gleichzeitige Fragen',
      about: 'Fragen eines Kontos, die gleichzeitig beantwortet werden; weitere erhalten 429.',
    },
    max_concurrent_searches: {
      title: 'Gleichzeitige Suchen',
      about:
        'Suchen für Abrufe und Fragen, die ein Prozess gleichzeitig ausführt; weitere warten kurz und erhalten 503, wenn der Prozess überlastet ist.',
    },
    max_uploads_waiting_per_account: {
      title: 'Wartende Uploads pro Konto',
      about: 'Uploads eines Kontos, die auf Verarbeitung warten können; weitere erhalten 429.',
    },
    max_uploads_waiting: {
      title: 'Wartende Uploads insgesamt',
      about: 'Uploads aller Konten, die auf Verarbeitung warten können; weitere erhalten 503.',
    },
    max_concurrent_uploads: {
      title: 'Gleichzeitige große Uploads',
      about:
        'Große Uploads, die gleichzeitig im Arbeitsspeicher liegen. Ein Konto kann höchstens die Hälfte belegen, weniger, während andere hochladen. Weitere warten reihum nach Konto und erhalten nach 20 Sekunden 503.',
    },
    pipeline_threads: {
      title: 'Verarbeitungs-Threads',
      about:
        'Threads, die aus Uploads Erinnerungen machen, und ebenso viele für langsame Einträge, wenn es welche gibt. Jeder hat eine eigene Kopie der Modelle, etwa 70 MB. 0: einer, und solange viele Uploads warten einer je Prozessor, höchstens 4; einer für langsame Einträge.',
    },
    activity_days: {
      title: 'Aufbewahrung der Aktivität',
      about:
        'Tage, für die alltägliche Aktivität aufbewahrt wird: was gefragt, hochgeladen, vergessen und synchronisiert wurde, und von wem. Bei 0 werden keine Fragen aufgezeichnet und der Rest 90 Tage aufbewahrt.',
    },
    audit_days: {
      title: 'Aufbewahrung des Audit-Logs',
      about:
        'Tage, für die administrative Aktivität aufbewahrt wird: Änderungen an Schlüsseln, Personen, Quellen, Abrechnung und Einstellungen, Anmeldungen, Exporte und was die Aufbewahrungsfrist vergessen hat, und von wem.',
    },
    retention: { title: '', about: 'Ältere Einträge werden einmal am Tag gelöscht, und Konnektoren überspringen sie.' },
    retention_days: { title: '', about: 'Hat Vorrang vor der Aufbewahrung der Quelle.' },
    'Maximum file size': { title: 'Maximale Dateigröße', about: 'Der größte Upload, der keine PDF-Datei ist.' },
    'Maximum PDF size': { title: 'Maximale PDF-Größe', about: 'Die größte PDF-Datei.' },
    'Maximum question length': { title: 'Maximale Fragelänge', about: 'Der längste Text für Abrufe und Fragen.' },
    'Maximum results': { title: 'Maximale Ergebnisse', about: 'So viele Erinnerungen liefert ein Abruf höchstens.' },
    'Keys per account': { title: 'Schlüssel pro Konto', about: 'Mit dem Standardschlüssel.' },
  },
  retentionOf: (source) => `Aufbewahrung von ${source}`,
  limitDays: (days) => formatNoun(days, 'Tag', 'Tage'),
  limitCharacters: (count) => `${formatCount(count)} Zeichen`,
  limitsAbout:
    'Aktuelle Werte. Die mit Namen sind Einstellungen in config.yaml und gelten nach einem Neustart. Die anderen sind fest.',
  limit: 'Limit',
  value: 'Wert',
  alerts: 'Benachrichtigungen',
  alertsAbout:
    'Wird einmal gesendet, wenn eine Quelle jemanden braucht: Ihr Zugriff wurde abgelehnt oder läuft in den nächsten sieben Tagen ab, oder ihre Einstellungen sind falsch.',
  alertsByWebhook: 'Webhook',
  alertsByMail: 'E-Mail',
  sendTest: 'Test senden',
  testSent: (target) => `Test an ${target} gesendet`,
  noneSent: 'Noch keine gesendet.',
  lastSent: (at) => `Zuletzt gesendet: ${at}`,
  alertsFailing: (problem, since, next) => `Schlägt seit ${since} fehl: ${problem} Nächster Versuch: ${next}.`,
  alertsOff: 'Es werden keine Benachrichtigungen gesendet. Setze in config.yaml Folgendes und starte recalld neu:',
  backup: 'Sicherung',
  backupAbout:
    'Lädt eine konsistente Kopie der Datenbank herunter, während der Server läuft. Sie enthält die Daten aller Konten. Bewahre sie sicher auf.',
  copyingDatabase: 'Datenbank wird kopiert',
  downloadBackup: 'Sicherung herunterladen',
  downloading: (file, bytes) => `${file} (${formatBytes(bytes)}) wird heruntergeladen.`,
  restoreWith: 'Um sie wiederherzustellen, beende recalld und führe',
  restoreAbout: ' aus. Der Befehl prüft die Sicherung und behält die aktuelle Datenbank.',
  notInBackup: 'Nicht enthalten:',
  tokenFilesAnd: ', Token-Dateien und',
  copyThem: (folder) =>
    `Kopiere sie ebenfalls aus ${folder}. Ohne secret.key müssen sich alle bei ihren Quellen neu anmelden.`,
  theHomeFolder: 'dem Home-Ordner',
}
