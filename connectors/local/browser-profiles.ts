import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { SourceMachine } from '../../src/connector/connector.ts'

/** One profile of one browser. */
export interface BrowserProfile {
  /** Its history database. */
  readonly path: string
  /** `Chrome, Profile 1`. */
  readonly title: string
}

interface BrowserFolder {
  readonly browser: string
  /** Contains a folder for each profile; Opera keeps its only profile in the folder itself. */
  readonly folder: string
  readonly file: string
}

const CHROMIUM_FILE = 'History'
const FIREFOX_FILE = 'places.sqlite'
const SAFARI_FILE = 'History.db'
/** Profiles without a history. */
const NOBODYS = new Set(['System Profile', 'Guest Profile'])

/** Folders of the Chrome family by platform: in the user's configuration, and in sandboxed packages. */
const CHROMIUM = {
  linux: {
    Chrome: ['google-chrome', 'google-chrome-beta', 'google-chrome-unstable'],
    Chromium: ['chromium'],
    Brave: ['BraveSoftware/Brave-Browser', 'BraveSoftware/Brave-Browser-Beta', 'BraveSoftware/Brave-Browser-Nightly'],
    Edge: ['microsoft-edge', 'microsoft-edge-beta', 'microsoft-edge-dev'],
    Vivaldi: ['vivaldi', 'vivaldi-snapshot'],
    Opera: ['opera', 'opera-beta', 'opera-developer'],
  },
  flatpak: {
    Chrome: ['com.google.Chrome/config/google-chrome'],
    Chromium: ['org.chromium.Chromium/config/chromium'],
    Brave: ['com.brave.Browser/config/BraveSoftware/Brave-Browser'],
    Edge: ['com.microsoft.Edge/config/microsoft-edge'],
    Vivaldi: ['com.vivaldi.Vivaldi/config/vivaldi'],
    Opera: ['com.opera.Opera/config/opera'],
  },
  snap: {
    Chromium: ['chromium/common/chromium'],
    Brave: ['brave/current/.config/BraveSoftware/Brave-Browser'],
    Vivaldi: ['vivaldi/current/.config/vivaldi'],
    Opera: ['opera/current/.config/opera'],
  },
  darwin: {
    Chrome: ['Google/Chrome', 'Google/Chrome Beta', 'Google/Chrome Dev', 'Google/Chrome Canary'],
    Chromium: ['Chromium'],
    Brave: ['BraveSoftware/Brave-Browser', 'BraveSoftware/Brave-Browser-Beta', 'BraveSoftware/Brave-Browser-Nightly'],
    Edge: ['Microsoft Edge', 'Microsoft Edge Beta', 'Microsoft Edge Dev', 'Microsoft Edge Canary'],
    Vivaldi: ['Vivaldi', 'Vivaldi Snapshot'],
    Opera: ['com.operasoftware.Opera', 'com.operasoftware.OperaGX'],
    Arc: ['Arc/User Data'],
  },
  win32: {
    Chrome: ['Google/Chrome/User Data', 'Google/Chrome Beta/User Data', 'Google/Chrome SxS/User Data'],
    Chromium: ['Chromium/User Data'],
    Brave: ['BraveSoftware/Brave-Browser/User Data'],
    Edge: ['Microsoft/Edge/User Data', 'Microsoft/Edge Beta/User Data', 'Microsoft/Edge Dev/User Data'],
    Vivaldi: ['Vivaldi/User Data'],
    Arc: ['Packages/TheBrowserCompany.Arc_ttt1ap7aakyb4/LocalCache/Local/Arc/User Data'],
  },
  win32Roaming: { Opera: ['Opera Software/Opera Stable', 'Opera Software/Opera GX Stable'] },
}

