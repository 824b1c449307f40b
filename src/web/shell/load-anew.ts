const DONE_AT = 'recalld-loaded-anew'
/** What fails again so soon is not mended by loading it another time. */
const AGAIN_MS = 60_000

/** Loads the app anew, as a version that was installed while it was open needs it. Does nothing while the service is away. */
export async function loadAnew(): Promise<void> {
  const answer = await fetch('/app/', { method: 'HEAD', cache: 'no-store' }).catch(() => undefined)
  if (answer?.ok === true) window.location.reload()
}

/** The same by itself: not twice in a minute. */
export async function loadAnewOnce(): Promise<void> {
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
