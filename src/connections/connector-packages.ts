import { readFileSync } from 'node:fs'
import { findPackageJSON, registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import type { Connector } from '../connector/connector.ts'
import { CONTRACT_MODULE, CONTRACT_VERSION, contractUrl } from '../connector/contract-module.ts'
import { AppError } from '../domain/errors.ts'
import { packagePath } from '../lib/files.ts'
import { exportedConnectors } from './connector-shape.ts'

/** A package whose connectors were loaded; it runs with the rights of this process. */
export interface LoadedPackage {
  readonly name: string
  readonly version: string
  readonly connectors: readonly Connector[]
}

const SETTING = 'connector_packages'
const MANIFEST = z.looseObject({
  version: z.string().catch('of unknown version'),
  recalld: z.looseObject({ contract: z.unknown() }).optional().catch(undefined),
})
const LONGEST_REASON = 200

/**
 * Imports a package and checks what it exports. It is looked up from the home folder, then next to recalld itself; never
 * from the current folder, which may belong to somebody else.
 *
 * @throws AppError `invalid`, naming the setting and the remedy
 */
export async function loadConnectorPackage(name: string, home: string): Promise<LoadedPackage> {
  const found = findPackage(name, home)
  if (found === undefined) {
    throw refused(`${name} isn't installed. Run "npm install --prefix ${home} ${name}"`)
  }
  const { version, recalld } = readManifest(name, found.manifest)
  checkContract(name, recalld?.contract)
  const exported = exportedConnectors(await importFrom(name, found.base))
  if ('violation' in exported) {
    throw refused(`${name} doesn't follow the contract (${exported.violation}). Update it`)
  }
  return { name, version, connectors: exported.connectors }
}

function readManifest(name: string, file: string): z.infer<typeof MANIFEST> {
  try {
    return MANIFEST.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (cause) {
    throw refused(`the package.json of ${name} can't be read. Reinstall it`, cause)
  }
}

function findPackage(name: string, home: string): { readonly manifest: string; readonly base: string } | undefined {
  for (const folder of [home, packagePath('.')]) {
    const base = pathToFileURL(join(folder, 'package.json')).href
    try {
      const manifest = findPackageJSON(name, base)
      if (manifest !== undefined) return { manifest, base }
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error
    }
  }
  return undefined
}

/** Before the import, so that a package for another version doesn't run. */
function checkContract(name: string, stated: unknown): void {
  if (stated === CONTRACT_VERSION) return
  if (typeof stated !== 'number') {
    throw refused(`${name} isn't a connector package: its package.json has no recalld.contract. Correct the name`)
  }
  const remedy = stated > CONTRACT_VERSION ? 'Update recalld' : `Update ${name}`
  throw refused(
    `${name} needs version ${stated} of the connector contract, but this recalld has version ${CONTRACT_VERSION}. ${remedy}`,
  )
}

async function importFrom(name: string, base: string): Promise<object> {
  bases.set(name, base)
  hookResolution()
  try {
    return await import(name)
  } catch (cause) {
    const [reason = ''] = String(cause instanceof Error ? cause.message : cause).split('\n', 1)
    throw refused(`${name} can't be loaded: ${reason.slice(0, LONGEST_REASON)}. Update or reinstall it`, cause)
  }
}

/** Where each package is looked up. */
const bases = new Map<string, string>()
let isHooked = false

/** Stays for the life of the process, because a package may import the contract later too. */
function hookResolution(): void {
  if (isHooked) return
  isHooked = true
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier === CONTRACT_MODULE) return { url: contractUrl(), shortCircuit: true }
      const base = context.parentURL === import.meta.url ? bases.get(specifier) : undefined
      return next(specifier, base === undefined ? context : { ...context, parentURL: base })
    },
  })
}

function refused(problem: string, cause?: unknown): AppError {
  return new AppError('invalid', `${SETTING}: ${problem}, or remove it from ${SETTING}.`, {
    field: SETTING,
    ...(cause !== undefined && { cause }),
  })
}
