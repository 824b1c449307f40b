import { fit } from '../../../connectors/google/fit.ts'
import { describeConnectorSimulation } from '../../contract/connector-simulation.ts'
import { failAtRandom, refusing } from '../../fakes/google/google-faults.ts'
import { GoogleHealth } from '../../fakes/google/google-health.ts'
import { oneOf } from '../../lib/seeded-random.ts'

const DAY_MS = 86_400_000

describeConnectorSimulation('Google Health', async (clock) => {
  const fake = await GoogleHealth.open()
  const { server } = fake
  const toTheTime = () => {
    server.now = clock()
  }
  toTheTime()
  const daysAgo = (days: number) => new Date(clock().getTime() - days * DAY_MS).toISOString().slice(0, 10)
  const lost: GoogleHealth['sessions'] = []
  for (let day = 0; day < 8; day++) {
    fake.measure(daysAgo(day), 'steps', { countSum: 1_000 + day })
    fake.exercise(`run-${day}`, daysAgo(day), 'Run')
  }
  return {
    connector: fit,
    config: { ...fake.config, include: ['activity', 'sleep'], since: daysAgo(9) },
    change(random) {
      toTheTime()
      const dice = random()
      // What comes later than after a week is not looked for.
      const day = daysAgo(random() * 5)
      const value = Math.floor(random() * 10_000)
      const at = fake.sessions.findIndex((session) => session.day === day)
      if (dice < 0.3) fake.measure(day, oneOf(random, ['steps', 'floors']), { countSum: value })
      else if (dice < 0.4) fake.days.delete(day)
      else if (dice < 0.5) fake.sleep(day, value)
      else if (dice < 0.7) fake.exercise(`run-${day}-${value}`, day, `Run ${value}`)
      else if (dice < 0.8) fake.sessions.push(...lost.splice(0).filter((session) => session.day > daysAgo(5)))
      else if (at >= 0) lost.push(...fake.sessions.splice(at, 1))
    },
    disturb(random) {
      failAtRandom(server, random, {
        paths: [/dailyRollUp$/, /reconcile$/, /identity$/],
        own: [refusing(/reconcile$/)],
      })
    },
    calm() {
      server.faults.length = 0
      toTheTime()
    },
    // Older ones stay, but nothing older is lost here.
    mayStay: () => false,
    [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
  }
})
