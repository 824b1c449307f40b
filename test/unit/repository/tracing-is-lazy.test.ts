import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { packagePath } from '../../../src/lib/files.ts'

/** What a service loads and opens before it answers, with these variables, in a process of its own. */
const OPENS = `
const { registerHooks } = await import('node:module')
const urls = []
registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) })
const [app, telemetry, env] = process.argv.slice(1)
await import(app)
const { openTelemetry } = await import(telemetry)
const log = { debug() {}, info() {}, warn() {}, error() {} }
const stack = new AsyncDisposableStack()
await openTelemetry({ config: { home: '/', roles: [] }, env: JSON.parse(env), version: '0.0.0', log }, stack)
await stack.disposeAsync()
const packages = urls.map((url) => /\\/node_modules\\/(@opentelemetry\\/[^/]+)/.exec(url)?.[1])
process.stdout.write(JSON.stringify([...new Set(packages)].filter((name) => name !== undefined)))
`

async function loadedWith(env: Record<string, string>): Promise<unknown[]> {
  const files = [packagePath('src/boot/start-app.ts'), packagePath('src/boot/open-telemetry.ts')]
  const args = ['--input-type=module', '--eval', OPENS, ...files, JSON.stringify(env)]
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 16 * 1024 * 1024 })
  return JSON.parse(stdout)
}

test('nothing of OpenTelemetry is loaded unless a collector is named', async () => {
  // The library of the metrics brings the interface, which does nothing.
  expect(await loadedWith({})).toEqual(['@opentelemetry/api'])
  const traced = await loadedWith({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })
  expect(traced).toContain('@opentelemetry/sdk-trace')
})
