import { Share2 } from 'lucide-react'
import { Button } from './button.tsx'
import { uiMessages } from './messages.ts'
import { useToast } from './toasts.tsx'

interface ShareButtonProps {
  readonly title: string
  readonly text: string | (() => Promise<string>)
}

/** Hands a text to the share sheet of the system; nothing where there is none. */
export function ShareButton({ title, text }: ShareButtonProps) {
  const toast = useToast()
  // Absent in some browsers, and on pages without TLS.
  if (!('share' in navigator)) return null
  const share = async () => {
    try {
      await navigator.share({ title, text: typeof text === 'string' ? text : await text() })
    } catch (error) {
      // The person closed the sheet.
      if (error instanceof Error && error.name === 'AbortError') return
      toast(uiMessages.notShared, error instanceof Error ? error.message : undefined)
    }
  }
  return (
    <Button
      look="quiet"
      size="small"
      aria-label={uiMessages.share}
      title={uiMessages.share}
      onClick={() => void share()}
    >
      <Share2 aria-hidden />
    </Button>
  )
}
