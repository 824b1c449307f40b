import type { ActivityActor } from '../domain/activity.ts'
import type { KeyView } from '../service/service.ts'

/** What the app does with keys that concerns this machine too. */
export interface KeysService {
  /**
   * As `service.keys.regenerate`. Programs on this machine that used the old value, by credentials.json, go on with the
   * new one.
   */
  regenerate(ref: {
    readonly account: string
    readonly key: string
    readonly by: ActivityActor
  }): Promise<KeyView & { readonly key: string }>
}
