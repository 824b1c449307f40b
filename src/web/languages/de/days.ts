import type { Translation } from '../translation.ts'

export const days: Translation['days'] = {
  title: 'Tage',
  about: 'Was wann passiert ist, aus all deinen Quellen.',
  period: 'Zeitraum',
  periods: { day: 'Tag', week: 'Woche', month: 'Monat' },
  previous: { day: 'Vorheriger Tag', week: 'Vorherige Woche', month: 'Vorheriger Monat' },
  next: { day: 'Nächster Tag', week: 'Nächste Woche', month: 'Nächster Monat' },
  today: 'Heute',
  yesterday: 'Gestern',
  goToDate: 'Zu einem Datum gehen',
  loading: 'Tage werden geladen',
  groups: {
    meetings: 'Besprechungen und Termine',
    messages: 'E-Mails und Nachrichten',
    work: 'Code und Agenten',
    tasks: 'Aufgaben',
    documents: 'Dokumente und Notizen',
    web: 'Web und Medien',
    life: 'Fotos und Gesundheit',
  },
  showMore: (count) => `${count} weitere anzeigen`,
  showFewer: 'Weniger anzeigen',
  nothing: 'Nichts aus dieser Zeit',
  nothingAbout: 'Keine Quelle enthält etwas mit diesem Datum.',
  nothingEver: 'Noch keine Tage',
  nothingEverAbout: 'Verbinde E-Mails, Chats oder Kalender, um zu sehen, was wann war.',
  connectSource: 'Quelle verbinden',
  goTo: (day) => `Gehe zu ${day}`,
  incomplete: 'Aus dieser Zeit gibt es mehr, als hier Platz hat. Wähle einen kürzeren Zeitraum, um alles zu sehen.',
  untitled: 'Ohne Titel',
  // On the first page
  onThisDay: 'An diesem Tag',
  openDay: 'Tag öffnen',
  // Above results
  openSpan: (when) => `${when} öffnen`,
}
