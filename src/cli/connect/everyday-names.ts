/** Connectors by what people call what they read. */
const CONNECTORS: Readonly<Record<string, readonly string[]>> = {
  gmail: ['email'],
  mail: ['email', 'ms-outlook', 'imap'],
  outlook: ['ms-outlook', 'ms-calendar'],
  exchange: ['ms-outlook', 'ms-calendar'],
  hotmail: ['ms-outlook'],
  fastmail: ['imap', 'caldav'],
  icloud: ['imap', 'caldav'],
  nextcloud: ['caldav'],
  googlecalendar: ['calendar'],
  gcal: ['calendar'],
  drive: ['gdocs', 'ms-onedrive'],
  googledrive: ['gdocs'],
  docs: ['gdocs', 'technical_docs'],
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
  folder: ['technical_docs', 'text', 'pdf', 'obsidian'],
  folders: ['technical_docs', 'text', 'pdf', 'obsidian'],
  files: ['technical_docs', 'text', 'pdf'],
  notes: ['technical_docs', 'obsidian', 'notion'],
  markdown: ['technical_docs', 'obsidian'],
  documents: ['technical_docs', 'text', 'pdf'],
  rss: ['feeds'],
  atom: ['feeds'],
  issues: ['github', 'gitlab', 'jira', 'linear'],
}

/** The connectors for a service or a kind of file, such as `WhatsApp` or `folder`; none for other words. */
export function connectorsCalled(name: string): readonly string[] {
  const plain = name.toLowerCase().replaceAll(/[^a-z]/g, '')
  return Object.hasOwn(CONNECTORS, plain) ? CONNECTORS[plain]! : []
}
