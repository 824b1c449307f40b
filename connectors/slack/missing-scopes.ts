import type { ChannelKind } from './slack-answers.ts'
import type { SlackConfig } from './slack-config.ts'

/** Prefix of the scopes for each kind of conversation. */
const SCOPES: Readonly<Record<ChannelKind, string>> = {
  public_channel: 'channels',
  private_channel: 'groups',
  im: 'im',
  mpim: 'mpim',
}

/**
 * What a token cannot do. Without the right to list a kind of conversation nothing can be read: an incomplete list would
 * look as if channels were lost.
 *
 * @param scopes as Slack tells them; `undefined` where it does not
 */
export function missingScopes(
  scopes: readonly string[] | undefined,
  { private_channels: privates, direct_messages: directs }: SlackConfig,
): { readonly problem?: string; readonly warnings: readonly string[] } {
  if (scopes === undefined) return { warnings: [] }
  const kinds: ChannelKind[] = ['public_channel']
  if (privates) kinds.push('private_channel')
  if (directs) kinds.push('im', 'mpim')
  const lacks = (scope: string) => !scopes.includes(scope)
  const unlisted = kinds.map((kind) => `${SCOPES[kind]}:read`).filter(lacks)
  const warnings = kinds
    .map((kind) => `${SCOPES[kind]}:history`)
    .filter(lacks)
    .map((scope) => `The token lacks the scope ${scope}: such conversations are skipped. Add it to the Slack app.`)
  if (lacks('users:read'))
    warnings.push('The token lacks the scope users:read: people appear by their ids. Add it to the Slack app.')
  if (unlisted.length === 0) return { warnings }
  const choice = unlisted.includes('groups:read') ? ', or set private_channels: false' : ''
  return {
    problem: `The token lacks the scopes ${unlisted.join(', ')}: add them to the Slack app and reinstall it${choice}.`,
    warnings,
  }
}
