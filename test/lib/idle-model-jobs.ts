import { join } from 'node:path'
import { embeddingModelJobs, pendingSwitch } from '../../src/administration/embedding-model-jobs.ts'
import { openLocalModels } from '../../src/administration/local-models.ts'
import { homeFiles } from '../../src/config/home-folder.ts'
import type { SpareResources } from '../../src/lib/machine.ts'
import { recordingLog } from './recording-log.ts'

/** Local models of a home whose memory has no service to fill their vectors. @param registry where packages are looked for */
export function idleModelJobs(home: string, registry?: string, spareResources?: () => SpareResources) {
  return embeddingModelJobs({
    ...{ registry, models: openLocalModels(homeFiles(home), spareResources), log: recordingLog().log },
    pending: pendingSwitch(join(home, 'embedding-switch.json')),
    look: () => Promise.resolve(),
    reindex() {
      throw new Error('no service runs on this home')
    },
  })
}
