import { writeFileSync } from 'node:fs'
import { connectorDocuments } from '../src/app/connector-documents.ts'
import { commentedConfig, settingsPage } from '../src/config/documents.ts'
import { SETTINGS } from '../src/config.ts'
import { packagePath } from '../src/kit/package-root.ts'

writeFileSync(packagePath('config/example.yaml'), commentedConfig(SETTINGS))
writeFileSync(packagePath('config/README.md'), settingsPage(SETTINGS, await connectorDocuments()))
