#!/usr/bin/env node
// Plain JavaScript for any Node from 18 on: finds a Node that can run recalld, and runs it.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const OLDEST_NODE = 24

// The published package has the bundle alone; in a checkout the sources run when they are newer.
const sources = new URL('../src/main.ts', import.meta.url)
const isCheckout = existsSync(sources)
const runsSources = isCheckout && !(await import('./is-bundle-current.js')).isBundleCurrent()
const main = runsSources ? sources : new URL('../dist/program/main.js', import.meta.url)

// The service runs for years. Left to itself, Node let what dies young take 110 MB, and the allocator keeps an arena for
// each thread: 50 MB. Both limits cost no speed (measured while ingesting).
const isService = process.argv[2] === 'up'
const nodeOptions = [...process.execArgv, ...(isService ? ['--max-semi-space-size=4'] : [])]
const environment = {
  ...(isService ? { MALLOC_ARENA_MAX: '2' } : {}),
  // Compiled code, kept beside the other tools' caches.
  ...(isCheckout ? { NODE_COMPILE_CACHE: fileURLToPath(new URL('../node_modules/.cache/recalld', main)) } : {}),
  ...process.env,
}

if (majorVersion(process.versions.node) >= OLDEST_NODE) {
  if (isService && process.execve !== undefined && process.platform !== 'win32') {
    // The same process goes on with these options; there is no other way to give them to itself.
    process.execve(
      process.execPath,
      [process.execPath, ...nodeOptions, fileURLToPath(main), ...process.argv.slice(2)],
      environment,
    )
  }
  await import(main.href)
} else {
  const binary = newerNode()
  if (binary === undefined) {
    console.error(
      `recalld needs Node.js ${OLDEST_NODE} or newer, and this is ${process.versions.node}. ` +
        `Install it from https://nodejs.org, or beside recalld with "npm install -g node@${OLDEST_NODE}".`,
    )
    process.exitCode = 1
  } else {
    runOn(binary)
  }
}

/** The binary of the npm package `node`: a dependency of the checkout, or installed beside the package. */
function newerNode() {
  try {
    const manifest = createRequire(import.meta.url).resolve('node/package.json')
    const { version } = JSON.parse(readFileSync(manifest, 'utf8'))
    const binary = join(dirname(manifest), 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
    return majorVersion(version) >= OLDEST_NODE && existsSync(binary) ? binary : undefined
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}

/** Runs recalld on another Node: same terminal, same arguments, signals handed on, same exit. */
function runOn(binary) {
  const child = spawn(binary, [...nodeOptions, fileURLToPath(main), ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: environment,
  })
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  const handOn = (signal) => child.kill(signal)
  for (const signal of signals) process.on(signal, handOn)
  // The shell in which npm runs this ends by a signal without handing it on.
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.env.npm_lifecycle_event === undefined || process.ppid === parent) return
    clearInterval(watch)
    child.kill('SIGTERM')
  }, 500)
  child.on('error', (error) => {
    console.error(`recalld could not be started on ${binary}: ${error.message}`)
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => {
    clearInterval(watch)
    for (const each of signals) process.off(each, handOn)
    if (signal === null) process.exitCode = code ?? 1
    else process.kill(process.pid, signal)
  })
}

function majorVersion(version) {
  return Number.parseInt(version, 10)
}
