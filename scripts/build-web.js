import process from 'node:process'

/** Builds the pages of the web app into dist/web. Where only what the service needs is installed (npm ci --omit=dev), it says so and goes on. */
let vite
try {
  vite = await import('vite')
} catch (error) {
  if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error
  process.stderr.write('The web app is not built, because vite is not installed; the service runs without it.\n')
}
await vite?.build({ logLevel: 'warn' })
