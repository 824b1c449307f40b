import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { z } from 'zod'

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

/** WCAG 2.2 AA, and what axe calls best practice. */
const RUN = `axe.run(document, { resultTypes: ['violations'] })`

/**
 * What keeps people from using a page as it is shown now, by axe-core: serious and critical findings only.
 *
 * @returns a sentence for each element at fault
 */
export async function accessibilityFindings(page: Page): Promise<string[]> {
  // Evaluated, not added as a script: the content security policy of the pages forbids that, as it should.
  await page.evaluate(`if (!window.axe) { ${axe.source} }`)
  const { violations } = results.parse(await page.evaluate(RUN))
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary = '' }) => {
        const why = failureSummary.replace(/\s+/g, ' ')
        return `${new URL(page.url()).pathname}: ${help} (${id}): ${html.slice(0, 200)}: ${why.slice(0, 300)}`
      }),
    )
}
