import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'

/** Builds the pages of the web app into dist/web. Where only what the service needs is installed (npm ci --omit=dev), it says so and goes on. */
let vite
try {
  vite = await import('vite')
} catch (error) {
  if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error
  process.stderr.write('The web app is not built, because vite is not installed; the service runs without it.\n')
}
await vite?.build({ logLevel: 'warn' })
if (vite !== undefined) await compressFiles(fileURLToPath(new URL('../dist/web/assets', import.meta.url)))

/** Beside each file that gets smaller by it, for the service to send as it is: on the way through a network it counts. */
async function compressFiles(folder) {
  for (const name of await readdir(folder)) {
    if (!/\.(js|css)$/.test(name)) continue
    const file = join(folder, name)
    const content = await readFile(file)
    await writeFile(`${file}.br`, await promisify(brotliCompress)(content))
    await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }))
  }
}
