import { Page } from '../../ui/page.tsx'

export function SettingsPages() {
  return <Page title="Settings">{null}</Page>
}
