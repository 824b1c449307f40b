import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Loaded by each visit, though not imported by the entry. */
const EARLY = /\/src\/web\/app\.tsx$/

/** Lets the browser fetch beside the entry what that imports only once the translation is there. */
const preloadApp: Plugin = {
  name: 'preload-app',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {} }) {
      const files = new Set<string>()
      const add = (name: string) => {
        const chunk = bundle[name]
        if (chunk?.type !== 'chunk' || files.has(name)) return
        files.add(name)
        chunk.imports.forEach(add)
      }
      for (const [name, file] of Object.entries(bundle))
        if (file.type === 'chunk' && EARLY.test(file.facadeModuleId ?? '')) add(name)
      return [...files]
        .filter((file) => !html.includes(file))
        .map((file) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `/app/${file}` },
          injectTo: 'head' as const,
        }))
    },
  },
}

/** With all that these import: what every page needs, as one file, which compresses better than thirty small ones. */
const FRAME = /\/src\/web\/(?:app|ui\/page)\.tsx?$/
/** What both translations and pages import, so that a translation does not load what pages share. */
const PROBLEMS = /\/src\/domain\//
/** Loaded before the frame, whose messages are constants: what translations and their loader import. */
const BEFORE_FRAME = /\/src\/web\/(?:languages\/(?:catalog|load-translation)|ui\/formats)\.ts$|vite\/preload-helper/

/** What sign-in needs besides the frame, so that strangers load none of the other controls. */
const FORMS =
  /\/src\/web\/(?:ui\/field\.tsx|api\/use-send-once\.ts|shell\/theme-choice\.tsx|pages\/sign-in\/(?!signed-out-pages|welcome-page).*\.tsx?)$|\/react-query\/.*\/useMutation\./

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
            { name: 'before-frame', test: BEFORE_FRAME },
            { name: 'problems', test: PROBLEMS },
            { name: 'frame', test: FRAME },
            { name: 'forms', test: FORMS },
            // Few files: a browser takes a millisecond or two for each small one (decision 115).
            { name: 'controls', test: /@base-ui\/react\// },
            { name: 'shared', minShareCount: 2 },
          ],
        },
      },
    },
  },
  // `npx vite` beside a running service; the browser then sees one origin.
  server: { proxy: { '/app/api': 'http://127.0.0.1:7411' } },
})
