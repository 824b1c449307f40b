import { Link, Route, Switch } from 'wouter'
import { EmptyState } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { ItemPage } from './item-page.tsx'
import { LibraryPage } from './library-page.tsx'

/** Everything below /library. */
export function LibraryPages() {
  return (
    <Switch>
      <Route path="/library" component={LibraryPage} />
      <Route path="/library/:source/:item">
        {({ source, item }) => <ItemPage key={`${source}/${item}`} reference={{ source, item_id: item }} />}
      </Route>
      <Route>
        <Page title="Library">
          <EmptyState title="There is no such page" actions={<Link href="/library">All items</Link>} />
        </Page>
      </Route>
    </Switch>
  )
}
