import { guide } from './guide.ts'
import { type Html, html, prose } from './html.ts'
import type { Operation, Parameter, Response, Tag } from './operations.ts'
import { page } from './page.ts'

/** The readable form of the OpenAPI document: guide first, then each operation. */
export function docsPage(options: { baseUrl: string; version: string; tags: readonly Tag[] }): string {
  const { tags } = options
  return page(
    'recalld: REST interface',
    html`<div class="layout">
<nav aria-label="Contents">
<a class="brand" href="/">recalld</a>
<ul>
<li><a href="#start">First steps</a></li>
<li><a href="#keys">Keys and sources</a></li>
<li><a href="#errors">Errors and limits</a></li>
${tags.map(
  (tag) => html`<li class="group">${tag.name}</li>
${tag.operations.map((operation) => html`<li><a href="#${operation.id}">${operation.path}</a></li>\n`)}`,
)}<li class="group"><a href="/openapi.json">openapi.json</a></li>
</ul>
</nav>
<main>
${guide(options)}
${tags.map(
  (tag) => html`<h2>${tag.name}</h2>
${tag.operations.map(operationSection)}`,
)}
</main>
</div>`,
  )
}

function operationSection(operation: Operation): Html {
  return html`<section class="operation" id="${operation.id}">
<h3>${operation.summary}</h3>
<p class="address"><span class="verb ${operation.method}">${operation.method.toUpperCase()}</span>${operation.path}</p>
${operation.description ? html`<p>${prose(operation.description)}</p>` : undefined}
${operation.parameters.length > 0 ? parameterTable(operation.parameters) : undefined}
<h4>Example</h4>
<pre><code>${operation.curl}</code></pre>
${operation.example ? html`<pre><code>${operation.example}</code></pre>` : undefined}
<details><summary>Answers</summary>${responseTable(operation.responses)}</details>
</section>
`
}

function parameterTable(parameters: readonly Parameter[]): Html {
  return html`<h4>${parameters.some(({ place }) => place === 'form') ? 'Form fields' : 'Parameters'}</h4>
<div class="scroll"><table>
<thead><tr><th>Name</th><th>Type</th><th>Meaning</th></tr></thead>
<tbody>
${parameters.map(
  (parameter) => html`<tr>
<td><code>${parameter.name}</code>${parameter.required ? html`<span class="needed">required</span>` : undefined}</td>
<td>${parameter.type}</td>
<td>${prose(parameter.description)}${parameter.standard ? html` Default: <code>${parameter.standard}</code>.` : undefined}</td>
</tr>
`,
)}</tbody>
</table></div>`
}

function responseTable(responses: readonly Response[]): Html {
  return html`<table><tbody>
${responses.map(({ status, description }) => html`<tr><td><code>${status}</code></td><td>${prose(description)}</td></tr>\n`)}
</tbody></table>`
}
