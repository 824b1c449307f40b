import type { SignedOut } from '../../../app-api/wire/session.ts'
import { Page } from '../../ui/page.tsx'

export function SignedOutPages({ session }: { readonly session: SignedOut }) {
  return <Page title="Sign in">{session.version}</Page>
}
