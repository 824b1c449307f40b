import type { SlackChannel } from './slack-answers.ts'
import type { SlackConfig } from './slack-config.ts'

/**
 * Whether a conversation is taken. Slack calls nobody a member of an archived channel, so archived ones count as joined:
 * what was read of a channel is not to be forgotten when it is archived.
 *
 * @param title as people see it, `#general` or `@Bob`
 */
export function isTaken(channel: SlackChannel, title: string, { include, exclude }: SlackConfig): boolean {
  const matches = (rules: readonly string[]) => rules.some((rule) => fits(rule, channel, title))
  if (matches(exclude)) return false
  if (channel.kind === 'im' || channel.kind === 'mpim') return true
  if (include !== undefined) return matches(include)
  return channel.isMember || channel.isArchived || channel.kind === 'private_channel'
}

function fits(rule: string, { id, name }: SlackChannel, title: string): boolean {
  if (rule === id) return true
  const wanted = rule.replace(/^[#@]/, '').toLowerCase()
  const pattern = new RegExp(`^${wanted.split('*').map(escaped).join('.*')}$`, 'su')
  return [name, title.slice(1)].some((candidate) => candidate !== undefined && pattern.test(candidate.toLowerCase()))
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
