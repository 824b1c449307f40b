import { Page } from '../../ui/page.tsx'

export function RecallPage() {
  return <Page title="Recall">{null}</Page>
}
