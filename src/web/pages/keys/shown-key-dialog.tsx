import { Tabs } from '@base-ui/react/tabs'
import { useQueryClient } from '@tanstack/react-query'
import { Eye, EyeOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { ShownKey } from '../../../http/app/schemas/keys.ts'
import { useViewer } from '../../shell/use-session.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { clientSetups } from './client-setups.ts'
import { messages } from './messages.ts'

/** Shows a new key once, with set-up instructions. Only its button closes it. */
export function ShownKeyDialog({ shown, onClose }: { readonly shown: ShownKey; readonly onClose: () => void }) {
  const { base_url: baseUrl } = useViewer()
  const queries = useQueryClient()
  const [isVisible, setVisible] = useState(false)
  useEffect(() => {
    void queries.invalidateQueries({ queryKey: ['keys'] })
  }, [queries])
  const masked = `${shown.value.slice(0, 3)}${'•'.repeat(24)}`
  return (
    <Dialog
      open
      wide
      insistent
      // Escape must not close it: the key is not shown again.
      onClose={() => undefined}
      title={messages.keyTitle(shownText(shown.name))}
      about={messages.keyAbout}
    >
      <div className="flex flex-col gap-6">
        <div className="bg-raised flex flex-wrap items-center gap-2 rounded-lg p-2 pl-4">
          <code data-testid="key" className="min-w-0 flex-1 basis-60 font-mono text-sm [overflow-wrap:anywhere]">
            {isVisible ? shown.value : masked}
          </code>
          <Button size="small" aria-pressed={isVisible} onClick={() => setVisible(!isVisible)}>
            {isVisible ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
            {isVisible ? messages.hide : messages.show}
          </Button>
          <CopyButton look="primary" text={shown.value} label={messages.copyKey} />
        </div>
        <ClientTabs baseUrl={baseUrl} value={shown.value} shownAs={isVisible ? shown.value : masked} />
      </div>
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          {messages.keySaved}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/** Set-up per program. Copied text contains the key even while it is hidden. */
function ClientTabs({
  baseUrl,
  value,
  shownAs,
}: {
  readonly baseUrl: string
  readonly value: string
  readonly shownAs: string
}) {
  const setups = clientSetups({ baseUrl, key: value })
  return (
    <Tabs.Root defaultValue={setups[0]?.id}>
      <Tabs.List aria-label={messages.programs} className="border-line flex flex-wrap gap-x-1 border-b">
        {setups.map(({ id, title }) => (
          <Tabs.Tab
            key={id}
            value={id}
            className="text-soft hover:text-ink data-active:border-accent data-active:text-ink -mb-px border-b-2 border-transparent px-2.5 py-2 text-sm font-medium"
          >
            {title}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {setups.map(({ id, steps, note }) => (
        <Tabs.Panel key={id} value={id} className="flex flex-col gap-4 pt-4">
          {steps.map(({ text, code }) => (
            <div key={text} className="flex flex-col gap-2">
              <div className="flex items-end justify-between gap-3">
                <p className="text-sm [overflow-wrap:anywhere]">{text}</p>
                <CopyButton text={code} aria-label={messages.copyStep(text)} />
              </div>
              <pre className="bg-raised rounded-lg p-3.5 font-mono text-[0.8125rem] leading-relaxed whitespace-pre-wrap [overflow-wrap:anywhere]">
                {code.replaceAll(value, shownAs)}
              </pre>
            </div>
          ))}
          {note !== undefined && <p className="text-soft text-[0.8125rem]">{note}</p>}
        </Tabs.Panel>
      ))}
    </Tabs.Root>
  )
}
