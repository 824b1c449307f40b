import { formatCount, formatNoun } from '../../ui/formats.ts'
import type { Translation } from '../translation.ts'

/** What an item is called, by its source, after “in”; others are documents. */
const IN_ITEM: Readonly<Partial<Record<string, string>>> = {
  slack: 'dieser Unterhaltung',
  'ms-teams': 'dieser Unterhaltung',
  email: 'diesem E-Mail-Verlauf',
  'ms-outlook': 'diesem E-Mail-Verlauf',
  google_meets: 'dieser Besprechung',
  claude_code: 'dieser Sitzung',
  cursor: 'dieser Sitzung',
  codex: 'dieser Sitzung',
  github: 'dieser Diskussion',
  asana: 'dieser Aufgabe',
  tasks: 'dieser Aufgabe',
  calendar: 'diesem Termin',
  'ms-calendar': 'diesem Termin',
}

const results = (count: number) => formatNoun(count, 'Ergebnis', 'Ergebnisse')
const fromItems = (count: number) => `aus ${formatNoun(count, 'Eintrag', 'Einträgen')}`

export const recall: Translation['recall'] = {
  // Filters
  sortResults: 'Ergebnisse sortieren',
  sorts: { relevance: 'Beste zuerst', time: 'Neueste zuerst' },
  filterBySource: 'Nach Quelle filtern',
  anySource: 'Alle Quellen',
  sourceAndMore: (source, more) => `${source} +${formatCount(more)}`,
  filterByTag: 'Nach Schlagwort filtern',
  anyTag: 'Alle Schlagwörter',
  filterByPerson: 'Nach Person filtern',
  personName: 'Name',
  anyone: 'Alle Personen',
  date: 'Datum',
  anyTime: 'Gesamter Zeitraum',
  clearFilters: 'Filter zurücksetzen',
  inQuestion: 'Aus deiner Frage',
  keepAsFilter: 'Aus deiner Frage. Klicke, um es als Filter zu übernehmen.',
  keepAsFilterOf: (what) => `${what}, aus deiner Frage. Als Filter übernehmen.`,
  searchWithout: 'Ohne diese Einschränkung suchen',
  searchWithoutOf: (what) => `Ohne „${what}“ suchen`,
  useQuestion: 'Einschränkungen aus deiner Frage wieder anwenden',
  ranksHigher: (sources) => `${sources} bevorzugt`,
  lastYear: 'Letztes Jahr',
  lastDays: (days) => `Letzte ${days} Tage`,
  fromDay: 'Von',
  toDay: 'Bis',
  timeZones: (browser, account) =>
    `Tage richten sich nach der Zeitzone deines Browsers (${browser}). Das Konto verwendet ${account}.`,

  // Results
  results: 'Ergebnisse',
  resultKeys:
    'Mit den Pfeiltasten nach oben und unten gehst du durch die Ergebnisse. Die Eingabetaste öffnet den Eintrag, Escape führt zurück zum Suchfeld.',
  strength: { strong: 'Passt gut', weak: 'Passt teilweise' },
  moreInItem: (count, source) =>
    `${formatNoun(count, 'weiteres', 'weitere')} in ${IN_ITEM[source] ?? 'diesem Dokument'}`,
  fewerInItem: 'Weniger anzeigen',
  loaded: (count, items) => `Die besten ${results(count)} ${fromItems(items)}`,
  allLoaded: (count, items) => `${results(count)} ${fromItems(items)}`,
  showMoreResults: 'Mehr anzeigen',
  sourceOfResult: 'Quelle des ausgewählten Ergebnisses',
  position: (position, count) => `${formatCount(position)} von ${formatCount(count)}`,
  previousResult: 'Vorheriges Ergebnis',
  nextResult: 'Nächstes Ergebnis',
  backToResults: 'Zurück zu den Ergebnissen',
  answer: 'Antwort',
  resultsFor: (count, query) => `${results(count)} für ${query}`,
  noFilteredResults: 'Keine Ergebnisse mit diesen Filtern',
  noResults: 'Keine Ergebnisse',
  searchWithoutFilters: 'Ohne Filter suchen',
  changeFilters: 'Entferne oder ändere die Filter.',
  tryOtherWords:
    'Versuche es mit anderen Wörtern: Namen, Orten, genauen Begriffen oder einem ganzen Satz zu dem, was du noch weißt.',
  replacedWord: (word, others) => `Keine Ergebnisse mit „${word}“. Stattdessen wurde nach ${others} gesucht.`,
  quoted: (text) => `„${text}“`,
  untilDay: (day) => `Bis ${day}`,
  sinceDay: (day) => `Ab ${day}`,
  daySpan: (first, last) => `${first} bis ${last}`,
  untitled: 'Ohne Titel',
  people: 'Personen',
  place: 'Ort',
  mentions: 'Erwähnt',
  tags: 'Schlagwörter',
  onlyPerson: 'Nur Ergebnisse mit dieser Person anzeigen',
  outdated: 'Dazu gibt es neuere Informationen.',
  showCurrent: 'Aktuelle anzeigen',
  replaces: 'Ersetzt eine frühere Aussage',
  replacesFrom: (when) => (when === null ? 'Ersetzt eine frühere Aussage' : `Ersetzt eine frühere Aussage (${when})`),
  corrected: 'Korrigiert',
  pinned: 'Angeheftet',
  replacesSeveral: (count) => `Ersetzt ${formatCount(count)} frühere Aussagen`,
  showEarlier: 'Anzeigen',
  alsoIn: (count) => `Gleicher Text in ${formatNoun(count, 'weiterem Eintrag', 'weiteren Einträgen')}`,
  showLess: 'Weniger anzeigen',
  showMore: 'Mehr anzeigen',

  // Why a result is shown
  explanation: 'Warum dieses Ergebnis?',
  openItem: 'Eintrag öffnen',
  reasons: {
    words: 'Enthält Wörter aus deiner Frage',
    names: 'Personen, Überschriften oder Datum passen',
    meaning: 'Ähnliche Bedeutung',
    around: 'Der umgebende Text passt',
    time: 'Passt zum Zeitraum deiner Frage',
    answer: 'Enthält die Art Antwort, nach der du fragst',
    self: 'Aussage in der Ich-Form',
    length: 'Länge',
    source: 'Aus einer Quelle, die du genannt hast',
    reranker: 'Vom Ranking-Modell als relevant bewertet',
    update: 'Neueste Aussage zum Thema',
    edit: 'Korrigiert oder angeheftet',
  },
  foundIn: { text: '', names: 'in Personen, Überschriften oder Datum, ', around: 'im umgebenden Text, ' },
  outdatedReason: 'Durch eine neuere Aussage ersetzt',
  scoreParts: (points) => `Bewertung im Detail (${points} von 100 Punkten)`,
  reason: 'Grund',
  points: 'Punkte',
  questionWords: 'Gefundene Wörter:',
  rareWords: '. Seltenere Wörter zählen mehr.',

  // Answer
  noClearAnswer: 'Keine klare Antwort',
  closest: (count) => (count === 1 ? 'Am nächsten kommt diese Stelle:' : 'Am nächsten kommen diese Stellen:'),
  earlier: 'Früher:',
  getAnswer: 'Frage beantworten',
  alwaysAnswer: 'Jede Suche beantworten',
  answering: 'Antwort wird gesucht',
  checking: 'Entwurf des Sprachmodells. Er wird an deinen Quellen geprüft.',
  stop: 'Anhalten',
  stopped: 'Angehalten.',
  ask: 'Fragen',
  earlierInConversation: 'Weiter oben in diesem Gespräch',
  followUp: 'Nachfragen',
  followUpHint: 'Und wann war das?',
  copyAnswer: 'Antwort kopieren',
  useful: 'Hilfreich',
  wrong: 'Falsch',
  rightItem: 'Welches davon ist die Antwort?',
  noRightItem: 'Kein Ergebnis beantwortet sie. Füge deinem Gedächtnis hinzu, was fehlt.',
  goldenKept: 'Als Testfrage gespeichert.',
  undo: 'Rückgängig machen',
  noAnswer: 'Dein Gedächtnis enthält keine Antwort darauf. Die Ergebnisse zeigen, was zu den Wörtern passt.',
  citation: 'Quelle',
  runsLater: 'Diese Suche läuft, sobald recalld wieder erreichbar ist.',
  runsLaterAbove:
    'Diese Suche läuft, sobald recalld wieder erreichbar ist. Bis dahin siehst du die vorigen Ergebnisse.',
  tooManyQuestions: 'Zu viele Fragen in kurzer Zeit. Warte einen Moment und versuche es erneut.',
  openUsage: 'Nutzung ansehen',

  // Timeline
  timeline: 'Geladene Ergebnisse nach Datum',
  onlyTheseResults: (period, count) => `${period}: ${results(count)}. Nur diese anzeigen.`,
}

