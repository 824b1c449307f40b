import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Lets the browser fetch the app beside the entry, which imports it only once the translation is there. */
const preloadApp: Plugin = {
  name: 'preload-app',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {} }) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      const app = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith('/src/web/app.tsx'))
      const files = [app?.fileName ?? [], app?.imports ?? []].flat().filter((file) => !html.includes(file))
      return files.map((file) => ({
        tag: 'link',
        attrs: { rel: 'modulepreload', crossorigin: true, href: `/app/${file}` },
        injectTo: 'head' as const,
      }))
    },
  },
}

/** With all that these import: what every page needs, as one file, which compresses better than thirty small ones. */
const FRAME = /\/src\/web\/(?:app|ui\/page)\.tsx?$/
/** Loaded before the frame, whose messages are constants: what translations and their loader import. */
const BEFORE_FRAME = /\/src\/web\/(?:languages\/catalogue|ui\/formats)\.ts$|vite\/preload-helper/

/** The web app: its files land in dist/web, from where the service answers below /app. */
export default defineConfig({
  root: 'src/web',
  base: '/app/',
  plugins: [react(), tailwind(), preloadApp],
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    target: 'es2023',
    // A data address would need an exception in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'before-frame', test: BEFORE_FRAME, priority: 1 },
            { name: 'frame', test: FRAME },
          ],
        },
      },
    },
  },
  // `npx vite` beside a running service; the browser then sees one origin.
  server: { proxy: { '/app/api': 'http://127.0.0.1:7411' } },
})
