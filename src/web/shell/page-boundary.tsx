import { Component, type ReactNode } from 'react'
import { ProblemNote } from '../ui/notices.tsx'

/** Shows what went wrong in a page instead of nothing at all; the navigation stays. */
export class PageBoundary extends Component<{ readonly children: ReactNode }, { readonly error: unknown }> {
  override state: { readonly error: unknown } = { error: undefined }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override componentDidCatch(error: unknown) {
    if (isMissingFile(error)) void loadAnewOnce()
  }

  override render() {
    const { error } = this.state
    if (error === undefined) return this.props.children
    return (
      <div className="mx-auto max-w-xl p-8">
        {isMissingFile(error) ? (
          <ProblemNote
            error={
              new Error('This page could not be loaded. A new version may have been installed, or recalld is away.')
            }
            onRetry={() => void loadAnew()}
          />
        ) : (
          <ProblemNote error={error} onRetry={() => this.setState({ error: undefined })} />
        )}
      </div>
    )
  }
}

/** A part of the app could not be loaded; browsers keep that in mind, so that only a new start helps. */
function isMissingFile(error: unknown): boolean {
  return error instanceof Error && /dynamically imported module|module script|preload CSS/i.test(error.message)
}

const DONE_AT = 'recalld-loaded-anew'
/** What fails again so soon is not mended by loading it another time. */
const AGAIN_MS = 60_000

/** Loads the app anew, as a version that was installed while it was open needs it. Does nothing while the service is away. */
async function loadAnew(): Promise<void> {
  const answer = await fetch('/app/', { method: 'HEAD', cache: 'no-store' }).catch(() => undefined)
  if (answer?.ok === true) window.location.reload()
}

/** The same by itself: not twice in a minute. */
async function loadAnewOnce(): Promise<void> {
  if (wasDoneJustNow()) return
  await loadAnew()
}

function wasDoneJustNow(): boolean {
  try {
    const last = Number(sessionStorage.getItem(DONE_AT) ?? 0)
    sessionStorage.setItem(DONE_AT, String(Date.now()))
    return Date.now() - last < AGAIN_MS
  } catch {
    // Without storage nobody knows how often it was done.
    return true
  }
}