export const start: Translation['start'] = {
  // Searching
  title: 'Suche',
  searchLabel: 'Durchsuche dein Gedächtnis oder stelle eine Frage',
  searchPlaceholder: 'Frag dein Gedächtnis',
  clearSearch: 'Suche leeren',
  search: 'Suchen',

  // What there is
  overview: (memories, items) => `${formatNoun(memories, 'Erinnerung', 'Erinnerungen')} ${fromItems(items)}`,
  failedItems: (count) => `${formatNoun(count, 'Eintrag', 'Einträge')} fehlgeschlagen`,
  processing: (count) =>
    count === 1
      ? '1 Eintrag wird noch verarbeitet und ist bald durchsuchbar.'
      : `${formatCount(count)} Einträge werden noch verarbeitet und sind bald durchsuchbar.`,

  // Saved and recent searches
  saved: 'Gespeicherte Suchen in diesem Browser',
  saveSearch: 'Suche speichern',
  unsaveSearch: 'Aus den gespeicherten Suchen entfernen',
  removeSaved: (what) => `${what} entfernen`,
  savedSearch: (what) => `Gespeicherte Suche: ${what}`,
  recentSearches: 'Letzte Suchen in diesem Browser',
  clear: 'Löschen',
  recentConversations: 'Letzte Gespräche in diesem Browser',
  followUps: (count) => formatNoun(count, 'Nachfrage', 'Nachfragen'),

  // Examples
  examples: 'Frag zum Beispiel',
  exampleDecision: 'Was haben wir letzte Woche entschieden?',
  exampleWaiting: 'Wer wartet auf eine Antwort von mir?',
  exampleChange: 'Was hat sich diesen Monat am Plan geändert?',
  exampleProblems: 'Welche Probleme sind noch offen?',

  // Empty
  emptyAbout:
    'Verbinde E-Mails, Chats, Repositorys und mehr oder lade Dateien hoch. Kurz danach kannst du alles durchsuchen.',
  emptyTitle: 'Dein Gedächtnis ist leer',
  connectSource: 'Quelle verbinden',
  uploadFiles: 'Dateien hochladen',

  // The offered model
  offerTitle: 'Bessere Suche in englischen Texten',
  offerAbout:
    'Ein Satz-Encoder findet mehr, was anders formuliert ist als deine Frage, und die richtige Stelle steht öfter auf Platz 1. Er läuft auf diesem Server, braucht etwa 260 MB Arbeitsspeicher und versteht nur Englisch.',
  offerAccept: (size) => `Hinzufügen (${size})`,
  offerDecline: 'Nein, danke',
}
