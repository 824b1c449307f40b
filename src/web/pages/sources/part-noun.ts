const NOUNS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  slack: ['channel', 'channels'],
  'ms-teams': ['channel', 'channels'],
  github: ['repository', 'repositories'],
  asana: ['project', 'projects'],
  calendar: ['calendar', 'calendars'],
  'ms-calendar': ['calendar', 'calendars'],
  'ms-outlook': ['folder', 'folders'],
  technical_docs: ['folder', 'folders'],
  text: ['folder', 'folders'],
  pdf: ['folder', 'folders'],
  tasks: ['list', 'lists'],
  feeds: ['feed', 'feeds'],
  youtube: ['playlist', 'playlists'],
  books: ['shelf', 'shelves'],
  browser: ['profile', 'profiles'],
}

/** What the partitions of a connector are called, one and many. */
export function partNoun(connector: string): readonly [one: string, many: string] {
  return NOUNS[connector] ?? ['part', 'parts']
}
