import { type ComponentType, lazy, Suspense } from 'react'
import { Link, Route, Switch, useLocation } from 'wouter'
import { buttonClass } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { uiMessages } from '../../ui/messages.ts'
import { EmptyState, Skeleton } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { messages } from './messages.ts'
import { SETTINGS_TABS, type SettingsTab } from './settings-tabs.ts'

type Load = () => Promise<{ default: ComponentType }>

const LOADS: Readonly<Record<SettingsTab, Load>> = {
  account: async () => ({ default: (await import('./account-panel.tsx')).AccountPanel }),
  people: async () => ({ default: (await import('./people-panel.tsx')).PeoplePanel }),
  security: async () => ({ default: (await import('./security-panel.tsx')).SecurityPanel }),
  keys: async () => ({ default: (await import('../keys/keys-panel.tsx')).KeysPanel }),
  usage: async () => ({ default: (await import('../usage/usage-panel.tsx')).UsagePanel }),
  activity: async () => ({ default: (await import('../activity/activity-panel.tsx')).ActivityPanel }),
  models: async () => ({ default: (await import('./models-panel.tsx')).ModelsPanel }),
  server: async () => ({ default: (await import('./server-panel.tsx')).ServerPanel }),
}

const TABS = SETTINGS_TABS.map((tab) => ({
  ...tab,
  component: lazy(LOADS[tab.id]),
  // A failure shows when the tab is opened.
  preload: () => void LOADS[tab.id]().catch(() => undefined),
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
          {TABS.map(({ path, title, preload }) => (
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
      <Suspense fallback={<Skeleton lines={6} />}>
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
      </Suspense>
    </Page>
  )
}
