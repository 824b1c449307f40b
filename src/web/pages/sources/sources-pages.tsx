import { Page } from '../../ui/page.tsx'

export function SourcesPages() {
  return <Page title="Sources">{null}</Page>
}
