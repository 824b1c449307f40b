import { useSyncExternalStore } from 'react'

/** Shorter interruptions, such as a restart of a proxy, show nothing. */
const PATIENCE_MS = 2_000
/** Pause between two attempts to reach the service again. */
const PROBE_MS = 3_000

let isReachable = true
let pending = 0
let probing = 0
const listeners = new Set<() => void>()

/** Reports what a call or the event stream met: an answer, or no connection. */
export function reportReachable(now: boolean): void {
  if (now) {
    window.clearTimeout(pending)
    pending = 0
    become(true)
  } else if (isReachable && pending === 0) {
    pending = window.setTimeout(() => become(false), PATIENCE_MS)
  }
}

function become(now: boolean): void {
  pending = 0
  if (now === isReachable) return
  isReachable = now
  if (now) window.clearInterval(probing)
  else probing = window.setInterval(() => void probe(), PROBE_MS)
  for (const listener of listeners) listener()
}

async function probe(): Promise<void> {
  if (await isServed()) reportReachable(true)
}

/** Asks the service, without the browser's cache. */
export async function isServed(): Promise<boolean> {
  const answer = await fetch('/app/', { method: 'HEAD', cache: 'no-store' }).catch(() => undefined)
  return answer?.ok === true
}

/** @returns stops listening */
export function onReachabilityChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether the service answers, as far as the page knows. */
export function currentlyReachable(): boolean {
  return isReachable
}

/** The same, for components. */
export function useReachable(): boolean {
  return useSyncExternalStore(onReachabilityChange, currentlyReachable)
}
