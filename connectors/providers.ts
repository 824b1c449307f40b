import type { OAuthProvider } from '../src/connector/oauth-provider.ts'

/** Every provider of OAuth by its id, which is the argument of `recalld connect`; loaded when it is used. */
export const PROVIDERS: Readonly<Record<string, () => Promise<OAuthProvider>>> = {
  google: async () => (await import('./google/google-oauth.ts')).googleOAuth,
  microsoft: async () => (await import('./microsoft/microsoft-oauth.ts')).microsoftProvider,
  slack: async () => (await import('./slack/slack-oauth.ts')).slackOAuth,
  github: async () => (await import('./github/github-oauth.ts')).githubOAuth,
  asana: async () => (await import('./asana/asana-oauth.ts')).asanaOAuth,
}
