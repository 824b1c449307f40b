import type { AppUpload } from './app-service.ts'

/** Says that it ran, wherever it is run. */
const RUN = 'window.hostileRan=1'
const ELSEWHERE = 'http://elsewhere.test'
const IMAGE = `<img src=x onerror="${RUN}">`
const TURNED = '\u202eexe.tnemucod\u202c'
const HIDDEN = 'in\u200bvi\u2060si\ufeffble'

/** A word that all of them hold. */
export const HOSTILE_WORD = 'lighthouse'

const ADDRESSES = {
  script: `javascript:${RUN}`,
  'script in capitals': `JaVaScRiPt:${RUN}`,
  'script behind a space': ` javascript:${RUN}`,
  'script of Visual Basic': 'vbscript:msgbox(1)',
  page: `data:text/html,<script>${RUN}</script>`,
  file: 'file:///etc/passwd',
  'with a password': 'https://bank.example:secret@elsewhere.test/',
  blob: 'blob:https://elsewhere.test/1',
  fine: 'https://docs.example/lighthouse',
}

function frontMatter(facts: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(facts).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
  return `---\n${lines.join('\n')}\n---\n`
}

/** Uploads that try to run, to load, to leave or to turn around whatever shows them. */
export function hostileItems(): AppUpload[] {
  const facts = {
    title: `${IMAGE} The ${HOSTILE_WORD} ${TURNED} ${HIDDEN}`,
    author: `<script>${RUN}</script> Mallory ${TURNED}`,
    participants: [`<b onmouseover="${RUN}">Ada</b>`, `${TURNED} Bob`, 'שלום'],
    where: `<iframe src="javascript:parent.${RUN}"></iframe>`,
  }
  const words = [
    `The ${HOSTILE_WORD} was painted on Monday by Mallory.`,
    `${IMAGE}<svg onload="${RUN}"><script>${RUN}</script></svg>`,
    `![a picture](${ELSEWHERE}/pixel.png) [a link](javascript:${RUN}) [another](${ELSEWHERE}/link)`,
    `${TURNED} the ${HOSTILE_WORD} ${HIDDEN} \u001b]8;;${ELSEWHERE}\u0007link\u001b]8;;\u0007 \u001b[2J`,
    `</script></style></textarea></title><base href="${ELSEWHERE}/"><meta http-equiv="refresh" content="0;${ELSEWHERE}">`,
    `{{constructor.constructor('${RUN}')()}} \${${RUN}}`,
  ]
  const byAddress = Object.entries(ADDRESSES).map(([name, url]) => ({
    fileName: `${name}.md`,
    itemId: `hostile-${name.replaceAll(' ', '-')}`,
    body: `${frontMatter({ ...facts, url })}${words.join('\n\n')}\n`,
  }))
  return [
    ...byAddress,
    { fileName: `"><img src=x onerror=${RUN}>${TURNED}.md`, itemId: '__proto__', body: words.join('\n\n') },
    { fileName: 'constructor', itemId: 'constructor', body: `# ${IMAGE} ${HOSTILE_WORD}\n\n${words.join('\n\n')}` },
    { fileName: 'hebrew.md', itemId: 'שלום:=!-שלום', body: frontMatter({ title: 'שלום lighthouse שלום' }) + words[0] },
    {
      fileName: 'page.html',
      itemId: 'page',
      contentType: 'text/html',
      body: `<html><title>${HOSTILE_WORD}</title><body onload="${RUN}">${words.join('<p>')}</body></html>`,
    },
    { fileName: 'long.txt', itemId: 'long', body: `${HOSTILE_WORD} ${'m'.repeat(100_000)}\n\n${words[0]}` },
    { fileName: `${'n'.repeat(200)}.txt`, itemId: 'l'.repeat(500), body: `${HOSTILE_WORD} of a long name` },
  ]
}

/**
 * What hostile text did to the page that shows it; evaluated in the page.
 *
 * @returns sentences, none when it was shown as text and nothing else
 */
export const HOSTILE_EFFECTS = `(() => {
  const own = location.origin + '/app/'
  const found = []
  const report = (what, element) => found.push(what + ': ' + (element.outerHTML ?? element.data).slice(0, 200))
  if (window.hostileRan !== undefined) found.push('a script of a source ran')
  for (const script of document.scripts) if (!script.src.startsWith(own)) report('a script', script)
  for (const element of document.querySelectorAll('iframe, object, embed, base, meta[http-equiv=refresh], form[action]'))
    report('an element', element)
  for (const element of document.querySelectorAll('[src]'))
    if (!new URL(element.getAttribute('src'), own).href.startsWith(own)) report('something loaded', element)
  for (const element of document.querySelectorAll('[href]')) {
    const url = new URL(element.getAttribute('href'), location.href)
    if (url.origin === location.origin) continue
    if (!/^(https?|mailto):$/.test(url.protocol)) report('an address that must not be opened', element)
    else if (url.username !== '' || url.password !== '') report('an address with a password', element)
    else if (element.tagName !== 'A') report('something of elsewhere', element)
    else if (element.target === '_blank' && !element.relList.contains('noopener')) report('a link that is told', element)
  }
  const turns = /[\\u202a-\\u202e\\u2066-\\u2069]/
  for (const element of document.querySelectorAll('*'))
    for (const { name, value } of element.attributes) {
      if (/^on/.test(name)) report('a handler', element)
      if (turns.test(value) && name !== 'value') report('a turned attribute ' + name, element)
    }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    if (turns.test(text.data)) report('turned text', text.parentElement)
    if (!/[\\u0590-\\u05ff]/.test(text.data)) continue
    let around = text.parentElement
    const isApart = (element) => /isolate|plaintext/.test(getComputedStyle(element).unicodeBidi)
    const isInline = (element) => getComputedStyle(element).display === 'inline'
    while (isInline(around) && !isApart(around)) around = around.parentElement
    if (!isApart(around) && around.innerText.trim() !== text.data.trim()) report('turned surroundings', around)
  }
  if (turns.test(document.title)) found.push('a turned title')
  const { scrollWidth, clientWidth } = document.documentElement
  if (scrollWidth > clientWidth) {
    const isWide = (element) => element.getBoundingClientRect().right > clientWidth + 1
    const wide = [...document.querySelectorAll('#page *')].filter(isWide)
    report('the page scrolls sideways by ' + (scrollWidth - clientWidth) + ' px', wide.at(-1) ?? document.body)
  }
  return found
})()`
