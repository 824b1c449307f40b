import type { ChannelKind } from './slack-answers.ts'
import { chosenKinds, type SlackConfig } from './slack-config.ts'

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
  config: SlackConfig,
): { readonly problem?: string; readonly warnings: readonly string[] } {
  if (scopes === undefined) return { warnings: [] }
  const kinds = chosenKinds(config)
  const lacks = (scope: string) => !scopes.includes(scope)
  const warnings = kinds
    .map((kind) => `${SCOPES[kind]}:history`)
    .filter(lacks)
    .map((scope) => `The token lacks the scope ${scope}: such conversations are skipped. Add it to the Slack app.`)
  if (lacks('users:read'))
    warnings.push('The token lacks the scope users:read: people appear by their ids. Add it to the Slack app.')
  const unlisted = kinds.filter((kind) => lacks(`${SCOPES[kind]}:read`))
  if (unlisted.length === 0) return { warnings }
  const choices = [
    ...(unlisted.includes('private_channel') ? ['private_channels: false'] : []),
    ...(unlisted.includes('im') || unlisted.includes('mpim') ? ['direct_messages: false'] : []),
  ]
  const choice = choices.length > 0 && !unlisted.includes('public_channel') ? `, or set ${choices.join(' and ')}` : ''
  const scopeNames = unlisted.map((kind) => `${SCOPES[kind]}:read`).join(', ')
  return {
    problem: `The token lacks the scopes ${scopeNames}: add them to the Slack app and reinstall it${choice}.`,
    warnings,
  }
}
