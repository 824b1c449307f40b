import { CalendarDays, Library, type LucideIcon, Plug, Search, Settings, Users, WifiOff } from 'lucide-react'
import { type ComponentType, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Link, Redirect, Route, Switch, useLocation } from 'wouter'
import { useReachable } from '../api/reachability.ts'
import { useLiveUpdates } from '../api/use-live-updates.ts'
import { RecallPage } from '../pages/recall/recall-page.tsx'
import { buttonClass } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { loadable } from '../ui/loadable.tsx'
import { uiMessages } from '../ui/messages.ts'
import { EmptyState, Skeleton } from '../ui/notices.tsx'
import { BottomBar } from './bottom-bar.tsx'
import { PageBoundary } from './page-boundary.tsx'
import { useShortcuts } from './use-shortcuts.ts'

// Loaded later: the menu is a fifth of the first page's scripts.
const AccountMenu = loadable(
  async () => (await import('./account-menu.tsx')).AccountMenu,
  () => <div className="h-28" />,
)

const AttentionBadge = loadable(async () => (await import('../pages/sources/attention-badge.tsx')).AttentionBadge)
const DeletionToasts = loadable(async () => (await import('../pages/library/deletion-toasts.tsx')).DeletionToasts)
// Its box accepts input while its code is loading.
const CommandPalette = loadable(async () => (await import('./command-palette.tsx')).CommandPalette, EarlyBox)
const NoteDialog = loadable(async () => (await import('./note-dialog.tsx')).NoteDialog)
const SharedNote = loadable(async () => (await import('./note-dialog.tsx')).SharedNote, Loading)
const ShortcutList = loadable(async () => (await import('./shortcut-list.tsx')).ShortcutList)

/** The navigation and the current page. */
export function Shell() {
  useLiveUpdates()
  const [location] = useLocation()
  const [isOpen, setOpen] = useMenu(location)
  const shortcuts = useShortcuts()
  useFocusOfPage(location)
  return (
    <div className="flex min-h-dvh flex-col md:grid md:grid-cols-[15rem_minmax(0,1fr)]">
      <a
        href="#page"
        className="bg-accent text-on-accent sr-only z-50 rounded px-3 py-2 focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {uiMessages.skipToContent}
      </a>
      <header className="border-line bg-sheet md:sticky md:top-0 md:flex md:h-dvh md:flex-col md:border-r">
        <Link
          href="/"
          className="text-ink flex items-center gap-2.5 px-5 pt-6 pb-2 font-semibold no-underline max-md:hidden"
        >
          <img src="/app/icon.svg" alt="" className="size-6" />
          recalld
        </Link>
        <div
          id="navigation"
          className={classNames(
            'flex-1 flex-col justify-between p-3 md:flex',
            'max-md:bg-sheet max-md:fixed max-md:inset-0 max-md:z-30 max-md:overflow-y-auto max-md:pb-20',
            isOpen ? 'flex' : 'hidden',
          )}
        >
          <nav aria-label={uiMessages.pages} className="flex flex-col gap-5">
            <Navigation group="memory" />
            <Navigation group="account" />
          </nav>
          <AccountMenu />
        </div>
      </header>
      <main id="page" tabIndex={-1} className="min-w-0 flex-1 outline-none max-md:pb-16">
        <UnreachableBanner />
        <Shortcuts {...shortcuts} />
        <DeletionToasts />
        <PageBoundary key={location.split('/', 2).join('/')}>
          <Pages />
        </PageBoundary>
      </main>
      <BottomBar isMenuOpen={isOpen} onMenu={() => setOpen(!isOpen)} onNote={() => shortcuts.open('note')} />
    </div>
  )
}

/** The menu of a phone has the focus while it is open. It closes when another page opens, and by Escape. */
function useMenu(location: string) {
  const [isOpen, setOpen] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: when another page opens
  useEffect(() => setOpen(false), [location])
  useEffect(() => {
    if (!isOpen) return undefined
    document.querySelector<HTMLElement>('#navigation nav a')?.focus()
    const close = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return
      setOpen(false)
      document.querySelector<HTMLElement>('[aria-controls=navigation]')?.focus()
    }
    window.addEventListener('keydown', close)
    return () => window.removeEventListener('keydown', close)
  }, [isOpen])
  return [isOpen, setOpen] as const
}

/** When the link that was followed is gone, the new page has the focus, so that a screen reader goes on in it. */
function useFocusOfPage(location: string): void {
  const before = useRef(location)
  useEffect(() => {
    if (before.current === location) return
    before.current = location
    const frame = requestAnimationFrame(() => {
      if (document.activeElement === document.body) document.getElementById('page')?.focus({ preventScroll: true })
    })
    return () => cancelAnimationFrame(frame)
  }, [location])
}

/** Keeps the page; fetches queries and pages that failed again when the service is back. */
function UnreachableBanner() {
  const isReachable = useReachable()
  return (
    <div role="status">
      {!isReachable && (
        <p className="bg-warn-soft text-warn flex items-center gap-2.5 px-4 py-2.5 text-sm sm:px-8">
          <WifiOff className="size-4 shrink-0" aria-hidden />
          {uiMessages.unreachable}
        </p>
      )}
    </div>
  )
}

/** The command palette, a new note or the list of shortcuts, when a key opened it. */
function Shortcuts({ panel, open, close }: ReturnType<typeof useShortcuts>) {
  if (panel === undefined) return null
  return (
    <PageBoundary key={panel}>
      {panel === 'palette' && <Palette onNote={() => open('note')} onClose={close} />}
      {panel === 'note' && <NoteDialog onClose={close} />}
      {panel === 'help' && <ShortcutList pages={PAGES} onClose={close} />}
    </PageBoundary>
  )
}

