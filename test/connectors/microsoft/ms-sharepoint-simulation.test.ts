import { msSharePoint } from '../../../connectors/microsoft/ms-sharepoint.ts'
import { describeConnectorSimulation } from '../../contract/connector-simulation.ts'
import { GraphServer, graphError } from '../../fakes/microsoft/graph-server.ts'
import { answerSites, GraphSite } from '../../fakes/microsoft/graph-sites.ts'
import { oneOf } from '../../lib/seeded-random.ts'

describeConnectorSimulation('SharePoint', async (clock) => {
  const server = await GraphServer.start()
  const site = new GraphSite(server, 'Marketing')
  answerSites(server, [site])
  const drive = site.addLibrary('Documents')
  const list = site.addList('Decisions')
  const files = Array.from({ length: 6 }, (_, at) => drive.add({ name: `${at}.md`, text: `Note ${at}.`, at: clock() }))
  for (const title of ['Home', 'News', 'About']) site.addPage(title)
  let entries = 0
  return {
    connector: msSharePoint,
    config: { ...server.settings, lists: ['Decisions'] },
    change(random) {
      drive.now = clock()
      site.now = clock()
      const dice = random()
      const said = `At ${clock().toISOString()}`
      const page = oneOf(random, [...site.pages.keys()])
      if (dice < 0.15) files.push(drive.add({ name: `${files.length}-${dice}.md`, text: said }))
      else if (dice < 0.3) drive.write(oneOf(random, files), said)
      else if (dice < 0.4 && files.length > 2)
        drive.remove(files.splice(Math.floor(random() * files.length), 1)[0] ?? '')
      else if (dice < 0.5) site.addPage(said)
      else if (dice < 0.65) site.editPage(page, `<p>${said}</p>`)
      else if (dice < 0.75 && site.pages.size > 2) site.pages.delete(page)
      else if (dice < 0.9) {
        entries += 1
        const id = String(1 + (entries % 4))
        list.write({ id, eTag: `"${entries}"`, fields: { Title: `Decision ${id}`, Reason: said } })
      } else list.remove(String(1 + (entries % 4)))
    },
    disturb(random) {
      const [on, reply] = oneOf(random, [
        [/drives|pages|lists|signed/, { ...graphError(429, 'TooManyRequests'), headers: { 'retry-after': '7' } }],
        [/drives|pages|lists|signed/, graphError(503, 'serviceNotAvailable')],
        [/drives|pages|lists|signed/, { cutOff: true }],
        [/delta/, graphError(410, 'resyncRequired')],
        [/drives$|delta|sitePage$/, graphError(403, 'accessDenied')],
      ] as const)
      server.fail({ on, after: Math.floor(random() * 4), times: 2, ...reply })
      if (random() < 0.3) site.overlooked = oneOf(random, [...site.pages.keys()])
    },
    calm() {
      server.heal()
      site.overlooked = undefined
    },
    loseCursors() {
      drive.delta.expire()
      list.expire()
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
})
