import { html } from './html.ts'
import { page } from './page.ts'

/** What stands at /: where everything is. */
export function landingPage(options: { version: string; hasMetrics: boolean; hasApp: boolean }): string {
  const doors = [
    ...(options.hasApp ? [{ href: '/app', name: 'App', text: 'Keys, integrations and memories' }] : []),
    { href: '/docs', name: 'Guide', text: 'The REST interface, with examples to copy' },
    { href: '/openapi.json', name: 'OpenAPI', text: 'The same for machines (3.1)' },
    { href: '/v1/health', name: 'Health', text: 'Whether the service is running' },
    ...(options.hasMetrics ? [{ href: '/metrics', name: 'Metrics', text: 'Numbers for Prometheus' }] : []),
  ]
  return page(
    'recalld',
    html`<main class="landing">
<h1>recalld is running</h1>
<p class="lead">Upload what you know, recall it in your own words.</p>
<ul class="doors">
${doors.map((door) => html`<li><a href="${door.href}"><strong>${door.name}</strong><span>${door.text}</span></a></li>\n`)}</ul>
<p class="soft">Version ${options.version}</p>
</main>`,
  )
}
