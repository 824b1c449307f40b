import type { Translation } from '../translation.ts'
import { activity } from './activity.ts'
import { activitySentences } from './activity-sentences.ts'
import { connectAgent } from './connect-agent.ts'
import { days } from './days.ts'
import { exports } from './exports.ts'
import { keys } from './keys.ts'
import { library } from './library.ts'
import { people } from './people.ts'
import { memoryEdits, reading } from './reading.ts'
import { recall, start } from './recall.ts'
import { serviceProblems } from './service-problems.ts'
import { settings } from './settings.ts'
import { signIn } from './sign-in.ts'
import { sourceProblems } from './source-problems.ts'
import { sources } from './sources.ts'
import { ui } from './ui.ts'
import { usage } from './usage.ts'

/** The Japanese messages of the app. */
export const japanese: Translation = {
  ui,
  activity,
  activitySentences,
  connectAgent,
  days,
  exports,
  keys,
  library,
  memoryEdits,
  people,
  reading,
  recall,
  serviceProblems,
  settings,
  signIn,
  sourceProblems,
  sources,
  start,
  usage,
}