function Palette(props: { readonly onNote: () => void; readonly onClose: () => void }) {
  const [typed, setTyped] = useState('')
  return <CommandPalette {...props} pages={PAGES} typed={typed} onTyped={setTyped} />
}

function EarlyBox({ typed, onTyped }: { readonly typed: string; readonly onTyped: (text: string) => void }) {
  const box = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => box.current?.focus(), [])
  return (
    <input
      ref={box}
      aria-label={uiMessages.palette}
      value={typed}
      onChange={({ target }) => onTyped(target.value)}
      className="bg-sheet border-line fixed inset-x-4 top-4 z-50 mx-auto max-w-xl rounded-2xl border px-5 py-4 shadow-2xl outline-none sm:top-[12vh]"
    />
  )
}

function Pages() {
  return (
    <Switch>
      {PAGES.map(({ pattern, component }) => (
        <Route key={pattern} path={pattern} component={component} />
      ))}
      <Route path="/share" component={SharedNote} />
      {MOVED.map(([from, to]) => (
        <Route key={from} path={from}>
          {() => <Redirect to={`${to}${window.location.search}`} replace />}
        </Route>
      ))}
      <Route>
        <div className="mx-auto max-w-xl p-8">
          <EmptyState
            isPage
            title={uiMessages.pageNotFound}
            actions={
              <Link href="/" className={buttonClass()}>
                {uiMessages.goToRecall}
              </Link>
            }
          >
            {uiMessages.pageNotFoundAbout}
          </EmptyState>
        </div>
      </Route>
    </Switch>
  )
}

function Loading() {
  return (
    <div className="mx-auto max-w-5xl p-8">
      <Skeleton lines={5} />
    </div>
  )
}

function Navigation({ group }: { readonly group: PageEntry['group'] }) {
  const [location] = useLocation()
  return (
    <div>
      <ul className="flex flex-col gap-0.5">
        {PAGES.filter((page) => page.group === group).map(({ title, path, icon: Icon, preload }) => {
          const isHere = isWithin(path, location)
          return (
            <li key={path}>
              <Link
                href={path}
                aria-current={isHere ? 'page' : undefined}
                onFocus={preload}
                onPointerEnter={preload}
                className={classNames(
                  'flex items-center gap-3 rounded-lg px-3 py-2 text-sm no-underline transition-colors',
                  isHere ? 'bg-accent-soft text-accent font-medium' : 'text-soft hover:bg-raised hover:text-ink',
                )}
              >
                <Icon className="size-4.5" aria-hidden />
                {title}
                {path === '/sources' && <AttentionBadge />}
              </Link>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

function isWithin(path: string, location: string): boolean {
  return location === path || (path !== '/' && location.startsWith(`${path}/`))
}

interface PageEntry {
  readonly title: string
  /** Below /app. */
  readonly path: string
  /** Pattern of the router, including pages below `path`. */
  readonly pattern: string
  readonly icon: LucideIcon
  readonly component: ComponentType
  /** Loads its code, before somebody opens it. */
  readonly preload: () => void
  readonly group: 'memory' | 'account'
}

function page(load: () => Promise<ComponentType>): Pick<PageEntry, 'component' | 'preload'> {
  const component = loadable(load, Loading)
  return { component, preload: component.preload }
}

const MOVED = [
  // The redirect target of providers.
  ['/connected', '/sources/connected'],
  ['/keys', '/settings/keys'],
  ['/usage', '/settings/usage'],
  ['/activity', '/settings/activity'],
] as const

/** The pages of the app, in the order of its navigation. Each is loaded when somebody moves to its link. */
const PAGES: readonly PageEntry[] = [
  {
    title: uiMessages.titles.recall,
    path: '/',
    pattern: '/',
    icon: Search,
    group: 'memory',
    // Part of the app, because most visits begin here.
    component: RecallPage,
    preload: () => undefined,
  },
  {
    title: uiMessages.titles.days,
    path: '/days',
    pattern: '/days/:day?/:period?',
    icon: CalendarDays,
    group: 'memory',
    ...page(async () => (await import('../pages/days/days-page.tsx')).DaysPage),
  },
  {
    title: uiMessages.titles.people,
    path: '/people',
    pattern: '/people/*?',
    icon: Users,
    group: 'memory',
    ...page(async () => (await import('../pages/people/people-page.tsx')).PeoplePages),
  },
  {
    title: uiMessages.titles.sources,
    path: '/sources',
    pattern: '/sources/*?',
    icon: Plug,
    group: 'memory',
    ...page(async () => (await import('../pages/sources/sources-pages.tsx')).SourcesPages),
  },
  {
    title: uiMessages.titles.library,
    path: '/library',
    pattern: '/library/*?',
    icon: Library,
    group: 'memory',
    ...page(async () => (await import('../pages/library/library-page.tsx')).LibraryPages),
  },
  {
    title: uiMessages.titles.settings,
    path: '/settings',
    pattern: '/settings/*?',
    icon: Settings,
    group: 'account',
    ...page(async () => (await import('../pages/settings/settings-pages.tsx')).SettingsPages),
  },
]

/** Loads the code of the page at this location, below /app. */
export function preloadPage(location: string): void {
  PAGES.find(({ path }) => isWithin(path, location))?.preload()
}
