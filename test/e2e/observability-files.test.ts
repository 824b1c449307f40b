import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { packagePath } from '../../src/lib/files.ts'
import { httpCall } from '../lib/http-call.ts'
import { type RunningService, startService } from '../lib/start-service.ts'

const PANEL = z.object({
  type: z.string(),
  title: z.string(),
  gridPos: z.object({ h: z.int(), w: z.int(), x: z.int(), y: z.int() }),
  datasource: z.object({ uid: z.string() }).optional(),
  targets: z.array(z.object({ expr: z.string() })).optional(),
})
const DASHBOARD = z.object({
  title: z.string(),
  schemaVersion: z.int().min(39),
  templating: z.object({ list: z.array(z.object({ name: z.string(), type: z.string() })) }),
  panels: z.array(PANEL),
})
const RULES = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^Recalld[A-Za-z]+$/),
          expr: z.string(),
          for: z
            .string()
            .regex(/^\d+[mh]$/)
            .optional(),
          labels: z.strictObject({ severity: z.enum(['critical', 'warning', 'info']) }),
          annotations: z.strictObject({ summary: z.string().min(10), description: z.string().min(40) }),
        }),
      ),
    }),
  ),
})

const dashboard = DASHBOARD.parse(
  JSON.parse(readFileSync(packagePath('config/grafana/recalld-dashboard.json'), 'utf8')),
)
const alerts = RULES.parse(parse(readFileSync(packagePath('config/prometheus/recalld-alerts.yml'), 'utf8')))
const rules = alerts.groups.flatMap((group) => group.rules)

let service: RunningService
let told: ReadonlyMap<string, string>
beforeAll(async () => {
  service = await startService({ work: false })
  const { text } = await httpCall(`${service.baseUrl}/metrics`)
  told = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]))
})
afterAll(() => service.stop())

/** The metrics that an expression reads, without what Prometheus adds to the names of histograms. */
function metricsIn(expr: string): string[] {
  const names = expr.match(/\b(?:recalld|process|nodejs)_[a-z0-9_]+/g) ?? []
  return names.map((name) => (told.has(name) ? name : name.replace(/_(?:bucket|count|sum)$/, '')))
}

test('the service tells what dashboards and alerts read', () => {
  expect(told.size).toBeGreaterThan(50)
})

describe('the dashboard', () => {
  const panels = dashboard.panels.filter(({ type }) => type !== 'row')

  test('reads metrics that there are, all from the data source that is chosen', () => {
    expect(panels.length).toBeGreaterThan(20)
    for (const { title, targets = [], datasource } of panels) {
      expect(datasource?.uid).toBe(`\${datasource}`)
      const names = targets.flatMap(({ expr }) => metricsIn(expr))
      expect(names, title).not.toEqual([])
      expect(names.filter((name) => !told.has(name), title)).toEqual([])
    }
    expect(dashboard.templating.list).toContainEqual(
      expect.objectContaining({ name: 'datasource', type: 'datasource' }),
    )
  })

  test('shows every metric of recalld', () => {
    const shown = new Set(panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => metricsIn(expr))))
    expect([...told.keys()].filter((name) => name.startsWith('recalld_') && !shown.has(name))).toEqual([])
  })

  test('has rows for all parts, and panels that do not overlap', () => {
    expect(dashboard.panels.filter(({ type }) => type === 'row').map(({ title }) => title)).toEqual([
      'Requests',
      'Queue',
      'Pipeline',
      'Connectors',
      'Models',
      'Store and index',
      'Process',
    ])
    const cells = dashboard.panels.flatMap(({ gridPos: { h, w, x, y } }) =>
      Array.from({ length: h * w }, (_, i) => `${x + (i % w)} ${y + Math.floor(i / w)}`),
    )
    expect(new Set(cells).size).toBe(cells.length)
  })
})

describe('the alert rules', () => {
  test('read metrics that there are', () => {
    for (const { alert, expr } of rules) {
      const unknown = metricsIn(expr).filter((name) => !told.has(name))
      expect(unknown, alert).toEqual([])
    }
  })

  test('have names of their own, and each is told of in the documentation', () => {
    const names = rules.map(({ alert }) => alert)
    expect(new Set(names).size).toBe(names.length)
    const documentation = readFileSync(packagePath('docs/observability.md'), 'utf8')
    expect(names.filter((name) => !documentation.includes(`\`${name}\``))).toEqual([])
  })
})
