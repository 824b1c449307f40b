import { SETTINGS_TABS } from '../pages/settings/settings-tabs.ts'
import { Dialog } from '../ui/dialog.tsx'
import { uiMessages } from '../ui/messages.ts'
import type { PalettePage } from './command-palette.tsx'
import { PAGE_KEYS } from './use-shortcuts.ts'

/** The keyboard shortcuts. */
export function ShortcutList({
  pages,
  onClose,
}: {
  readonly pages: readonly PalettePage[]
  readonly onClose: () => void
}) {
  const titles = new Map<string, string>([...pages, ...SETTINGS_TABS].map(({ path, title }) => [path, title]))
  const shortcuts: readonly (readonly [keys: readonly string[], what: string])[] = [
    [['Ctrl', 'K'], uiMessages.palette],
    [['/'], uiMessages.focusSearch],
    [['↓'], uiMessages.toResults],
    [['j', 'k'], uiMessages.moveThroughResults],
    ...Object.entries(PAGE_KEYS).map(([key, path]) => [['g', key], uiMessages.goTo(titles.get(path) ?? path)] as const),
    [['n'], uiMessages.newNote],
    [['Ctrl', 'Z'], uiMessages.undoDeletion],
    [['?'], uiMessages.shortcuts],
    [['Esc'], uiMessages.closePanel],
  ]
  return (
    <Dialog open onClose={onClose} title={uiMessages.shortcuts}>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-6 gap-y-2.5 text-sm">
        {shortcuts.map(([keys, what]) => (
          <div key={what} className="contents">
            <dt className="flex gap-1">
              {keys.map((key) => (
                <kbd key={key} className="border-line bg-raised rounded border px-1.5 py-0.5 font-mono text-xs">
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
