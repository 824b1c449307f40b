import { formatCount, formatNoun } from '../../ui/formats.ts'
import type { Translation } from '../translation.ts'

export const people: Translation['people'] = {
  title: 'Personen',
  about: 'Personen, Projekte und Orte aus deinen Erinnerungen und was über dich bekannt ist.',
  you: 'Du',
  kind: 'Art',
  kinds: { person: 'Personen', project: 'Projekte', place: 'Orte' },
  loading: 'Wird geladen',
  none: { person: 'Noch keine Personen', project: 'Noch keine Projekte', place: 'Noch keine Orte' },
  noneAbout: 'Sie erscheinen hier, sobald deine Erinnerungen sie nennen.',
  memories: (count) => formatNoun(count, 'Erinnerung', 'Erinnerungen'),
  listed: (shown, total) => `${formatCount(shown)} von ${formatCount(total)}`,
  showMore: 'Mehr anzeigen',
  newestOnly: (count) => `Aus den neuesten ${formatCount(count)} Erinnerungen.`,
  lastSeen: (day) => `zuletzt ${day}`,
  alsoKnownAs: (names) => `Auch bekannt als ${names}.`,
  span: (first, last) => (first === last ? first : `${first} bis ${last}`),
  searchFor: (name) => `Nach ${name} suchen`,
  lastContact: 'Letzter Kontakt',
  theirPromises: (name) => `Zusagen von ${name}`,
  myPromises: 'Deine Zusagen und Bitten an dich',
  decisions: 'Entscheidungen',
  facts: 'Aus deinen Erinnerungen',
  noStatements: 'Deine Erinnerungen nennen den Namen, verraten aber nicht mehr.',
  // The profile
  profileAbout: 'Aus deinen eigenen Worten. Bei jeder Zeile steht, woher sie stammt.',
  preferences: 'Vorlieben',
  roles: 'Rollen',
  routines: 'Gewohnheiten',
  openPromises: 'Offene Zusagen',
  noProfile: 'Über dich ist noch nichts bekannt',
  noProfileAbout:
    'Vorlieben, Rollen und Gewohnheiten erscheinen hier, wenn du sie in einer Nachricht, einer Notiz oder einem Chat erwähnst.',
}
