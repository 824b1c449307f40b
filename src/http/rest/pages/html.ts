/** Markup that is already escaped. */
export interface Html {
  readonly markup: string
}

/** Template tag that escapes values, except markup made by this tag; lists are joined. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  const markup = parts.map((part, index) => part + (index < values.length ? inserted(values[index]) : ''))
  return { markup: markup.join('') }
}

type HtmlValue = string | number | undefined | Html | readonly Html[]

function inserted(value: HtmlValue): string {
  if (value === undefined) return ''
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value))
  return 'markup' in value ? value.markup : value.map((item) => item.markup).join('')
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}

/** A sentence with `code` in backticks. */
export function prose(text: string): Html[] {
  return text
    .split(/(`[^`]+`)/)
    .map((part) => (part.startsWith('`') ? html`<code>${part.slice(1, -1)}</code>` : html`${part}`))
}

/** A whole page around its body. */
export function page(title: string, body: Html): string {
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
${body}
</body>
</html>
`
  return document.markup
}

/** Style of the pages under / and /docs: light and dark, without external fonts or images. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fbfaf7; --sheet: #ffffff; --ink: #1d1f24; --soft: #5d626e; --line: #e4e1d9;
  --accent: #9a3b12; --accent-soft: #f6ebe4; --code: #f4f2ec;
  --get: #1f6f4a; --post: #8a4b08; --delete: #a3262c;
  --sans: ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  --mono: ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #15161a; --sheet: #1c1e23; --ink: #e9e7e1; --soft: #a3a7b1; --line: #30333b;
    --accent: #f0a070; --accent-soft: #2b211b; --code: #24262c;
    --get: #6fcf9f; --post: #e8b06a; --delete: #f08a8e;
  }
}
 * { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 1.5rem; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.6 var(--sans); }
a { color: var(--accent); text-underline-offset: .18em; text-decoration-thickness: .06em; }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 3px; border-radius: 2px; }
code, pre { font-family: var(--mono); font-size: .875em; }
code { background: var(--code); padding: .1em .35em; border-radius: 4px; overflow-wrap: anywhere; }
pre { background: var(--code); border: 1px solid var(--line); border-radius: 8px; padding: 1rem 1.15rem; overflow-x: auto; line-height: 1.55; }
pre code { background: none; padding: 0; overflow-wrap: normal; }
h1, h2, h3 { line-height: 1.25; letter-spacing: -.012em; text-wrap: balance; }
h1 { font-size: 2.25rem; margin: 0 0 .5rem; }
h2 { font-size: 1.5rem; margin: 3.5rem 0 1rem; padding-bottom: .5rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 0; }
h4 { font-size: .8rem; letter-spacing: .06em; text-transform: uppercase; color: var(--soft); margin: 1.5rem 0 .5rem; }
p { max-width: 68ch; }
.soft { color: var(--soft); }
.layout { max-width: 74rem; margin: 0 auto; padding: 0 1.5rem 6rem; display: grid; grid-template-columns: 14rem minmax(0, 1fr); gap: 3.5rem; }
nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding: 2.5rem 0; font-size: .925rem; }
nav .brand { font-weight: 700; font-size: 1.1rem; color: var(--ink); text-decoration: none; }
nav ul { list-style: none; margin: 1.25rem 0 0; padding: 0; }
nav li { margin: .1rem 0; }
nav li a { display: block; padding: .2rem 0; color: var(--soft); text-decoration: none; }
nav li a:hover { color: var(--ink); }
nav .group { margin-top: 1.25rem; font-weight: 600; color: var(--ink); }
main { padding: 2.5rem 0; min-width: 0; }
.operation { background: var(--sheet); border: 1px solid var(--line); border-radius: 12px; padding: 1.5rem; margin: 1.25rem 0; }
.address { font-family: var(--mono); font-size: .95rem; margin: .5rem 0 .75rem; overflow-wrap: anywhere; }
.verb { font-weight: 700; margin-right: .6rem; }
.verb.get { color: var(--get); } .verb.post { color: var(--post); } .verb.delete { color: var(--delete); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .925rem; }
th { text-align: left; font-weight: 600; color: var(--soft); font-size: .8rem; }
th, td { padding: .5rem .9rem .5rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
tr:last-child td { border-bottom: 0; }
td:first-child { white-space: nowrap; }
.needed { color: var(--accent); font-size: .75rem; font-weight: 600; margin-left: .4rem; }
details summary { cursor: pointer; color: var(--soft); font-size: .925rem; }
.landing { max-width: 44rem; margin: 0 auto; padding: clamp(3rem, 14vh, 9rem) 1.5rem 4rem; }
.landing .lead { font-size: 1.2rem; color: var(--soft); }
.links { list-style: none; padding: 0; margin: 2rem 0; border-top: 1px solid var(--line); }
.links a { display: grid; grid-template-columns: 9rem 1fr; gap: 1rem; padding: .9rem 0; border-bottom: 1px solid var(--line); text-decoration: none; }
.links a:hover strong { text-decoration: underline; }
.links span { color: var(--soft); }
@media (max-width: 52rem) {
  .layout { grid-template-columns: minmax(0, 1fr); gap: 0; }
  nav { position: static; max-height: none; padding: 2rem 0 0; }
  main { padding-top: 1.5rem; }
  .links a { grid-template-columns: 1fr; gap: .1rem; }
  h1 { font-size: 1.85rem; }
}
`
