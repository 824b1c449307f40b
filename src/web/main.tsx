import './style.css'
import { loadTranslation } from './languages/load-translation.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html holds no #root')
await loadTranslation()
const { renderApp } = await import('./app.tsx')
renderApp(root)
