import { createHash } from 'node:crypto'

/** The page in the browser after a consent. */
export interface RedirectPage {
  readonly status: number
  readonly isGood: boolean
  readonly title: string
  readonly text: string
}

const STYLE = `
:root { color-scheme: light dark; --paper: #fbfaf8; --ink: #22201d; --soft: #6b655d; --line: #e4dfd7; --mark: #2f7d4f }
.bad { --mark: #b3402a }
@media (prefers-color-scheme: dark) {
  :root { --paper: #191816; --ink: #ece8e1; --soft: #a09a90; --line: #35322d; --mark: #6cc08f }
  .bad { --mark: #ec8f79 }
}
 * { box-sizing: border-box }
body {
  margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem;
  background: var(--paper); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif;
}
main { width: 100%; max-width: 27rem; padding: 1.75rem 2rem; border: 1px solid var(--line); border-top: 3px solid var(--mark); border-radius: 6px }
p { margin: 0 }
.name { color: var(--soft); font-size: .875rem; letter-spacing: .02em }
h1 { margin: .5rem 0 .5rem; font-size: 1.375rem; line-height: 1.3; font-weight: 600; text-wrap: balance }
.text { overflow-wrap: anywhere }
`

/** One page without scripts, links or external resources. */
export function redirectHtml({ isGood, title, text }: RedirectPage): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} - recalld</title>
<style>${STYLE}</style>
</head>
<body>
<main class="${isGood ? 'good' : 'bad'}">
<p class="name">recalld</p>
<h1>${escaped(title)}</h1>
<p class="text">${escaped(text)}</p>
</main>
</body>
</html>
`
}

/** The address of the page contains a code: it must be neither stored nor sent to anybody else. */
export function redirectHeaders(): Readonly<Record<string, string>> {
  const style = createHash('sha256').update(STYLE).digest('base64')
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src 'sha256-${style}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    connection: 'close',
  }
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
