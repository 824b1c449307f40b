import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { packagePath } from '../../../src/lib/files.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

const ADVISORY = { id: 1, url: 'https://example.org/advisory', title: 'Reads too much', vulnerable_versions: '<99.0.0' }

/** A registry that answers what npm asks it for an audit: the advisories, and the versions that there are of a package. */
async function registry(bulk: { readonly status: number; readonly body: unknown }): Promise<string> {
  const server = createServer((request, response) => {
    request.resume()
    const isAudit = request.url === '/-/npm/v1/security/advisories/bulk'
    response.writeHead(isAudit ? bulk.status : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isAudit ? bulk.body : packument(decodeURIComponent(request.url ?? '').slice(1))))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

function packument(name: string): object {
  const { version } = JSON.parse(readFileSync(packagePath(`node_modules/${name}/package.json`), 'utf8'))
  return { name, 'dist-tags': { latest: version }, versions: { [version]: { name, version } } }
}

function audit(address: string): Promise<{ code: number; stdout: string }> {
  const args = [packagePath('scripts/audit.ts'), '--registry', address, '--cache', temporaryFolder()]
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: packagePath('.') }, (error, stdout) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout }),
    )
  })
}

test.each(['high', 'critical'])('a known vulnerability that is %s fails the audit, and is named', async (severity) => {
  const address = await registry({ status: 200, body: { fastify: [{ ...ADVISORY, severity }] } })
  const { code, stdout } = await audit(address)
  expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining('Reads too much') })
  expect(stdout).toContain(`${severity}: fastify `)
})

test('a moderate one is named, and fails nothing', async () => {
  const address = await registry({ status: 200, body: { fastify: [{ ...ADVISORY, severity: 'moderate' }] } })
  expect(await audit(address)).toEqual({ code: 0, stdout: expect.stringContaining('moderate: fastify') })
})

test('an audit without findings says so', async () => {
  const address = await registry({ status: 200, body: {} })
  expect(await audit(address)).toEqual({
    code: 0,
    stdout: 'audit: 0 known vulnerabilities, 0 of them high or critical\n',
  })
})

test('a registry that is away is one line, and fails nothing', async () => {
  const { code, stdout } = await audit('http://127.0.0.1:9/')
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringMatching(/NOT checked for known vulnerabilities, .*ECONNREFUSED.*\n$/),
  })
})

test('an answer that nobody understands fails the audit', async () => {
  const address = await registry({ status: 200, body: 'surprise' })
  expect(await audit(address)).toMatchObject({ code: 1 })
})

test('a registry that knows no audits is one line, and fails nothing', async () => {
  const address = await registry({ status: 405, body: {} })
  const { code, stdout } = await audit(address)
  expect(code).toBe(0)
  expect(stdout).toMatch(/^audit: NOT checked for known vulnerabilities, .*405.*\n$/)
})
