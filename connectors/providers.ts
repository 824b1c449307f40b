import type { OAuthProvider } from '../src/connector/oauth-provider.ts'

/** Every OAuth provider by its id, the argument of `recalld connect`; loaded on first use. */
export const PROVIDERS: Readonly<Record<string, () => Promise<OAuthProvider>>> = {
  google: async () => (await import('./google/google-oauth.ts')).googleOAuth,
  microsoft: async () => (await import('./microsoft/microsoft-oauth.ts')).microsoftProvider,
  slack: async () => (await import('./slack/slack-oauth.ts')).slackOAuth,
  github: async () => (await import('./github/github-oauth.ts')).githubOAuth,
  asana: async () => (await import('./asana/asana-oauth.ts')).asanaOAuth,
}
