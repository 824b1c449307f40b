import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'

/** Builds the web app into dist/web. Without vite (npm ci --omit=dev), prints a notice and succeeds. */
let vite
try {
  vite = await import('vite')
} catch (error) {
  if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error
  process.stderr.write('The web app is not built because vite is not installed. The service runs without it.\n')
}
await vite?.build({ logLevel: 'warn' })
if (vite !== undefined) await compressFiles(fileURLToPath(new URL('../dist/web/assets', import.meta.url)))

/** Writes compressed copies next to each script and style sheet, which the service sends without compressing again. */
async function compressFiles(folder) {
  for (const name of await readdir(folder)) {
    if (!/\.(js|css)$/.test(name)) continue
    const file = join(folder, name)
    const content = await readFile(file)
    await writeFile(`${file}.br`, await promisify(brotliCompress)(content))
    await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }))
  }
}
