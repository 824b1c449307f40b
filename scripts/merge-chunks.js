import { createHash } from 'node:crypto'
import { basename, join } from 'node:path'

/** Characters. Running that many takes some 10 ms, and opening a further file 1 ms. */
const SPLIT_FROM = 100_000

/**
 * Puts the shared chunks that the same uses of the program load into one file each: a start loads some 20 files instead of 140.
 * Every use loads what it loaded before and nothing else, so that chunks which no use loads, and what is imported dynamically,
 * stay files of their own. Every use that loads a chunk also loads what that chunk imports, so files never import each other
 * in a circle. A file is split where one of the rarer uses would otherwise load much that it doesn't need.
 *
 * @param build esbuild's
 * @param options with which to write the files, without entry points and plugins
 * @param bundled what esbuild made of the entry points, with code splitting and metafile
 * @param uses modules that are loaded together, such as those of a command
 * @param rarerUses lists of modules, for which a file is split only if that spares them `SPLIT_FROM`
 * @returns the files to write instead
 */
export async function mergeChunks(build, options, bundled, { uses, rarerUses }) {
  const chunks = readChunks(bundled)
  const groups = groupChunks(chunks, uses, rarerUses)
  const entries = [...chunks.values()].filter(({ name }) => !groups.has(name))
  const { outputFiles } = await build({
    ...options,
    entryPoints: [...entries.map(({ name }) => name), ...new Set(groups.values())].map((name) => ({
      in: name,
      out: name.slice(0, -'.js'.length),
    })),
    splitting: false,
    plugins: [mergedFiles(chunks, groups, options.outdir)],
  })
  return outputFiles
}

/** By name: code with its source map, exported names, and which others it imports. */
function readChunks({ outputFiles, metafile }) {
  const texts = new Map(outputFiles.map(({ path, text }) => [basename(path), text]))
  const chunks = Object.entries(metafile.outputs).filter(([path]) => path.endsWith('.js'))
  return new Map(
    chunks.map(([path, { entryPoint, exports, imports }]) => {
      const name = basename(path)
      const map = Buffer.from(texts.get(`${name}.map`)).toString('base64')
      const code = texts.get(name).replace(/\/\/# sourceMappingURL=.*\n?$/, '')
      const own = imports.filter(({ external, kind }) => !external && kind === 'import-statement')
      return [
        name,
        {
          name,
          entryPoint,
          exports,
          imports: own.map(({ path }) => basename(path)),
          size: code.length,
          code: `${code}//# sourceMappingURL=data:application/json;base64,${map}\n`,
        },
      ]
    }),
  )
}

/** @returns the file into which each of the chunks goes that are merged */
function groupChunks(chunks, uses, rarerUses) {
  const usesOf = new Map()
  for (const [use, modules] of Object.entries(uses)) {
    for (const name of loadedBy(chunks, modules)) usesOf.set(name, [...(usesOf.get(name) ?? []), use])
  }
  const shared = [...usesOf.keys()].filter((name) => chunks.get(name).entryPoint === undefined)
  let groups = [...Map.groupBy(shared, (name) => usesOf.get(name).join()).values()]
  for (const modules of rarerUses) {
    const loaded = loadedBy(chunks, modules)
    groups = groups.flatMap((names) => splitGroup(chunks, names, loaded))
  }
  return new Map(
    groups
      .filter((names) => names.length > 1)
      .flatMap((names) => {
        const hash = createHash('sha256').update(names.join()).digest('hex').slice(0, 8)
        return names.map((name) => [name, `shared-${hash}.js`])
      }),
  )
}

function splitGroup(chunks, names, loaded) {
  const [needed, others] = [names.filter((name) => loaded.has(name)), names.filter((name) => !loaded.has(name))]
  const spared = others.reduce((size, name) => size + chunks.get(name).size, 0)
  return needed.length > 0 && spared > SPLIT_FROM ? [needed, others] : [names]
}

function loadedBy(chunks, modules) {
  const entries = new Map([...chunks.values()].map(({ name, entryPoint }) => [entryPoint, name]))
  const loaded = new Set()
  const load = (name) => {
    if (loaded.has(name)) return
    loaded.add(name)
    chunks.get(name).imports.forEach(load)
  }
  for (const module of modules) {
    if (!entries.has(module))
      throw new Error(`${module} is no entry point of the program, and imported dynamically nowhere`)
    load(entries.get(module))
  }
  return loaded
}

function mergedFiles(chunks, groups, folder) {
  const fileOf = (name) => groups.get(name) ?? name
  const members = Map.groupBy(groups.keys(), (name) => groups.get(name))
  /** Different chunks may export the same name. */
  const merged = (name) => {
    const index = members.get(groups.get(name)).indexOf(name)
    return chunks.get(name).exports.map((exported) => [exported, `${exported}_${index}`])
  }
  return {
    name: 'merged files',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^/ }, ({ path, kind, importer, namespace }) => {
        const name = basename(path)
        if (kind === 'entry-point')
          return members.has(name) ? { path: name, namespace: 'group' } : { path: join(folder, name) }
        if (kind !== 'import-statement' || !path.startsWith('./') || namespace === 'elsewhere')
          return { path, external: true }
        if (namespace === 'group' || fileOf(name) === fileOf(basename(importer))) return { path: join(folder, name) }
        return groups.has(name) ? { path: name, namespace: 'elsewhere' } : { path, external: true }
      })
      onLoad({ filter: /^/, namespace: 'file' }, ({ path }) => ({ contents: chunks.get(basename(path)).code }))
      onLoad({ filter: /^/, namespace: 'group' }, ({ path }) => ({
        resolveDir: folder,
        contents: members
          .get(path)
          .map((name) => `export { ${merged(name).map(([from, to]) => `${from} as ${to}`)} } from './${name}'`)
          .join('\n'),
      }))
      onLoad({ filter: /^/, namespace: 'elsewhere' }, ({ path: name }) => ({
        contents: `export { ${merged(name).map(([from, to]) => `${to} as ${from}`)} } from './${groups.get(name)}'`,
      }))
    },
  }
}
