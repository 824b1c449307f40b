import type { Connector } from '../../../http/app/schemas/sources.ts'

const WORDS: Readonly<Record<string, string>> = {
  email: 'Your mail as conversations, without quoted replies and signatures.',
  calendar: 'Events of your calendars: when, where, who, and what was noted.',
  gdocs: 'Documents, spreadsheets and presentations with their comments, and PDF and Office files.',
  google_meets: 'Transcripts of your meetings and the notes that were taken in them.',
  tasks: 'Your tasks and their subtasks, also those that are done.',
  contacts: 'The people you know: names, work, birthdays, notes.',
  youtube: 'Videos that you liked, keep in playlists or watched, and your subscriptions.',
  photos: 'Days of photos with places, people and captions, never the pictures themselves.',
  books: 'Books on your shelves, with your reviews, highlights and notes.',
  fit: 'Days in numbers: steps, sleep, heart rate, weight, exercises.',
  'ms-outlook': 'Your mail as conversations, from all folders.',
  'ms-calendar': 'Events of your calendars: when, where, who, and what was noted.',
  'ms-teams': 'Conversations of the channels you are in, and your chats where you want them.',
  'ms-onedrive': 'Office, PDF and text files of your drive.',
  'ms-sharepoint': 'Files, pages and lists of the sites you follow.',
  slack: 'Threads and messages of the channels you are in, and direct messages where you want them.',
  github: 'Issues, pull requests, discussions, releases and documents of your repositories.',
  asana: 'Tasks with their comments, and projects with their briefs and status updates.',
  claude_code: 'Your sessions: what you asked, and what was answered.',
  codex: 'Your sessions: what you asked, and what was answered.',
  cursor: 'Your chats: what you asked, and what was answered.',
  vscode: 'Your chats with assistants in the editor.',
  browser: 'The pages you visited, day by day, from Chrome and its kin, Firefox and Safari.',
  technical_docs: 'Markdown, PDF, Office and text files of folders.',
  text: 'Notes, texts, Word files, saved mail and calendar files of folders.',
  pdf: 'PDF files of folders.',
  weekly_updates: 'A digest of each week, and updates that you write yourself.',
  stream: 'Whatever a program of yours sends as lines of JSON.',
  feeds: 'Entries of RSS, Atom and JSON feeds.',
}

/** What a connector reads, in a sentence for people. */
export function connectorWords({ id, about }: Pick<Connector, 'id' | 'about'>): string {
  return WORDS[id] ?? `Takes ${about.item}.`
}

/** What a connector without access needs, as a sentence. */
export function needsWords({ needs }: Pick<Connector, 'needs'>): string {
  return needs.startsWith('nothing')
    ? `N${needs.slice(1, 7)} is needed${needs.slice(7)}.`
    : `No sign-in is needed, only ${needs}.`
}
