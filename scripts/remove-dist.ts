import { existsSync, readdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

// A module that was renamed must not be published under its old name too. The pages stay until others take their place:
// a service that runs from here shows them.
const dist = new URL('../dist/', import.meta.url)
const left = existsSync(fileURLToPath(dist)) ? readdirSync(dist).filter((name) => name !== 'web') : []
for (const name of left) rmSync(new URL(name, dist), { recursive: true, force: true })
