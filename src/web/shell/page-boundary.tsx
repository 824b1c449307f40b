import { Component, type ReactNode } from 'react'
import { isServed, reportReachable } from '../api/reachability.ts'
import { uiMessages } from '../ui/messages.ts'
import { ProblemNote } from '../ui/notices.tsx'

/**
 * Shows the error of a page that failed to render; the navigation stays. A page that couldn't be loaded is loaded again
 * when the service is back.
 */
export class PageBoundary extends Component<{ readonly children: ReactNode }, { readonly error: unknown }> {
  override state: { readonly error: unknown } = { error: undefined }

  #timer = 0

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override componentWillUnmount() {
    window.clearInterval(this.#timer)
  }

  override componentDidCatch(error: unknown) {
    if (!isMissingFile(error)) return
    reportReachable(false)
    void reloadAppOnce()
    window.clearInterval(this.#timer)
    this.#timer = window.setInterval(() => void reloadAppOnce(), RETRY_MS)
  }

  override render() {
    const { error } = this.state
    if (error === undefined) return this.props.children
    return (
      <div className="mx-auto max-w-xl p-8">
        {isMissingFile(error) ? (
          <ProblemNote error={new Error(uiMessages.pageNotLoaded)} onRetry={() => void reloadApp()} />
        ) : (
          <ProblemNote error={error} onRetry={() => this.setState({ error: undefined })} />
        )}
      </div>
    )
  }
}

/** A chunk failed to load. Browsers cache the failure, so only a reload helps. */
function isMissingFile(error: unknown): boolean {
  return error instanceof Error && /dynamically imported module|module script|preload CSS/i.test(error.message)
}

const RELOADED_AT_KEY = 'recalld-loaded-anew'
const RETRY_MS = 3_000
/** Shortest time between two automatic reloads. */
const RELOAD_PAUSE_MS = 60_000

/** Reloads the app, as needed after an update. Does nothing if the service is down. */
async function reloadApp(): Promise<void> {
  if (await isServed()) window.location.reload()
}

/** Reloads automatically, at most once a minute. */
async function reloadAppOnce(): Promise<void> {
  if ((await isServed()) && !reloadedRecently()) window.location.reload()
}

function reloadedRecently(): boolean {
  try {
    const last = Number(sessionStorage.getItem(RELOADED_AT_KEY) ?? 0)
    sessionStorage.setItem(RELOADED_AT_KEY, String(Date.now()))
    return Date.now() - last < RELOAD_PAUSE_MS
  } catch {
    // Without storage, assume it already reloaded.
    return true
  }
}
