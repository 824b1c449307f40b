import { Page } from '../../ui/page.tsx'

export function LibraryPages() {
  return <Page title="Library">{null}</Page>
}
