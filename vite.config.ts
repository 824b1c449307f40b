import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The web app: its files land in dist/web, from where the service answers below /app. */
export default defineConfig({
  root: 'src/web',
  base: '/app/',
  plugins: [react(), tailwind()],
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    target: 'es2023',
    // A data address would need an exception in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  // `npx vite` beside a running service; the browser then sees one origin.
  server: { proxy: { '/app/api': 'http://127.0.0.1:7411' } },
})
