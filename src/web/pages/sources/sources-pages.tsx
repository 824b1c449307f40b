import { Link, Route, Switch } from 'wouter'
import { EmptyState } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { AddSourcePage } from './add-source-page.tsx'
import { ConnectPage } from './connect-page.tsx'
import { ConnectedPage } from './connected-page.tsx'
import { ConnectionPage } from './connection-page.tsx'
import { SourcesPage } from './sources-page.tsx'

/** Everything below /sources. */
export function SourcesPages() {
  return (
    <Switch>
      <Route path="/sources" component={SourcesPage} />
      <Route path="/sources/new" component={AddSourcePage} />
      <Route path="/sources/connected" component={ConnectedPage} />
      <Route path="/sources/new/:connector">
        {({ connector }) => <ConnectPage key={connector} connectorId={connector} />}
      </Route>
      <Route path="/sources/:connector/:name">
        {({ connector, name }) => <ConnectionPage key={`${connector}/${name}`} reference={{ connector, name }} />}
      </Route>
      <Route>
        <Page title="Sources">
          <EmptyState title="There is no such page" actions={<Link href="/sources">All sources</Link>} />
        </Page>
      </Route>
    </Switch>
  )
}
