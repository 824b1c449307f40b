import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { loadWithFirstFetch } from '../../../src/client/first-fetch.ts'

const original = globalThis.fetch

afterEach(() => {
  globalThis.fetch = original
})

it('loads before the first request is sent, and sends it as it was given', async () => {
  const order: string[] = []
  const server = createServer((request, response) => {
    order.push(`${request.method} with ${request.headers['x-name']}`)
    response.end('answered')
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  loadWithFirstFetch(async () => {
    order.push('loaded')
  })
  const { port } = server.address() as AddressInfo
  expect(order).toEqual([])
  const response = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers: { 'x-name': 'Ada' } })
  expect(await response.text()).toBe('answered')
  expect(order).toEqual(['loaded', 'POST with Ada'])
  await new Promise((closed) => server.close(closed))
})

it('sends nothing when it cannot load', async () => {
  loadWithFirstFetch(() => Promise.reject(new Error('cannot load')))
  await expect(fetch('http://127.0.0.1:1')).rejects.toThrow('cannot load')
})
