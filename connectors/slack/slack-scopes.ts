import type { ChannelKind } from './slack-answers.ts'
import { type ChosenKinds, chosenKinds } from './slack-config.ts'

/** Scope prefix for each kind of conversation. */
const SCOPE_OF: Readonly<Record<ChannelKind, string>> = {
  public_channel: 'channels',
  private_channel: 'groups',
  im: 'im',
  mpim: 'mpim',
}

/** For the names of user groups in mentions; without it they appear by their ids. */
const GROUP_NAMES = 'usergroups:read'

/**
 * A link that creates a Slack app whose user token can read what these settings choose, and write nothing. The manifest
 * is in the link.
 */
export function slackAppLink(kinds: ChosenKinds, redirectUrl?: string): string {
  const manifest = {
    display_information: { name: 'recalld' },
    oauth_config: {
      ...(redirectUrl !== undefined && { redirect_urls: [redirectUrl] }),
      scopes: { user: [...slackScopes(kinds), GROUP_NAMES] },
    },
    settings: { token_rotation_enabled: false },
  }
  return `https://api.slack.com/apps?new_app=1&manifest_json=${encodeURIComponent(JSON.stringify(manifest))}`
}

/** The scopes that the configuration needs. */
export function slackScopes(config: ChosenKinds): readonly string[] {
  const kinds = chosenKinds(config).map((kind) => SCOPE_OF[kind])
  return [...kinds.flatMap((kind) => [`${kind}:read`, `${kind}:history`]), 'users:read']
}

/**
 * The problems of a token. Without the right to list a kind of conversation, nothing can be read: an incomplete list
 * would look as if channels were lost.
 *
 * @param scopes as reported by Slack; `undefined` if it does not
 */
export function missingScopes(
  scopes: readonly string[] | undefined,
  config: ChosenKinds,
): { readonly problem?: string; readonly warnings: readonly string[] } {
  if (scopes === undefined) return { warnings: [] }
  const kinds = chosenKinds(config)
  const lacks = (scope: string) => !scopes.includes(scope)
  const warnings = kinds
    .map((kind) => `${SCOPE_OF[kind]}:history`)
    .filter(lacks)
    .map(
      (scope) =>
        `The token is missing the scope ${scope}, so those conversations are skipped. Add it to the Slack app.`,
    )
  if (lacks('users:read'))
    warnings.push('The token is missing the scope users:read, so people appear by their IDs. Add it to the Slack app.')
  const unlisted = kinds.filter((kind) => lacks(`${SCOPE_OF[kind]}:read`))
  if (unlisted.length === 0) return { warnings }
  const choices = [
    ...(unlisted.includes('private_channel') ? ['private_channels: false'] : []),
    ...(unlisted.includes('im') || unlisted.includes('mpim') ? ['direct_messages: false'] : []),
  ]
  const choice = choices.length > 0 && !unlisted.includes('public_channel') ? `, or set ${choices.join(' and ')}` : ''
  const scopeNames = unlisted.map((kind) => `${SCOPE_OF[kind]}:read`).join(', ')
  return {
    problem: `The token is missing the scopes ${scopeNames}. Add them to the Slack app and reinstall it${choice}.`,
    warnings,
  }
}
