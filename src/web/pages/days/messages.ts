import { translated } from '../../languages/catalog.ts'
import type { DayGroup } from './day-groups.ts'

const GROUPS: Readonly<Record<DayGroup, string>> = {
  meetings: 'Meetings and events',
  messages: 'Mail and messages',
  work: 'Code and agents',
  tasks: 'Tasks',
  documents: 'Documents and notes',
  web: 'Web and media',
  life: 'Photos and health',
}

/** Messages of the page Days, and of the days on the first page. */
export const messages = translated('days', {
  title: 'Days',
  about: 'What happened, across all your sources.',
  period: 'Period',
  periods: { day: 'Day', week: 'Week', month: 'Month' },
  previous: { day: 'Previous day', week: 'Previous week', month: 'Previous month' },
  next: { day: 'Next day', week: 'Next week', month: 'Next month' },
  today: 'Today',
  yesterday: 'Yesterday',
  goToDate: 'Go to date',
  loading: 'Loading days',
  groups: GROUPS,
  showMore: (count: number) => `Show ${count} more`,
  showFewer: 'Show fewer',
  nothing: 'Nothing from this time',
  nothingAbout: 'No source has items from this time.',
  nothingEver: 'No days yet',
  nothingEverAbout: 'Connect your mail, chats or calendar to see what happened when.',
  connectSource: 'Connect a source',
  goTo: (day: string) => `Go to ${day}`,
  incomplete: 'There is more from this time than fits here. Choose a shorter period to see all of it.',
  untitled: 'Untitled',
  // On the first page
  onThisDay: 'On this day',
  openDay: 'Open day',
  // Above results
  openSpan: (when: string) => `Open ${when}`,
} as const)
