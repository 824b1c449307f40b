import type { FastifyInstance } from 'fastify'

/** Which methods a path knows, over all routes of the server; for 405 and `Allow`. */
export interface AllowedMethods {
  of(path: string): readonly string[]
}

/** Has to be called before routes are added. */
export function watchMethods(app: FastifyInstance): AllowedMethods {
  const routes = new Map<string, { readonly matches: RegExp; readonly methods: Set<string> }>()
  app.addHook('onRoute', ({ url, method }) => {
    // A catch-all (the web app, a 404) says nothing about which methods exist below it.
    if (url.includes('*')) return
    const route = routes.get(url) ?? { matches: pathPattern(url), methods: new Set<string>() }
    for (const one of [method].flat()) route.methods.add(one)
    routes.set(url, route)
  })
  return {
    of(path) {
      const methods = new Set<string>()
      for (const route of routes.values()) {
        if (route.matches.test(path)) for (const method of route.methods) methods.add(method)
      }
      return [...methods].sort()
    },
  }
}

function pathPattern(url: string): RegExp {
  const escaped = url.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replace(/:[A-Za-z_]+/g, '[^/]+')}$`)
}
