import type { OAuthProvider } from '../src/connector/oauth-provider.ts'

/** Every provider of OAuth by its id; loaded when it is used. */
export const PROVIDERS: Readonly<Record<string, () => Promise<OAuthProvider>>> = {
  microsoft: async () => (await import('./microsoft/microsoft-oauth.ts')).microsoftProvider,
}
