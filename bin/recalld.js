#!/usr/bin/env node
// Plain JavaScript for Node 18 or newer: finds a Node that can run recalld, and runs it.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import nodeModule, { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const OLDEST_NODE = 24
/** Of a folder's mode. */
const WRITABLE_BY_ALL = 0o002

// The published package contains only the bundle. In a checkout, the sources run if they are newer.
const sources = new URL('../src/main.ts', import.meta.url)
const isCheckout = existsSync(sources)
const runsSources = isCheckout && !(await import('./is-bundle-current.js')).isBundleCurrent()
const main = runsSources ? sources : new URL('../dist/program/main.js', import.meta.url)

// By default, the young generations of Node's threads take 110 MB each, and the allocator's arenas, one for each thread, 50 MB:
// too much for a daemon (decision 8). With 4 MiB, recalls take 7 % more processor time than with 16 (decision 134).
const isService = process.argv[2] === 'up'
const nodeOptions = [...process.execArgv, ...(isService ? ['--max-semi-space-size=16'] : [])]
const codeCache = compiledCodeFolder()
const environment = {
  // Large buffers, such as uploads, are given back to the system as soon as they are freed (decision 75).
  ...(isService ? { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '1048576' } : {}),
  ...(codeCache === undefined ? {} : { NODE_COMPILE_CACHE: codeCache }),
  ...process.env,
}

if (majorVersion(process.versions.node) >= OLDEST_NODE) {
  if (isService && process.execve !== undefined && process.platform !== 'win32') {
    // Replaces this process: the options cannot be set in a running one.
    process.execve(
      process.execPath,
      [process.execPath, ...nodeOptions, fileURLToPath(main), ...process.argv.slice(2)],
      environment,
    )
  }
  // Has no effect where NODE_COMPILE_CACHE or NODE_DISABLE_COMPILE_CACHE is set.
  if (codeCache !== undefined) nodeModule.enableCompileCache(codeCache)
  await import(main.href)
} else {
  const binary = newerNode()
  if (binary === undefined) {
    console.error(
      `recalld needs Node.js ${OLDEST_NODE} or newer, but this is ${process.versions.node}. ` +
        `Install it from https://nodejs.org, or next to recalld with "npm install -g node@${OLDEST_NODE}".`,
    )
    process.exitCode = 1
  } else {
    runOn(binary)
  }
}

/**
 * Where Node keeps compiled code, next to the caches of other tools: commands take up to a quarter less processor time. None where
 * that folder is missing, or somebody else may put code of their own into it.
 */
function compiledCodeFolder() {
  try {
    const caches = isCheckout ? fileURLToPath(new URL('../node_modules/.cache', import.meta.url)) : userCaches()
    if (isCheckout) mkdirSync(caches, { recursive: true })
    const folder = join(caches, 'recalld')
    if (!isOwn(caches)) return undefined
    if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 })
    return isOwn(folder) ? folder : undefined
  } catch (error) {
    // Of the file system: it is missing, or can't be written.
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
}

function userCaches() {
  const { LOCALAPPDATA, XDG_CACHE_HOME } = process.env
  if (process.platform === 'win32' && LOCALAPPDATA) return LOCALAPPDATA
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches')
  return XDG_CACHE_HOME?.startsWith('/') ? XDG_CACHE_HOME : join(homedir(), '.cache')
}

function isOwn(folder) {
  const { uid, mode } = statSync(folder)
  return process.getuid === undefined || (uid === process.getuid() && (mode & WRITABLE_BY_ALL) === 0)
}

/** The binary of the npm package `node`: a dependency of the checkout, or installed next to the package. */
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

/** Runs recalld on another Node with the same terminal and arguments; forwards signals and the exit status. */
function runOn(binary) {
  const child = spawn(binary, [...nodeOptions, fileURLToPath(main), ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: environment,
  })
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  const forward = (signal) => child.kill(signal)
  for (const signal of signals) process.on(signal, forward)
  // npm's shell ends on a signal without forwarding it.
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.env.npm_lifecycle_event === undefined || process.ppid === parent) return
    clearInterval(watch)
    child.kill('SIGTERM')
  }, 500)
  child.on('error', (error) => {
    console.error(`Could not start recalld with ${binary}: ${error.message}`)
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => {
    clearInterval(watch)
    for (const each of signals) process.off(each, forward)
    if (signal === null) process.exitCode = code ?? 1
    else process.kill(process.pid, signal)
  })
}

function majorVersion(version) {
  return Number.parseInt(version, 10)
}
