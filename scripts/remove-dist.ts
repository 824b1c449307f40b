import { rmSync } from 'node:fs'

// A module that was renamed must not be published under its old name too.
rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true })
