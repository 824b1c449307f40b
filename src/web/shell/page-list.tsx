import { Activity, ChartColumn, KeyRound, Library, type LucideIcon, Plug, Search, Settings } from 'lucide-react'
import { type ComponentType, lazy } from 'react'

export interface PageEntry {
  readonly title: string
  /** Below /app. */
  readonly path: string
  /** Of the router; also what lies below `path`. */
  readonly pattern: string
  readonly icon: LucideIcon
  readonly component: ComponentType
  readonly group: 'memory' | 'account'
}

/** The pages of the app, in the order of its navigation. Each is loaded when it is opened. */
export const PAGES: readonly PageEntry[] = [
  {
    title: 'Recall',
    path: '/',
    pattern: '/',
    icon: Search,
    group: 'memory',
    component: lazy(async () => ({ default: (await import('../pages/recall/recall-page.tsx')).RecallPage })),
  },
  {
    title: 'Sources',
    path: '/sources',
    pattern: '/sources/*?',
    icon: Plug,
    group: 'memory',
    component: lazy(async () => ({ default: (await import('../pages/sources/sources-pages.tsx')).SourcesPages })),
  },
  {
    title: 'Library',
    path: '/library',
    pattern: '/library/*?',
    icon: Library,
    group: 'memory',
    component: lazy(async () => ({ default: (await import('../pages/library/library-pages.tsx')).LibraryPages })),
  },
  {
    title: 'Keys',
    path: '/keys',
    pattern: '/keys',
    icon: KeyRound,
    group: 'account',
    component: lazy(async () => ({ default: (await import('../pages/keys/keys-page.tsx')).KeysPage })),
  },
  {
    title: 'Usage',
    path: '/usage',
    pattern: '/usage',
    icon: ChartColumn,
    group: 'account',
    component: lazy(async () => ({ default: (await import('../pages/usage/usage-page.tsx')).UsagePage })),
  },
  {
    title: 'Activity',
    path: '/activity',
    pattern: '/activity',
    icon: Activity,
    group: 'account',
    component: lazy(async () => ({ default: (await import('../pages/activity/activity-page.tsx')).ActivityPage })),
  },
  {
    title: 'Settings',
    path: '/settings',
    pattern: '/settings/*?',
    icon: Settings,
    group: 'account',
    component: lazy(async () => ({ default: (await import('../pages/settings/settings-pages.tsx')).SettingsPages })),
  },
]
