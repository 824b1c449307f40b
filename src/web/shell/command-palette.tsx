import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import { CalendarDays, type LucideIcon, NotebookPen, Search, Settings, Star, UserRound } from 'lucide-react'
import { useLayoutEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { spanPath } from '../pages/days/periods.ts'
import { subjectPath, useSubjects } from '../pages/people/people-calls.ts'
import { searchTitle } from '../pages/recall/search-title.ts'
import { startMessages } from '../pages/recall/start-messages.ts'
import { useSavedSearches } from '../pages/recall/stored-choices.ts'
import { SETTINGS_TABS } from '../pages/settings/settings-tabs.ts'
import { dayBefore, isDay, zonedDay } from '../ui/calendar-days.ts'
import { uiMessages } from '../ui/messages.ts'
import { shownText } from '../ui/source-text.tsx'
import { useViewer } from './use-session.ts'

interface Command {
  /** Absent: a new note. */
  readonly path?: string
  readonly label: string
  readonly icon: LucideIcon
}

export interface PalettePage {
  readonly title: string
  readonly path: string
  readonly icon: LucideIcon
}

/** Maximum people whose names are searched. */
const MOST_PEOPLE = 200
/** Reading the people takes a moment in a large memory. */
const LEAST_NAME = 2
const MOST_SHOWN = 6

/** Goes to a page, a person, a day, a saved search or a new one by typing. */
export function CommandPalette({
  pages,
  typed,
  onTyped,
  onNote,
  onClose,
}: {
  readonly typed: string
  readonly onTyped: (text: string) => void
  readonly pages: readonly PalettePage[]
  readonly onNote: () => void
  readonly onClose: () => void
}) {
  const [, go] = useLocation()
  const people = useSubjects('person', MOST_PEOPLE, typed.trim().length >= LEAST_NAME).data?.subjects ?? []
  const saved = useSavedSearches().texts
  const commands = commandsFor(typed.trim(), { pages, saved, people, timeZone: useViewer().account.time_zone })
  const choose = ({ path }: Command) => {
    if (path === undefined) {
      onNote()
      return
    }
    onClose()
    go(path)
  }
  return (
    <BaseDialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="fixed inset-0 bg-black/45" />
        <BaseDialog.Viewport className="fixed inset-0 grid items-start justify-items-center p-4 sm:pt-[12vh]">
          <BaseDialog.Popup
            aria-label={uiMessages.palette}
            className="bg-sheet border-line w-full max-w-xl overflow-hidden rounded-2xl border shadow-2xl outline-none"
          >
            <CommandInput commands={commands} typed={typed} onTyped={onTyped} onChoose={choose} />
          </BaseDialog.Popup>
        </BaseDialog.Viewport>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  )
}

function CommandInput({
  commands,
  typed,
  onTyped,
  onChoose,
}: {
  readonly commands: readonly Command[]
  readonly typed: string
  readonly onTyped: (text: string) => void
  readonly onChoose: (command: Command) => void
}) {
  const box = useRef<HTMLInputElement>(null)
  // At once: the dialog would move the focus a frame later, and lose what is typed until then.
  useLayoutEffect(() => box.current?.focus(), [])
  return (
    <Autocomplete.Root
      open
      inline
      items={commands}
      filter={null}
      autoHighlight="always"
      keepHighlight
      value={typed}
      onValueChange={onTyped}
      itemToStringValue={({ label }: Command) => label}
    >
      <Autocomplete.Input
        ref={box}
        aria-label={uiMessages.palette}
        placeholder={uiMessages.paletteHint}
        className="border-line text-ink placeholder:text-soft w-full border-b bg-transparent px-5 py-4 text-base outline-none"
      />
      <Autocomplete.List className="max-h-[60vh] overflow-y-auto p-2">
        {(command: Command) => (
          <Autocomplete.Item
            key={`${command.path} ${command.label}`}
            value={command}
            onClick={() => onChoose(command)}
            className="data-highlighted:bg-raised flex cursor-pointer items-center gap-3 rounded-lg px-3 py-2.5 text-sm outline-none"
          >
            <command.icon className="text-soft size-4 shrink-0" aria-hidden />
            <bdi className="truncate">{command.label}</bdi>
          </Autocomplete.Item>
        )}
      </Autocomplete.List>
    </Autocomplete.Root>
  )
}

interface Reachable {
  readonly pages: readonly PalettePage[]
  /** Addresses of searches. */
  readonly saved: readonly string[]
  readonly people: readonly { readonly name: string }[]
  readonly timeZone: string
}

function commandsFor(typed: string, { pages, saved, people, timeZone }: Reachable): Command[] {
  const toPages: readonly Command[] = [
    ...pages.map(({ title, path, icon }) => ({ path, icon, label: title })),
    { icon: NotebookPen, label: uiMessages.newNote },
  ]
  if (typed === '') return [...toPages]
  const words = typed.toLowerCase()
  const toSettings = SETTINGS_TABS.filter(({ title }) => isNamed(title, words))
  const day = dayOf(words, timeZone)
  return [
    ...toPages.filter(({ label }) => isNamed(label, words)),
    ...toSettings.map(({ title, path }) => ({ path, icon: Settings, label: uiMessages.inSettings(title) })),
    ...(day === undefined
      ? []
      : [{ path: spanPath({ period: 'day', from: day }), icon: CalendarDays, label: uiMessages.goToDay(day) }]),
    ...saved
      .map((query) => ({
        path: `/?${query}`,
        icon: Star,
        label: startMessages.savedSearch(searchTitle(query)),
      }))
      .filter(({ label }) => label.toLowerCase().includes(words))
      .slice(0, MOST_SHOWN),
    ...people
      .filter(({ name }) => name.toLowerCase().includes(words))
      .slice(0, MOST_SHOWN)
      .map(({ name }) => ({ path: subjectPath('person', name), icon: UserRound, label: shownText(name) })),
    { path: `/?q=${encodeURIComponent(typed)}`, icon: Search, label: uiMessages.searchFor(shownText(typed)) },
  ]
}

/** Whether one of its words starts with this text. */
function isNamed(label: string, words: string): boolean {
  return ` ${label.toLowerCase()}`.includes(` ${words}`)
}

/** `2026-03-04`, `today` or `yesterday`. */
function dayOf(words: string, timeZone: string): string | undefined {
  const today = zonedDay(new Date(), timeZone)
  if (words === 'today') return today
  if (words === 'yesterday') return dayBefore(today, 1)
  return isDay(words) ? words : undefined
}
