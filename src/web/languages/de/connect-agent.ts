import type { Translation } from '../translation.ts'

export const connectAgent: Translation['connectAgent'] = {
  title: (name) => `${name} verbinden?`,
  connectAgent: 'Agent verbinden',
  about: (name) => `${name} möchte auf dein Gedächtnis zugreifen.`,
  fromHost: (host) => `Der Name ist unter ${host} veröffentlicht.`,
  unverified:
    'Der Name ist nicht bestätigt. Fahre nur fort, wenn du die Verbindung gerade selbst in deinem Agenten gestartet hast.',
  returnsTo: {
    site: (name) => `Du wirst zu ${name} weitergeleitet. Dieser Dienst erhält Zugriff.`,
    machine: (name) => `Ein Programm auf diesem Computer (${name}) erhält Zugriff.`,
    program: (name) => `Das Programm auf diesem Computer, das Links mit ${name} öffnet, erhält Zugriff.`,
  },
  loading: 'Anfrage wird geladen',
  account: 'Konto',
  mayDo: 'Was der Agent darf',
  read: 'Lesen',
  readAbout: 'Der Agent kann suchen und Fragen stellen. Er erhält die gefundenen Abschnitte.',
  write: 'Lesen und schreiben',
  writeAbout: 'Der Agent kann außerdem Notizen speichern und Einträge löschen.',
  until: 'Zugriff endet',
  untilAbout: 'Du kannst ihn vorher unter „Einstellungen > Schlüssel“ widerrufen.',
  days: [
    { value: '1', label: 'Morgen' },
    { value: '30', label: 'In 30 Tagen' },
    { value: '90', label: 'In 90 Tagen' },
    { value: '365', label: 'In einem Jahr' },
    { value: '', label: 'Wenn ich ihn widerrufe' },
  ],
  allow: 'Verbinden',
  deny: 'Abbrechen',
  notOwner:
    'Du bist hier bei keinem Konto Inhaber und kannst deshalb keine Agenten verbinden. Wende dich an einen Inhaber.',
  continuing: 'Zurück zum Agenten …',
}
