/** Display names of the built-in connectors, as in their manifests, and of the apps whose exports are read. */
const TITLES: Readonly<Record<string, string>> = {
  email: 'Gmail',
  calendar: 'Google Calendar',
  gdocs: 'Google Docs and Drive',
  google_meets: 'Google Meet',
  tasks: 'Google Tasks',
  contacts: 'Google Contacts',
  youtube: 'YouTube',
  photos: 'Google Photos',
  books: 'Google Books',
  fit: 'Google Health and Fit',
  'ms-outlook': 'Outlook',
  'ms-calendar': 'Outlook Calendar',
  'ms-teams': 'Microsoft Teams',
  'ms-onedrive': 'OneDrive',
  'ms-sharepoint': 'SharePoint',
  slack: 'Slack',
  github: 'GitHub',
  asana: 'Asana',
  linear: 'Linear',
  notion: 'Notion',
  jira: 'Jira',
  confluence: 'Confluence',
  gitlab: 'GitLab',
  zoom: 'Zoom',
  claude_code: 'Claude Code',
  codex: 'Codex',
  cursor: 'Cursor',
  vscode: 'VS Code',
  gemini_cli: 'Gemini CLI',
  opencode: 'opencode',
  browser: 'Browser history',
  obsidian: 'Obsidian',
  weekly_updates: 'Weekly updates',
  feeds: 'Feeds',
  ics: 'Calendar feeds',
  caldav: 'Calendar (CalDAV)',
  imap: 'Mail (IMAP)',
  whatsapp: 'WhatsApp',
  telegram: 'Telegram',
  signal: 'Signal',
  imessage: 'iMessage',
  chatgpt: 'ChatGPT',
  claude: 'Claude',
  gemini: 'Gemini',
}

export const CONNECTOR_NAME_MAX_CHARACTERS = 60

/** Display name of a connector; its id if this version doesn't know it. */
export function connectorTitle(id: string): string {
  return Object.hasOwn(TITLES, id) ? TITLES[id]! : id
}

/** The id of a connector given by id or title, ignoring case; `undefined` if it can't be one. */
export function connectorId(name: string): string | undefined {
  const wanted = name.trim().toLowerCase()
  if (!/^[a-z0-9][a-z0-9 ()_-]*$/.test(wanted) || wanted.length > CONNECTOR_NAME_MAX_CHARACTERS) return undefined
  const titled = Object.keys(TITLES).find((id) => TITLES[id]!.toLowerCase() === wanted)
  return titled ?? wanted
}

/** The connector of an item if more specific than the source type: `notion`, but not `slack` for Slack. */
export function specificConnector(sourceType: string, connector: string | undefined): string | undefined {
  return connector === sourceType ? undefined : connector
}
