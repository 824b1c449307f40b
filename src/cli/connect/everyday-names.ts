/** Connectors by what people call what they read, in lower case and without spaces. */
export const EVERYDAY_NAMES: Readonly<Record<string, readonly string[]>> = {
  gmail: ['email'],
  mail: ['email', 'ms-outlook', 'imap'],
  outlook: ['ms-outlook', 'ms-calendar'],
  exchange: ['ms-outlook', 'ms-calendar'],
  hotmail: ['ms-outlook'],
  fastmail: ['imap', 'caldav'],
  icloud: ['imap', 'caldav'],
  nextcloud: ['caldav'],
  calendar: ['calendar', 'ms-calendar', 'caldav'],
  applecalendar: ['caldav'],
  applemail: ['imap'],
  gcal: ['calendar'],
  drive: ['gdocs', 'ms-onedrive'],
  docs: ['gdocs', 'technical_docs'],
  photos: ['photos'],
  sheets: ['gdocs'],
  meet: ['google_meets'],
  teams: ['ms-teams'],
  onedrive: ['ms-onedrive'],
  sharepoint: ['ms-sharepoint'],
  whatsapp: ['messenger_exports'],
  telegram: ['messenger_exports'],
  signal: ['messenger_exports'],
  imessage: ['messenger_exports'],
  chatgpt: ['chat_exports'],
  claude: ['claude_code', 'chat_exports'],
  gemini: ['gemini_cli', 'chat_exports'],
  copilot: ['vscode'],
  chrome: ['browser'],
  firefox: ['browser'],
  safari: ['browser'],
  edge: ['browser'],
  history: ['browser'],
  folders: ['technical_docs', 'text', 'pdf', 'obsidian'],
  files: ['technical_docs', 'text', 'pdf'],
  notes: ['technical_docs', 'obsidian', 'notion'],
  markdown: ['technical_docs', 'obsidian'],
  documents: ['technical_docs', 'text', 'pdf'],
  rss: ['feeds'],
  atom: ['feeds'],
  meetings: ['google_meets', 'zoom'],
  issues: ['github', 'gitlab', 'jira', 'linear'],
}

/** A vendor before the name of a service: `Google Docs`. */
const VENDOR = /^(?:google|microsoft|ms)[\s_-]*(?=\p{L})/iu

/** The connectors for a service or a kind of file, such as `WhatsApp` or `folder`; none for other words. */
export function connectorsCalled(name: string): readonly string[] {
  const forms = [name, name.replace(VENDOR, '')].map((form) => form.toLowerCase().replaceAll(/[^a-z]/g, ''))
  const known = [...forms, ...forms.map((form) => `${form}s`)].find((form) => Object.hasOwn(EVERYDAY_NAMES, form))
  return known === undefined ? [] : EVERYDAY_NAMES[known]!
}
