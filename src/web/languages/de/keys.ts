import { formatCount, formatNoun } from '../../ui/formats.ts'
import type { Translation } from '../translation.ts'

export const keys: Translation['keys'] = {
  // The list
  title: 'Schlüssel',
  about:
    'Mit einem Schlüssel greifen Agenten und Programme auf dein Gedächtnis zu. Gib jedem einen eigenen, damit du ihn einzeln einschränken oder widerrufen kannst.',
  newKey: 'Neuer Schlüssel',
  loadingKeys: 'Schlüssel werden geladen',
  keyCount: (count, most) => `${formatCount(count)} von ${formatNoun(most, 'Schlüssel', 'Schlüsseln')}`,
  ownersOnly: (account) => `Nur Inhaber von ${account} können Schlüssel erstellen, neu erzeugen und widerrufen.`,
  keyLimit: (most) =>
    `Du hast das Limit von ${formatNoun(most, 'Schlüssel', 'Schlüsseln')} erreicht. Widerrufe einen, den du nicht mehr brauchst, um einen neuen zu erstellen.`,
  planNeeded: 'Für weitere Schlüssel brauchst du einen Tarif.',
  pastDue: 'Die Zahlung ist überfällig. Bis sie beglichen ist, sind alle Schlüssel gesperrt.',
  askAdmin: 'Wende dich an einen Admin dieses Servers.',
  choosePlan: 'Tarif wählen',
  openBilling: 'Abrechnung öffnen',
  defaultKey: 'Standard',
  created: 'Erstellt',
  neverUsed: 'Nie verwendet',
  lastUsed: 'Zuletzt verwendet',
  regenerate: 'Neu erzeugen',
  regenerateNamed: (name) => `${name} neu erzeugen`,
  revoke: 'Widerrufen',
  revokeNamed: (name) => `${name} widerrufen`,
  allSources: 'Alle Quellen',
  noSources: 'Keine Quellen',
  sources: 'Quellen',
  regenerateTitle: (name) => `${name} neu erzeugen?`,
  regenerateAbout:
    'Der Schlüssel bekommt einen neuen Wert, der alte gilt sofort nicht mehr. Aktualisiere alles, was ihn verwendet.',
  regenerateOwnMachine:
    'Der Befehl recalld und sein MCP-Server auf diesem Computer übernehmen den neuen Wert automatisch, wenn sie diesen Schlüssel verwenden.',
  regenerateKey: 'Schlüssel neu erzeugen',
  revoked: (name) => `${name} widerrufen`,
  revokeTitle: (name) => `${name} widerrufen?`,
  revokeAbout:
    'Alles, was diesen Schlüssel verwendet, verliert sofort den Zugriff. Du kannst das nicht rückgängig machen. Damit hochgeladene Einträge bleiben.',
  revokeKey: 'Schlüssel widerrufen',
  neverUsedSentence: 'Er wurde noch nie verwendet.',
  lastUsedSentence: 'Zuletzt verwendet:',

  // Connected agents
  agents: 'Verbundene Agenten',
  agentsAbout: 'Agenten, aus denen heraus du dich hier angemeldet hast. Sie brauchen keinen Schlüssel.',
  noAgents: 'Keine verbundenen Agenten. Um einen zu verbinden, füge im Agenten diesen Server hinzu:',
  loadingAgents: 'Verbundene Agenten werden geladen',
  mayRead: 'Darf lesen',
  mayWrite: 'Darf lesen und schreiben',
  describedBy: (host) => `von ${host}`,
  connectedBy: (person) => `Verbunden von ${person}`,
  untilDay: (day) => `gültig bis ${day}`,
  untilRevoked: 'gültig bis zum Widerruf',
  revokeAgentAbout:
    'Der Agent verliert sofort den Zugriff. Du kannst ihn vom Agenten aus neu verbinden. Was er in deinem Gedächtnis gespeichert hat, bleibt.',

  // A new key
  newKeyAbout: 'Du siehst den Wert nur einmal: direkt nach dem Erstellen.',
  name: 'Name',
  nameAbout: 'Der Agent oder das Programm, das ihn verwendet, zum Beispiel cursor-laptop.',
  createKey: 'Schlüssel erstellen',
  billingNeeded: 'Für weitere Schlüssel brauchst du einen aktiven Tarif. Auf diesem Server sind Tarife kostenlos.',
  allSourcesAbout: 'Dein ganzes Gedächtnis, auch Quellen, die du später verbindest.',
  specificSources: 'Bestimmte Quellen',
  specificSourcesAbout: 'Nur die Quellen, die du auswählst.',
  noSourcesAbout: 'Der Schlüssel ist gültig, hat aber auf nichts Zugriff.',
  accessTitle: 'Zugriff',
  accessFixed: 'Du kannst das später nicht ändern. Erstelle für anderen Zugriff einen weiteren Schlüssel.',
  searchSources: 'Quellen suchen',
  selectedCount: (count) => `${formatNoun(count, 'Quelle', 'Quellen')} ausgewählt`,
  clear: 'Auswahl aufheben',
  noMatches: 'Keine passenden Quellen',

  // The value of a key
  keyTitle: (name) => `Schlüssel ${name}`,
  keyAbout: 'Kopiere ihn jetzt, denn du siehst ihn nicht noch einmal. Wenn du ihn verlierst, erzeuge ihn neu.',
  hide: 'Verbergen',
  show: 'Anzeigen',
  copyKey: 'Schlüssel kopieren',
  keySaved: 'Ich habe den Schlüssel gespeichert',
  programs: 'Programme',
  copyStep: (step) => `Kopieren: ${step}`,

  // Set-up of programs
  inTerminal: 'In einem Terminal:',
  inTerminalOnce: 'In einem Terminal, einmal für alle Projekte:',
  claudeCodeCheck:
    'Starte eine neue Sitzung und prüfe die Verbindung mit /mcp. Der Schlüssel wird in ~/.claude.json gespeichert.',
  claudeDesktopInstall:
    'Auf dem Computer mit Claude Desktop, auf dem auch recalld installiert ist. Der Befehl ergänzt „recalld“ in claude_desktop_config.json:',
  claudeDesktopKey: 'Um diesen Schlüssel statt des dort gespeicherten zu verwenden, ergänze im Eintrag nach „args“:',
  claudeDesktopRestart: 'Beende Claude Desktop und öffne es neu. Das Fenster zu schließen reicht nicht.',
  cursorFile: 'In ~/.cursor/mcp.json, für alle Projekte:',
  cursorRestart: 'Starte Cursor neu. In den Einstellungen steht recalld dann unter „MCP Servers“.',
  keyPrompt: 'Schlüssel für recalld',
  vscodeFile: 'In der Datei, die „MCP: Open User Configuration“ öffnet:',
  vscodePrompt: 'VS Code fragt einmal nach dem Schlüssel und speichert ihn:',
  codexFile: 'In ~/.codex/config.toml:',
  codexProfile: 'In der Umgebung, in der Codex startet, zum Beispiel in deinem Shell-Profil:',
  typescriptFile: 'In recall.ts, für Node.js 24, Deno oder Bun, ohne Pakete:',
  typescriptRun: 'Führe die Datei mit dem Schlüssel in der Umgebung aus:',
  groups: {
    files: 'Dateien und Notizen',
    mail: 'E-Mail, Kalender und Kontakte',
    chat: 'Chats und Besprechungen',
    code: 'Code und Agenten',
    tasks: 'Aufgaben',
    life: 'Web und Alltag',
  },
}
