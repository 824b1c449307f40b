import type { Service } from '../service/service.ts'

/** The account of a store that has none yet; its key is in the result and nowhere else. */
export function makeFirstAccount(service: Service, person: { userName: string; timeZone: string }) {
  return service.accounts.createFirst({ name: person.userName, ...person })
}
