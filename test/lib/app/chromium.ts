import type { Browser } from 'playwright-core'
import { chromium as browserType } from 'playwright-core'
import { isExecutable } from '../../../src/lib/find-program.ts'

/** The headless shell first: the same pages take it a third of the processor time of a whole browser. */
const KNOWN_PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

export const WITHOUT_CHROMIUM = 'browser tests skipped: no Chromium; set RECALLD_TEST_CHROMIUM'

/** Nothing but what a test opens: no updates, no look-ups, no protocol that a proxy of the test would not see. */
const FLAGS = [
  // Build servers run as root, where Chromium has no sandbox.
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Four browsers share two cores: compiling and collecting garbage on further threads takes a tenth more processor time.
  '--js-flags=--single-threaded',
  // Names are not even looked up, so that a page that reaches out fails in the browser too.
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE localhost , EXCLUDE 127.0.0.1',
]

/**
 * The Chromium of this machine: the one that `RECALLD_TEST_CHROMIUM` names, else an installed one.
 *
 * @returns `undefined` when there is none
 */
export function chromiumPath(): string | undefined {
  const named = process.env.RECALLD_TEST_CHROMIUM
  return (named === undefined || named === '' ? KNOWN_PLACES : [named]).find(isExecutable)
}

/** @throws Error when the machine has no Chromium */
export async function launchChromium(): Promise<Browser> {
  const executablePath = chromiumPath()
  if (executablePath === undefined) throw new Error(WITHOUT_CHROMIUM)
  return browserType.launch({ executablePath, args: FLAGS })
}
