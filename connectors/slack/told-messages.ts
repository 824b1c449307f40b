import type { SlackMessage } from './slack-answers.ts'
import type { SlackConfig } from './slack-config.ts'

/** What Slack reports about a channel itself. */
const EVENTS =
  /^((channel|group)_(join|leave|topic|purpose|name|archive|unarchive|convert_to_private|convert_to_public|posting_permissions|canvas_updated)|bot_(add|remove|enable|disable)|pinned_item|unpinned_item|joiner_notification\w*|reminder_(add|delete)|app_conversation_join|sh_room_created|ekm_access_denied)$/

/** Messages in which somebody says something; what was deleted but keeps its replies says nothing. */
export function toldMessages(messages: readonly SlackMessage[], { bots }: Pick<SlackConfig, 'bots'>): SlackMessage[] {
  return messages.filter(({ subtype, fromBot, text }) => {
    if (text === '' || subtype === 'tombstone') return false
    if (bots === 'exclude' && fromBot) return false
    return subtype === undefined || !EVENTS.test(subtype)
  })
}
