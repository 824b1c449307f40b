import { readdirSync, writeFileSync } from 'node:fs'
import { embeddingChoices } from '../../src/administration/embedding-choice.ts'
import { followLanguageModel } from '../../src/administration/follow-language-model.ts'
import { followReranker } from '../../src/administration/follow-reranker.ts'
import { languageModelChoices } from '../../src/administration/language-model-choice.ts'
import { rerankerChoices } from '../../src/administration/reranker-choice.ts'
import { settingsService } from '../../src/administration/settings-service.ts'
import { homeFiles } from '../../src/config/home-folder.ts'
import { loadConfig } from '../../src/config.ts'
import { connectionsOfHome } from '../../src/connections/configured-connections.ts'
import type { SpareResources } from '../../src/lib/machine.ts'
import { modelsSettings, openModels } from '../../src/models/configured/open-models.ts'
import { PluggedIn } from '../../src/models/configured/plugged-in.ts'
import type { Rerankers } from '../../src/models/model.ts'
import type { Store } from '../../src/store/store.ts'
import { type AppVisit, appVisit } from './app-visit.ts'
import { idleModelJobs } from './idle-model-jobs.ts'
import { recordingLog } from './recording-log.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** An app whose server has a home with this config.yaml. */
export async function visitSettings({
  yaml = '',
  store: wrap = (store: Store) => store,
  home = temporaryFolder(),
  work = true,
  registry = '',
  env = {} as Readonly<Record<string, string>>,
  spareResources = undefined as (() => SpareResources) | undefined,
} = {}) {
  const files = homeFiles(home)
  writeFileSync(files.config, yaml)
  writeFileSync(files.database, 'as large as this')
  const config = loadConfig({ home, file: files.config, env })
  const modelJobs = idleModelJobs(home, registry, spareResources)
  const opened = modelsSettings(config.models).language
  const language = new PluggedIn((await openModels(opened ? { language: opened } : {}, { cacheFolder: home })).language)
  const look = followLanguageModel({
    ...{ files, env, opened, pluggedIn: language, log: recordingLog().log },
    measure: (model) => model,
  })
  const stack = new AsyncDisposableStack()
  const rankers = new PluggedIn<Rerankers>(undefined)
  const lookAtRanking = followReranker(
    { files, env, pluggedIn: rankers, opened: undefined, measure: (model) => model, log: recordingLog().log },
    stack,
  )
  const app: AppVisit = await appVisit({
    work,
    door: ({ store }) => ({
      settingsService: settingsService(
        {
          config,
          store: wrap(store),
          version: '1.2.3',
          env,
          connections: connectionsOfHome(config, env),
          modelJobs,
          languageModels: languageModelChoices({ files, env, look }),
          embeddings: embeddingChoices({ files, env, spaces: store.spaces, jobs: modelJobs }),
          rerankers: rerankerChoices({ files, env, look: lookAtRanking }),
          language: () => language.current,
          ranking: () => rankers.current ?? {},
        },
        stack,
      ),
    }),
  })
  stack.use(app)
  const copies = () => readdirSync(home).filter((name) => name.startsWith('backup-'))
  return { app, home, copies, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}
