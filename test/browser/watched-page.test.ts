import { once } from 'node:events'
import { createServer } from 'node:http'
import { describe, expect, onTestFinished } from 'vitest'
import { accessibilityFindings } from '../lib/app/accessibility-findings.ts'
import { browserTest } from '../lib/app/app-browser.ts'

const POLICY = "default-src 'none'; script-src 'self'; connect-src *; img-src *"

/** A server that answers every path with this page. @returns its address */
async function serverOf(html: string): Promise<string> {
  const server = createServer(({ url = '' }, response) => {
    if (url === '/broken') response.writeHead(500).end()
    else if (url === '/lost.js') response.writeHead(404).end()
    else if (url === '/wrong.js') response.writeHead(200, { 'content-type': 'text/javascript' }).end('nobody.home()')
    else if (url === '/app/api/mine') response.writeHead(403).end()
    else response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': POLICY }).end(html)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return `http://127.0.0.1:${address.port}`
}

describe('tests of pages notice', () => {
  browserTest.for([
    ['a script that fails', '<script src="/wrong.js"></script>', /nobody is not defined/],
    ['a script inside of the page', '<script>document.title = 1</script>', /Content Security Policy/],
    ['a picture from elsewhere', '<img src="http://elsewhere.test/a.png">', /tried to reach http:\/\/elsewhere.test/],
    ['a picture from another address', '<img src="http://192.0.2.7/a.png">', /tried to reach http:\/\/192.0.2.7/],
    ['a file that is lost', '<script src="/lost.js"></script>', /404 for \/lost.js/],
    ['an answer that failed', '<img src="/broken">', /500 for \/broken/],
  ] as const)('%s', async ([_what, html, fault], { visit }) => {
    const address = await serverOf(html)
    const { page, watch } = await visit({ signedIn: false, service: { address, firstLink: '' } })
    await page.goto(address, { waitUntil: 'load' })
    await expect.poll(() => watch.faults.join('\n')).toMatch(fault)
    watch.allow(/^/)
  })

  browserTest('nothing about calls that were refused, nor what a test expects', async ({ visit }) => {
    const address = await serverOf('<img src="/app/api/mine"><img src="/broken">')
    const { page, watch } = await visit({ signedIn: false, service: { address, firstLink: '' } })
    watch.allow(/500/)
    await page.goto(address, { waitUntil: 'load' })
    expect(watch.faults).toEqual([])
  })

  browserTest('what keeps people from using a page', async ({ visit }) => {
    const address = await serverOf('<title>A page</title><button></button>')
    const { page } = await visit({ signedIn: false, service: { address, firstLink: '' } })
    await page.goto(address)
    const findings = await accessibilityFindings(page)
    expect(findings.join('\n')).toMatch(/Buttons must have discernible text .*<button>/)
  })
})
