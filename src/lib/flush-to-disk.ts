import { closeSync, fsyncSync, openSync } from 'node:fs'
import { platform } from 'node:os'

/** Of a file its bytes, of a folder the names in it: both survive a power cut when this returns. Windows opens no folders. */
export function flushToDisk(path: string, kind: 'file' | 'folder'): void {
  if (kind === 'folder' && platform() === 'win32') return
  // Windows flushes no file that is open for reading alone.
  const descriptor = openSync(path, kind === 'file' ? 'r+' : 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
