import type { ComponentType } from 'react'
import { Link, Route, Switch, useLocation } from 'wouter'
import { buttonClass } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { loadable } from '../../ui/loadable.tsx'
import { uiMessages } from '../../ui/messages.ts'
import { EmptyState, Skeleton } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { messages } from './messages.ts'
import { SETTINGS_TABS, type SettingsTab } from './settings-tabs.ts'

type Load = () => Promise<ComponentType>

const LOADS: Readonly<Record<SettingsTab, Load>> = {
  account: async () => (await import('./account-panel.tsx')).AccountPanel,
  people: async () => (await import('./people-panel.tsx')).PeoplePanel,
  security: async () => (await import('./security-panel.tsx')).SecurityPanel,
  keys: async () => (await import('../keys/keys-panel.tsx')).KeysPanel,
  usage: async () => (await import('../usage/usage-panel.tsx')).UsagePanel,
  activity: async () => (await import('../activity/activity-panel.tsx')).ActivityPanel,
  models: async () => (await import('./models-panel.tsx')).ModelsPanel,
  server: async () => (await import('./server-panel.tsx')).ServerPanel,
}

const TABS = SETTINGS_TABS.map((tab) => ({
  ...tab,
  component: loadable(LOADS[tab.id], () => <Skeleton lines={6} />),
}))

/** The account, its people, keys, use and activity; models, limits and backups of the server. */
export function SettingsPages() {
  const [location] = useLocation()
  const current = TABS.find(({ path }) => path === location)
  return (
    <Page title={messages.title} windowTitle={current?.title}>
      <nav
        aria-label={messages.title}
        className="scroll-hint border-line -mx-4 -mt-2 overflow-x-auto border-b px-4 [scrollbar-width:none] sm:mx-0 sm:px-0"
      >
        <ul className="flex sm:gap-1">
          {TABS.map(({ path, title, component: { preload } }) => (
            <li key={path}>
              <Link
                href={path}
                ref={(link) => {
                  if (link !== null && path === location) link.scrollIntoView({ inline: 'center', block: 'nearest' })
                }}
                onFocus={preload}
                onPointerEnter={preload}
                aria-current={location === path ? 'page' : undefined}
                className={classNames(
                  'block border-b-2 px-2 py-2 sm:px-3 text-sm font-medium whitespace-nowrap no-underline',
                  location === path ? 'border-accent text-ink' : 'text-soft hover:text-ink border-transparent',
                )}
              >
                {title}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <Switch>
        {TABS.map(({ path, component }) => (
          <Route key={path} path={path} component={component} />
        ))}
        <Route>
          <EmptyState
            title={uiMessages.pageNotFound}
            actions={
              <Link href="/settings" className={buttonClass()}>
                {messages.goToAccount}
              </Link>
            }
          />
        </Route>
      </Switch>
    </Page>
  )
}
