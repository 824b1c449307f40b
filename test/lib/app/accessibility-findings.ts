import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { z } from 'zod'

/** Less than half as much for a page to parse as with its comments. */
const MINIFIED = fileURLToPath(import.meta.resolve('axe-core/axe.min.js'))

const results = z.object({
  violations: z.array(
    z.object({
      id: z.string(),
      impact: z.string().nullable(),
      help: z.string(),
      nodes: z.array(z.object({ html: z.string(), failureSummary: z.string().optional() })),
    }),
  ),
})

/** Colours on the way from one theme to the other are of neither. */
const STAND_STILL = `if (document.adoptedStyleSheets.length === 0) {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('*, ::before, ::after { transition: none !important; animation: none !important }')
  document.adoptedStyleSheets = [sheet]
}`

/**
 * What keeps people from using a page as it is shown now, by axe-core: serious and critical findings only, unless all
 * are asked for.
 *
 * @param look `colours`: only what another theme changes; `every`: minor and moderate findings too
 * @returns a sentence for each element at fault
 */
export async function accessibilityFindings(page: Page, look: 'all' | 'every' | 'colours' = 'all'): Promise<string[]> {
  // Evaluated, not added as a script: the content security policy of the pages forbids that, as it should.
  if (!(await page.evaluate('window.axe !== undefined')))
    await page.evaluate(`${readFileSync(MINIFIED, 'utf8')}; undefined`)
  await page.evaluate(STAND_STILL)
  const options = { resultTypes: ['violations'], ...(look === 'colours' && { runOnly: ['color-contrast'] }) }
  const { violations } = results.parse(await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`))
  return violations
    .filter(({ impact }) => look === 'every' || impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary = '' }) => {
        const why = failureSummary.replace(/\s+/g, ' ')
        return `${new URL(page.url()).pathname}: ${help} (${id}): ${html.slice(0, 200)}: ${why.slice(0, 300)}`
      }),
    )
}
