import { build } from 'esbuild'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packagePath } from '../../src/lib/files.ts'
import { chromiumPath, launchChromium } from '../lib/app/chromium.ts'

/** `shown`: every text that was rendered. A test decides when the code of the component arrives. */
const SCRIPT = `
  import { Component, createElement as h } from 'react'
  import { createRoot } from 'react-dom/client'
  import { loadable } from './loadable.tsx'
  class Boundary extends Component {
    state = {}
    static getDerivedStateFromError = (error) => ({ error })
    render = () => this.state.error ? note('failed: ' + this.state.error.message) : this.props.children
  }
  const shown = []
  const note = (text) => { shown.push(text); return text }
  const loads = []
  const load = () => new Promise((resolve, reject) => loads.push({ arrive: () => resolve(({ name }) => note('hello ' + name)), fail: () => reject(new Error('lost')) }))
  const Greeting = loadable(load, ({ name }) => note('loading ' + name))
  let root
  globalThis.run = {
    preload: Greeting.preload,
    mount(name) { root = createRoot(document.body); root.render(h(Boundary, null, h(Greeting, { name }))) },
    unmount() { root.unmount() },
    arrive: () => loads.at(-1).arrive(),
    fail: () => loads.at(-1).fail(),
    get loads() { return loads.length },
    get shown() { return shown },
  }
`

interface Run {
  preload(): void
  mount(name: string): void
  unmount(): void
  arrive(): void
  fail(): void
  readonly loads: number
  readonly shown: readonly string[]
}

describe.skipIf(chromiumPath() === undefined)('a component whose code is loaded when it is shown', () => {
  let browser: Browser
  let script: string
  beforeAll(async () => {
    const resolveDir = packagePath('src/web/ui')
    const { outputFiles } = await build({
      stdin: { contents: SCRIPT, resolveDir },
      bundle: true,
      write: false,
      jsx: 'automatic',
    })
    script = outputFiles[0]!.text
    browser = await launchChromium()
  })
  afterAll(() => browser?.close())

  const open = async () => {
    const page = await browser.newPage()
    await page.addScriptTag({ content: script })
    return page
  }
  const run = (page: Page, code: (run: Run) => unknown) =>
    page.evaluate(`(${code.toString()})(globalThis.run)`) as Promise<unknown>
  const reads = (page: Page, text: string) => page.getByText(text, { exact: true }).waitFor()

  test('shows a placeholder with the same properties until the code arrives', async () => {
    const page = await open()
    await run(page, (run) => run.mount('Ada'))
    await reads(page, 'loading Ada')
    await run(page, (run) => run.arrive())
    await reads(page, 'hello Ada')
  })

  test('shows no placeholder when the code was loaded before', async () => {
    const page = await open()
    await run(page, async (run) => {
      run.preload()
      run.arrive()
      await Promise.resolve()
      run.mount('Ada')
    })
    await reads(page, 'hello Ada')
    expect(await run(page, (run) => run.shown)).toEqual(['hello Ada'])
    expect(await run(page, (run) => run.loads)).toBe(1)
  })

  test('gives a failure to the error boundary, and loads again the next time', async () => {
    const page = await open()
    await run(page, (run) => run.mount('Ada'))
    await reads(page, 'loading Ada')
    await run(page, (run) => run.fail())
    await reads(page, 'failed: lost')
    await run(page, (run) => {
      run.unmount()
      run.mount('Ada')
    })
    await reads(page, 'loading Ada')
    await run(page, (run) => run.arrive())
    await reads(page, 'hello Ada')
  })

  test('a failed preload shows nowhere until the component does', async () => {
    const page = await open()
    const problems: Error[] = []
    page.on('pageerror', (error) => problems.push(error))
    await run(page, (run) => {
      run.preload()
      run.fail()
    })
    await run(page, (run) => run.mount('Ada'))
    await reads(page, 'loading Ada')
    await run(page, (run) => run.arrive())
    await reads(page, 'hello Ada')
    expect(problems).toEqual([])
  })
})
