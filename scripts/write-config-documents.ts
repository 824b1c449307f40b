import { readFileSync, writeFileSync } from 'node:fs'
import { connectorDocuments } from '../src/app/connector-documents.ts'
import { modelDocuments } from '../src/app/model-documents.ts'
import { commentedConfig, settingsPage, sourcesTable } from '../src/config/documents.ts'
import { SETTINGS } from '../src/config.ts'
import { packagePath } from '../src/kit/package-root.ts'

const connectors = await connectorDocuments()
writeFileSync(packagePath('config/example.yaml'), commentedConfig(SETTINGS))
writeFileSync(packagePath('config/README.md'), settingsPage(SETTINGS, connectors, modelDocuments()))
const readme = readFileSync(packagePath('README.md'), 'utf8')
const table = `<!-- sources -->\n${sourcesTable(connectors)}<!-- /sources -->`
writeFileSync(
  packagePath('README.md'),
  readme.replace(/<!-- sources -->[\s\S]*?<!-- \/sources -->/, () => table),
)
