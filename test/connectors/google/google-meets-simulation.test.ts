import { googleMeets } from '../../../connectors/google/google-meets.ts'
import { describeConnectorSimulation } from '../../contract/connector-simulation.ts'
import { failAtRandom } from '../../fakes/google/google-faults.ts'
import { type FakeMeeting, GoogleMeet } from '../../fakes/google/google-meet.ts'
import { oneOf } from '../../lib/seeded-random.ts'

const PATHS = [/conferenceRecords$/, /transcripts$/, /smartNotes$/, /entries$/, /participants$/, /spaces/, /documents/]
const HOUR_MS = 3_600_000
const isPending = ({ state }: { state: string }) => state !== 'FILE_GENERATED'

describeConnectorSimulation('Google Meet', async (clock) => {
  const fake = await GoogleMeet.start()
  const { server } = fake
  const documents = new Map<string, { name: string; text: string }>()
  fake.documents = documents
  const toTheTime = () => {
    server.now = clock()
  }
  toTheTime()
  const transcribe = (meeting: FakeMeeting, state?: string) => {
    const { document } = fake.transcribe(
      meeting,
      [
        [1, 'Hello'],
        [18, 'Until then'],
      ],
      state,
    )
    documents.set(document, { name: `Planning of ${meeting.id} - Transcript`, text: '' })
  }
  for (const days of [1, 9, 20]) transcribe(fake.meet(24 * days))
  return {
    connector: googleMeets,
    config: fake.config,
    change(random) {
      toTheTime()
      const dice = random()
      // Later than 48 hours after its end nothing new comes of a meeting.
      const recent = (hours: number) => clock().getTime() - hours * HOUR_MS
      const late = fake.meetings.filter(({ endTime = '' }) => Date.parse(endTime) > recent(40))
      const meeting = late.length === 0 ? undefined : oneOf(random, late)
      const written = fake.meetings.find(({ transcripts }) => transcripts.some(isPending))
      const transcript = written?.transcripts.find(isPending)
      const note = fake.meetings.flatMap(({ notes }) => notes).find(isPending)
      if (dice < 0.3 || meeting === undefined) fake.meet(random() * 40, 10 + random() * 60)
      else if (dice < 0.55) transcribe(meeting, oneOf(random, ['STARTED', 'ENDED', 'FILE_GENERATED']))
      else if (dice < 0.7 && meeting.notes.length === 0) {
        const document = `notes-${meeting.id}`
        documents.set(document, { name: 'Planning - Notes by Gemini', text: 'Decided.' })
        meeting.notes.push({ id: 'n', state: oneOf(random, ['STARTED', 'FILE_GENERATED']), document })
      } else if (dice < 0.9 && transcript !== undefined) {
        transcript.state = transcript.state === 'STARTED' ? 'ENDED' : 'FILE_GENERATED'
        transcript.endTime ??= written?.endTime
      } else if (note !== undefined) note.state = 'FILE_GENERATED'
    },
    disturb(random) {
      failAtRandom(server, random, { paths: PATHS })
    },
    calm() {
      server.faults.length = 0
      toTheTime()
    },
    [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
  }
})
