import { useQueryClient } from '@tanstack/react-query'
import { Eye, EyeOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { ShownKey } from '../../../http/app/schemas/keys.ts'
import { useViewer } from '../../shell/use-session.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { ClientTabs } from './client-tabs.tsx'

/** The value of a key, this once, and how programs are told of it. Only its button closes it. */
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
      // Escape is no answer to a key that is not shown again.
      onClose={() => undefined}
      title={`The key ${shownText(shown.name)}`}
      about="Copy it now: it is kept as a hash only, and nobody can show it again. If it is lost, regenerate it."
    >
      <div className="flex flex-col gap-6">
        <div className="bg-raised flex flex-wrap items-center gap-2 rounded-lg p-2 pl-4">
          <code data-testid="key" className="min-w-0 flex-1 basis-60 font-mono text-sm [overflow-wrap:anywhere]">
            {isVisible ? shown.value : masked}
          </code>
          <Button size="small" aria-pressed={isVisible} onClick={() => setVisible(!isVisible)}>
            {isVisible ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
            {isVisible ? 'Hide' : 'Show'}
          </Button>
          <CopyButton look="primary" text={shown.value} label="Copy key" />
        </div>
        <ClientTabs baseUrl={baseUrl} value={shown.value} shownAs={isVisible ? shown.value : masked} />
      </div>
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          I have kept the key
        </Button>
      </DialogActions>
    </Dialog>
  )
}
