import { translated } from '../../languages/catalog.ts'
import { formatNoun } from '../../ui/formats.ts'

/** Messages of what is shown before a search, and of saved searches. */
export const startMessages = translated('start', {
  // Searching
  title: 'Recall',
  searchLabel: 'Search your memory or ask a question',
  searchPlaceholder: 'Search your memory',
  clearSearch: 'Clear search',
  search: 'Search',

  // What there is
  overview: (memories: number, items: number) =>
    `${formatNoun(memories, 'memory', 'memories')} from ${formatNoun(items, 'item')}`,
  failedItems: (count: number) => `${formatNoun(count, 'item')} failed`,
  processing: (count: number) =>
    `${formatNoun(count, 'item is', 'items are')} still processing and will be searchable soon.`,

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

  // The offered model
  offerTitle: 'Better search for English text',
  offerAbout:
    'A sentence encoder finds more passages that are worded differently from your question, and ranks the right one first more often. It runs on this server, uses about 260 MB of memory and understands only English.',
  offerAccept: (size: string) => `Add (${size})`,
  offerDecline: 'No, thanks',
} as const)
