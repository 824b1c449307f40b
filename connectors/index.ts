import type { Connector } from '../src/connector/connector.ts'

/** Every connector by its id; loaded when it is used, because some bring a large SDK. */
export const CONNECTORS: Readonly<Record<string, () => Promise<Connector>>> = {
  // one line each, in the order of the README
  email: async () => (await import('./google/gmail.ts')).email,
  calendar: async () => (await import('./google/calendar.ts')).calendar,
  slack: async () => (await import('./slack/slack.ts')).slack,
  github: async () => (await import('./github/github.ts')).github,
  asana: async () => (await import('./asana/asana.ts')).asana,
  browser: async () => (await import('./local/browser.ts')).browser,
  technical_docs: async () => (await import('./local/folder.ts')).technicalDocs,
  text: async () => (await import('./local/folder.ts')).text,
  pdf: async () => (await import('./local/folder.ts')).pdf,
  claude_code: async () => (await import('./local/claude-code.ts')).claudeCode,
  weekly_updates: async () => (await import('./local/weekly-updates.ts')).weeklyUpdates,
  stream: async () => (await import('./local/stream.ts')).stream,
  feeds: async () => (await import('./feeds/feeds.ts')).feeds,
  codex: async () => (await import('./local/codex.ts')).codex,
  cursor: async () => (await import('./local/cursor.ts')).cursor,
  vscode: async () => (await import('./local/vscode.ts')).vscode,
  tasks: async () => (await import('./google/tasks.ts')).tasks,
  contacts: async () => (await import('./google/contacts.ts')).contacts,
  youtube: async () => (await import('./google/youtube.ts')).youtube,
  books: async () => (await import('./google/books.ts')).books,
  fit: async () => (await import('./google/fit.ts')).fit,
  'ms-onedrive': async () => (await import('./microsoft/ms-onedrive.ts')).msOneDrive,
  'ms-calendar': async () => (await import('./microsoft/ms-calendar.ts')).msCalendar,
  'ms-outlook': async () => (await import('./microsoft/ms-outlook.ts')).msOutlook,
  gdocs: async () => (await import('./google/gdocs.ts')).gdocs,
  'ms-sharepoint': async () => (await import('./microsoft/ms-sharepoint.ts')).msSharePoint,
  google_meets: async () => (await import('./google/google-meets.ts')).googleMeets,
  'ms-teams': async () => (await import('./microsoft/ms-teams.ts')).msTeams,
}
