import { lazy, Suspense } from 'react'
import { Link, Route, Switch, useLocation } from 'wouter'
import { classNames } from '../../ui/class-names.ts'
import { uiMessages } from '../../ui/messages.ts'
import { EmptyState, Skeleton } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { messages } from './messages.ts'

const TABS = [
  {
    path: '/settings',
    title: messages.tabAccount,
    component: lazy(async () => ({ default: (await import('./account-panel.tsx')).AccountPanel })),
  },
  {
    path: '/settings/people',
    title: messages.tabPeople,
    component: lazy(async () => ({ default: (await import('./people-panel.tsx')).PeoplePanel })),
  },
  {
    path: '/settings/security',
    title: messages.tabSecurity,
    component: lazy(async () => ({ default: (await import('./security-panel.tsx')).SecurityPanel })),
  },
  {
    path: '/settings/models',
    title: messages.tabModels,
    component: lazy(async () => ({ default: (await import('./models-panel.tsx')).ModelsPanel })),
  },
  {
    path: '/settings/server',
    title: messages.tabServer,
    component: lazy(async () => ({ default: (await import('./server-panel.tsx')).ServerPanel })),
  },
] as const

/** The account, its people and their access; models, limits and backups of the server. */
export function SettingsPages() {
  const [location] = useLocation()
  return (
    <Page title={messages.title}>
      <nav
        aria-label={messages.title}
        className="border-line -mx-4 -mt-2 overflow-x-auto border-b px-4 sm:mx-0 sm:px-0"
      >
        <ul className="flex sm:gap-1">
          {TABS.map(({ path, title }) => (
            <li key={path}>
              <Link
                href={path}
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
              actions={<Link href="/settings">{messages.goToAccount}</Link>}
            />
          </Route>
        </Switch>
      </Suspense>
    </Page>
  )
}
