import { CalendarDays, Library, type LucideIcon, Menu, NotebookPen, Search, X } from 'lucide-react'
import { Link, useLocation } from 'wouter'
import { classNames } from '../ui/class-names.ts'
import { uiMessages } from '../ui/messages.ts'

const LINKS = [
  { path: '/', title: uiMessages.titles.recall, icon: Search },
  { path: '/days', title: uiMessages.titles.days, icon: CalendarDays },
] as const

const ENTRY = 'flex min-h-14 w-full flex-col items-center justify-center gap-0.5 text-[0.6875rem] no-underline'

/** On phones: the main pages, a new note and the menu, within reach of the thumb. */
export function BottomBar({
  isMenuOpen,
  onMenu,
  onNote,
}: {
  readonly isMenuOpen: boolean
  readonly onMenu: () => void
  readonly onNote: () => void
}) {
  return (
    <nav
      aria-label={uiMessages.quickPages}
      className="bg-sheet border-line fixed inset-x-0 bottom-0 z-40 border-t pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      <ul className="grid grid-cols-5">
        {LINKS.map((link) => (
          <li key={link.path}>
            <BarLink {...link} />
          </li>
        ))}
        <li>
          <button type="button" onClick={onNote} className={classNames(ENTRY, 'text-soft')}>
            <NotebookPen className="size-5" aria-hidden />
            {uiMessages.note}
          </button>
        </li>
        <li>
          <BarLink path="/library" title={uiMessages.titles.library} icon={Library} />
        </li>
        <li>
          <button
            type="button"
            aria-expanded={isMenuOpen}
            aria-controls="navigation"
            aria-label={isMenuOpen ? uiMessages.closeMenu : uiMessages.openMenu}
            onClick={onMenu}
            className={classNames(ENTRY, 'text-soft')}
          >
            {isMenuOpen ? <X className="size-5" aria-hidden /> : <Menu className="size-5" aria-hidden />}
            {uiMessages.menu}
          </button>
        </li>
      </ul>
    </nav>
  )
}

function BarLink({
  path,
  title,
  icon: Icon,
}: {
  readonly path: string
  readonly title: string
  readonly icon: LucideIcon
}) {
  const [location] = useLocation()
  const isHere = path === '/' ? location === '/' : location === path || location.startsWith(`${path}/`)
  return (
    <Link
      href={path}
      aria-current={isHere ? 'page' : undefined}
      className={classNames(ENTRY, isHere ? 'text-accent font-medium' : 'text-soft')}
    >
      <Icon className="size-5" aria-hidden />
      {title}
    </Link>
  )
}
