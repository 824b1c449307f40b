import { type Html, html } from './html.ts'

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
