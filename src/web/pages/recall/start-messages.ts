import { translated } from '../../languages/catalogue.ts'
import { formatNoun } from '../../ui/formats.ts'

/** Messages of what is shown before a search, and of saved searches. */
export const startMessages = translated('start', {
  // Saved and recent searches
  saved: 'Saved searches in this browser',
  saveSearch: 'Save search',
  unsaveSearch: 'Remove from saved searches',
  removeSaved: (what: string) => `Remove ${what}`,
  savedSearch: (what: string) => `Saved search: ${what}`,
  recentSearches: 'Recent searches in this browser',
  clear: 'Clear',
  recentConversations: 'Recent conversations in this browser',
  followUps: (count: number) => formatNoun(count, 'follow-up'),

  // Examples
  examples: 'Try asking',
  exampleDecision: 'What did we decide last week?',
  exampleWaiting: 'Who is waiting for a reply from me?',
  exampleChange: 'What changed in the plan this month?',
  exampleProblems: 'Which problems are still open?',

  // Empty
  emptyAbout: 'Connect mail, chats, repositories and more, or upload files. You can search them a moment later.',
  emptyTitle: 'Your memory is empty',
  connectSource: 'Connect a source',
  uploadFiles: 'Upload files',
} as const)
