import { translated } from '../../languages/catalog.ts'
import { formatCount, formatFullDay, formatNoun } from '../../ui/formats.ts'

const KINDS = { person: 'People', project: 'Projects', place: 'Places' } as const

/** Messages of the pages below /people. */
export const messages = translated('people', {
  title: 'People',
  about: 'People, projects and places in your memories, and your own profile.',
  you: 'You',
  kind: 'Kind',
  kinds: KINDS,
  loading: 'Loading',
  none: { person: 'No people yet', project: 'No projects yet', place: 'No places yet' },
  noneAbout: 'They appear here when your memories mention them.',
  connectSource: 'Connect a source',
  memories: (count: number) => formatNoun(count, 'memory', 'memories'),
  listed: (shown: number, total: number) => `${formatCount(shown)} of ${formatCount(total)}`,
  showMore: 'Show more',
  newestOnly: (count: number) => `From the newest ${formatCount(count)} memories.`,
  lastSeen: (day: string) => `last ${day}`,
  alsoKnownAs: (names: string) => `Also called ${names}.`,
  span: (first: string, last: string) => (first === last ? first : `${first} to ${last}`),
  searchFor: (name: string) => `Search for ${name}`,
  lastContact: 'Last contact',
  theirPromises: (name: string) => `${name} promised`,
  myPromises: 'Your promises and their requests',
  decisions: 'Decisions',
  facts: 'What your memories say',
  noStatements: 'Your memories mention this name, but say nothing more about it.',
  // Names of people
  names: 'Names',
  decidedNames: 'Merged and split names',
  splitOff: 'Split off',
  splitOffName: (name: string) => `Split off ${name}`,
  splitDone: (name: string) => `${name} is now a separate person`,
  isOwnPerson: (name: string) => `${name} is a separate person.`,
  isMerged: (name: string, into: string) => `${name} is merged into ${into}.`,
  decidedBy: (by: string, at: string) => `By ${by} on ${formatFullDay(at)}`,
  undo: 'Undo',
  undoName: (name: string) => `Undo the decision about ${name}`,
  nameUndone: (name: string) => `Decision about ${name} undone`,
  merge: 'Merge',
  mergeWith: 'Merge with…',
  mergeTitle: (name: string) => `Merge ${name} with another person`,
  mergeAbout:
    'Both names become one person in lists, filters and answers. Your items stay as they are, and you can undo it.',
  mergeInto: 'Person',
  mergeDone: (name: string, into: string) => `${name} is merged into ${into}`,
  nobodyFound: 'No matching people',
  // The profile
  profileAbout: 'Taken from your own words. Every line shows where it comes from.',
  preferences: 'Preferences',
  roles: 'Roles',
  routines: 'Routines',
  openPromises: 'Open promises',
  noProfile: 'No profile yet',
  noProfileAbout: 'Preferences, roles and routines appear here when you mention them in a message, note or chat.',
} as const)
