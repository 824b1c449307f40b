import { DeltaLog } from './graph-delta.ts'
import { GraphDrive } from './graph-drive.ts'
import { type GraphServer, graphError } from './graph-server.ts'

interface PageState {
  readonly id: string
  title: string
  html: string
  modified: Date
  version: string
}

/** A SharePoint site with libraries, pages and lists, on a server. */
export class GraphSite {
  readonly id: string
  readonly webUrl: string
  readonly drives: { readonly name: string; readonly drive: GraphDrive }[] = []
  readonly pages = new Map<string, PageState>()
  readonly lists: {
    readonly id: string
    readonly name: string
    readonly template: string
    readonly delta: DeltaLog
  }[] = []
  /** The person follows it. */
  isFollowed = true
  /** A page that its listing leaves out, as when others are deleted between two pages of it. */
  overlooked: string | undefined
  now = new Date('2026-11-20T09:00:00Z')
  readonly #server: GraphServer
  #last = 0

  constructor(server: GraphServer, name: string) {
    this.#server = server
    this.id = `acme.sharepoint.test,${name}-site,${name}-web`
    this.webUrl = `https://acme.sharepoint.test/sites/${name}`
    const base = `/sites/${encodeURIComponent(this.id)}`
    const site = { id: this.id, displayName: name, name, webUrl: this.webUrl }
    server.on(`/sites/acme.sharepoint.test:/sites/${name.toLowerCase()}`, () => ({ body: site }))
    server.on(`${base}/drives`, () => ({
      body: { value: this.drives.map(({ name: title, drive }) => ({ id: drive.id, name: title })) },
    }))
    server.on(`${base}/pages/microsoft.graph.sitePage`, ({ query }) => {
      const top = Number(query.get('$top') ?? 2)
      const skip = Number(query.get('$skip') ?? 0)
      const listed = [...this.pages.values()].filter(({ id }) => id !== this.overlooked).map((page) => this.#page(page))
      const size = Math.min(top, 2)
      const next = server.link(`${base}/pages/microsoft.graph.sitePage?$top=${top}&$skip=${skip + size}`)
      const value = listed.slice(skip, skip + size)
      return { body: { value, ...(skip + size < listed.length && { '@odata.nextLink': next }) } }
    })
    server.on(`${base}/pages/{page}/microsoft.graph.sitePage`, ({ parts, query }) => {
      const page = this.pages.get(parts.page ?? '')
      if (page === undefined) return graphError(404, 'itemNotFound')
      const webparts = [
        { '@odata.type': '#microsoft.graph.textWebPart', innerHtml: page.html },
        { data: { serverProcessedContent: { searchablePlainTexts: [{ key: 'title', value: 'Quick links' }] } } },
      ]
      const canvasLayout = { horizontalSections: [{ columns: [{ webparts }] }] }
      return { body: { ...this.#page(page), ...(query.get('$expand') === 'canvasLayout' && { canvasLayout }) } }
    })
    server.on(`${base}/lists`, () => ({
      body: {
        value: this.lists.map(({ id, name: title, template }) => ({
          id,
          name: title,
          displayName: title,
          list: { template },
        })),
      },
    }))
  }

  addLibrary(name: string): GraphDrive {
    const drive = new GraphDrive(this.#server, { id: `b!${this.id.split(',')[1]}-${name}`, isMine: false })
    this.drives.push({ name, drive })
    return drive
  }

  addPage(title: string, html = '<p>Welcome</p>', version = '1.0'): string {
    this.#last += 1
    const id = `page-${this.#last}`
    this.pages.set(id, { id, title, html, modified: this.now, version })
    return id
  }

  editPage(id: string, html: string): void {
    const page = this.pages.get(id)
    if (page === undefined) throw new Error(`There is no ${id}`)
    this.now = new Date(this.now.getTime() + 1000)
    Object.assign(page, { html, modified: this.now })
  }

  addList(name: string, template = 'genericList'): DeltaLog {
    const id = `list-${this.lists.length + 1}`
    const delta = new DeltaLog({ mostPerPage: 3, removed: (gone) => ({ id: gone, deleted: { state: 'deleted' } }) })
    this.lists.push({ id, name, template, delta })
    const base = `/sites/${encodeURIComponent(this.id)}/lists/${id}/items`
    this.#server.on(`${base}/{entry}`, ({ parts }) => {
      const entry = delta.entities.get(parts.entry ?? '')
      return entry ? { body: entry } : graphError(404, 'itemNotFound')
    })
    this.#server.on(`${base}/delta`, (call) => delta.answer(call))
    return delta
  }

  #page({ id, title, modified, version }: PageState) {
    return {
      id,
      title,
      webUrl: `${this.webUrl}/SitePages/${id}.aspx`,
      createdDateTime: '2026-01-01T00:00:00Z',
      lastModifiedDateTime: modified.toISOString(),
      publishingState: { level: 'published', versionId: version },
      createdBy: { user: { displayName: 'Ada Lovelace' } },
    }
  }
}

/** `/me/followedSites` and `/sites?search=*` of these sites. */
export function answerSites(server: GraphServer, sites: readonly GraphSite[]): void {
  const told = ({ id, webUrl }: GraphSite) => ({ id, webUrl, displayName: webUrl.split('/').at(-1) })
  server.on('/me/followedSites', () => ({ body: { value: sites.filter((site) => site.isFollowed).map(told) } }))
  server.on('/sites', ({ query }) => ({ body: { value: query.get('search') === '*' ? sites.map(told) : [] } }))
}
