import { SOURCE_TYPES } from '../../../domain/source-type.ts'
import { type Html, html, page, prose } from './html.ts'
import type { Operation, Parameter, Response, Tag } from './operations.ts'

/** The OpenAPI document as a page: guide first, then each operation. */
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

/** The guide at the top of the page. */
function guide({ baseUrl, version }: { baseUrl: string; version: string }): Html {
  return html`<h1>The REST interface</h1>
<p class="soft">recalld ${version}, at <code>${baseUrl}</code></p>
<p>Upload text, PDF or Office files; recalld makes first-person memories of them, and finds them again when you describe what you are looking for.</p>

<h2 id="start">First steps</h2>
<p>The key of this machine lies in <code>credentials.json</code> in the home folder of recalld. Put it into the environment:</p>
<pre><code>export RECALLD_API_KEY=rk_...
echo "Grace and I agreed to start the billing migration on 1 April." > note.txt

curl -H "x-api-key: $RECALLD_API_KEY" \\
     -F file=@note.txt -F user_name="Ada Lovelace" -F item_id=billing-note \\
     ${baseUrl}/v1/memorize

curl -H "x-api-key: $RECALLD_API_KEY" \\
     -F text="When does the billing migration start?" \\
     ${baseUrl}/v1/memories/recall</code></pre>
<p>An upload is answered when it is stored. Its memories can be recalled a moment later; until then, recall answers with an empty list, which is a valid answer.</p>

<h2 id="keys">Keys and sources</h2>
<p>Every request but health and readiness carries a key in the header <code>x-api-key</code>. A key belongs to an account and reaches all sources or some of them. <code>recalld keys create --name reports --sources slack,github</code> makes a further one. Keys belong on servers: never put one into JavaScript that runs in a browser.</p>
<p>Sources: ${SOURCE_TYPES.map((source) => html`<code>${source}</code> `)}</p>

<h2 id="errors">Errors and limits</h2>
<p>Every error is a JSON object whose <code>detail</code> explains the problem and the remedy. With 429 and 503, <code>Retry-After</code> says when to try again; each answer carries <code>x-request-id</code>, under which the log of the service says more, and the state of your rate in <code>x-ratelimit-limit</code>, <code>x-ratelimit-remaining</code> and <code>x-ratelimit-reset</code>.</p>
<p>Text has to be UTF-8. A PDF may have 20 MB, everything else (also DOCX, XLSX, PPTX, ODT, ODS and ODP) 10 MB. A query may have 1,000 characters, an <code>item_id</code> 500.</p>`
}
