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
        {({ source, item }) => <ItemPage key={`${source}/${item}`} reference={{ source, item_id: whole(item) }} />}
      </Route>
      <Route>
        <Page title="Library">
          <EmptyState title="There is no such page" actions={<Link href="/library">All items</Link>} />
        </Page>
      </Route>
    </Switch>
  )
}

/** The router leaves `:`, `=` and others of an id as addresses write them. No id holds a `%`. */
function whole(item: string): string {
  return item.replace(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
}
