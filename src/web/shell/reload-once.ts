const DONE_AT = 'recalld-reloaded'
/** What fails again so soon is not mended by loading it another time. */
const AGAIN_MS = 60_000

/** Loads the app anew, as a version that was installed while it was open needs it; not twice in a minute. */
export function reloadOnce(): void {
  try {
    const last = Number(sessionStorage.getItem(DONE_AT) ?? 0)
    if (Date.now() - last < AGAIN_MS) return
    sessionStorage.setItem(DONE_AT, String(Date.now()))
  } catch {
    // Without storage nobody knows how often it was done.
    return
  }
  window.location.reload()
}
