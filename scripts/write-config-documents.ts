import { readFileSync, writeFileSync } from 'node:fs'
import {
  commentedConfig,
  connectorsTable,
  providersTable,
  settingsPage,
  sourcesTable,
} from '../src/config/documents.ts'
import { SETTINGS } from '../src/config.ts'
import { connectorDocuments, providerDocuments } from '../src/connections/connector-view.ts'
import { packagePath } from '../src/lib/files.ts'
import { modelDocuments } from '../src/models/configured/open-models.ts'

const connectors = await connectorDocuments()
writeFileSync(packagePath('config/example.yaml'), commentedConfig(SETTINGS))
writeFileSync(packagePath('config/README.md'), settingsPage(SETTINGS, connectors, modelDocuments()))
writeBetween('docs/sources.md', 'sources', sourcesTable(connectors))
writeBetween('connectors/README.md', 'connectors', connectorsTable(connectors))
writeBetween('docs/connect/README.md', 'providers', providersTable(await providerDocuments()))

function writeBetween(file: string, marker: string, table: string): void {
  const page = readFileSync(packagePath(file), 'utf8')
  const pattern = new RegExp(`<!-- ${marker} -->[\\s\\S]*?<!-- /${marker} -->`)
  writeFileSync(
    packagePath(file),
    page.replace(pattern, () => `<!-- ${marker} -->\n${table}<!-- /${marker} -->`),
  )
}