/** The same for Firefox and browsers based on it. */
const FIREFOX = {
  linux: {
    Firefox: [
      '.mozilla/firefox',
      '.config/mozilla/firefox',
      'snap/firefox/common/.mozilla/firefox',
      '.var/app/org.mozilla.firefox/.mozilla/firefox',
      '.var/app/org.mozilla.firefox/config/mozilla/firefox',
    ],
    LibreWolf: ['.librewolf', '.var/app/io.gitlab.librewolf-community/.librewolf'],
    Waterfox: ['.waterfox', '.var/app/net.waterfox.waterfox/.waterfox'],
    Floorp: ['.floorp', '.var/app/one.ablaze.floorp/.floorp'],
    Zen: ['.zen', '.var/app/app.zen_browser.zen/.zen'],
  },
  darwin: {
    Firefox: ['Firefox/Profiles'],
    LibreWolf: ['librewolf/Profiles'],
    Waterfox: ['Waterfox/Profiles'],
    Floorp: ['Floorp/Profiles'],
    Zen: ['zen/Profiles'],
  },
  win32: {
    Firefox: ['Mozilla/Firefox/Profiles'],
    LibreWolf: ['librewolf/Profiles'],
    Waterfox: ['Waterfox/Profiles'],
    Floorp: ['Floorp/Profiles'],
    Zen: ['zen/Profiles'],
  },
}

/** Every profile with a history, of every browser of this user, in the order of browsers. */
export async function browserProfiles(machine: SourceMachine): Promise<BrowserProfile[]> {
  const found: BrowserProfile[] = []
  for (const folder of browserFolders(machine)) found.push(...(await profilesIn(folder)))
  return found
}

/** A database from the configuration. */
export function namedProfile(path: string): BrowserProfile {
  return { path, title: `${basename(dirname(path))}/${basename(path)}` }
}

function browserFolders({ platform, userHome, env }: SourceMachine): BrowserFolder[] {
  if (platform === 'win32') {
    const local = env.LOCALAPPDATA ?? join(userHome, 'AppData/Local')
    const roaming = env.APPDATA ?? join(userHome, 'AppData/Roaming')
    return [
      ...foldersOf(CHROMIUM.win32, local, CHROMIUM_FILE),
      ...foldersOf(CHROMIUM.win32Roaming, roaming, CHROMIUM_FILE),
      ...foldersOf(FIREFOX.win32, roaming, FIREFOX_FILE),
    ]
  }
  if (platform === 'darwin') {
    const support = join(userHome, 'Library/Application Support')
    return [
      ...foldersOf(CHROMIUM.darwin, support, CHROMIUM_FILE),
      ...foldersOf(FIREFOX.darwin, support, FIREFOX_FILE),
      { browser: 'Safari', folder: join(userHome, 'Library/Safari'), file: SAFARI_FILE },
      {
        browser: 'Safari',
        folder: join(userHome, 'Library/Containers/com.apple.Safari/Data/Library/Safari/Profiles'),
        file: SAFARI_FILE,
      },
    ]
  }
  return [
    ...foldersOf(CHROMIUM.linux, env.XDG_CONFIG_HOME || join(userHome, '.config'), CHROMIUM_FILE),
    ...foldersOf(CHROMIUM.flatpak, join(userHome, '.var/app'), CHROMIUM_FILE),
    ...foldersOf(CHROMIUM.snap, join(userHome, 'snap'), CHROMIUM_FILE),
    ...foldersOf(FIREFOX.linux, userHome, FIREFOX_FILE),
  ]
}

function foldersOf(browsers: Readonly<Record<string, readonly string[]>>, root: string, file: string): BrowserFolder[] {
  return Object.entries(browsers).flatMap(([browser, folders]) =>
    folders.map((folder) => ({ browser, folder: join(root, folder), file })),
  )
}

async function profilesIn({ browser, folder, file }: BrowserFolder): Promise<BrowserProfile[]> {
  const own = join(folder, file)
  const found = (await exists(own)) ? [{ path: own, title: browser }] : []
  for (const name of await folderNames(folder)) {
    const path = join(folder, name, file)
    if (!NOBODYS.has(name) && (await exists(path))) found.push({ path, title: `${browser}, ${name}` })
  }
  return found
}

async function folderNames(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    return entries.flatMap((entry) => (entry.isDirectory() || entry.isSymbolicLink() ? [entry.name] : [])).sort()
  } catch {
    // Missing or not readable; then `exists` reports known histories that can't be read either.
    return []
  }
}

/** A file without read permission counts as existing, so that its partition can report the remedy. */
async function exists(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    return code === 'EPERM' || code === 'EACCES'
  }
}
