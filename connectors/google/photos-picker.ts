import { z } from 'zod'
import type { CheckContext, PickRequest } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import type { GoogleConfig } from './google-config.ts'
import { type GoogleGateway, googleGateway } from './google-gateway.ts'
import { allPages, optionalText, pageOf } from './google-rows.ts'
import { layDownPicked, type PickedPhoto, pickedAnswer } from './photos-picked.ts'

export const PICKER_SCOPE = 'https://www.googleapis.com/auth/photospicker.mediaitems.readonly'

const TITLE = 'Google Photos Picker'
const API = 'https://photospicker.googleapis.com/v1'
/** Maximum page size. */
const AT_ONCE = 100
const STANDARD_PAUSE_MS = 5_000
const STANDARD_PATIENCE_MS = 30 * 60_000

const session = z.looseObject({
  id: z.string().min(1),
  pickerUri: optionalText,
  mediaItemsSet: z.boolean().optional().catch(undefined),
  pollingConfig: z.looseObject({ pollInterval: optionalText, timeoutIn: optionalText }).optional().catch(undefined),
})
const picked = pageOf('mediaItems', pickedAnswer)

/**
 * Lets the person pick photos in a browser, and stores their records for the next run.
 * @returns how many
 * @throws SourceError `retry` when nothing was picked within Google's time limit
 */
export async function pickPhotos(request: PickRequest, context: CheckContext<GoogleConfig>): Promise<number> {
  const gateway = await googleGateway(context, { family: 'photos', scopes: [PICKER_SCOPE] })
  const ask = <T>(asked: string, answer: z.ZodType<T>, path: string, method?: 'POST' | 'DELETE') =>
    gateway.ask({ title: TITLE, asked, answer, send: gateway.fetching(`${API}${path}`, method) })
  const begun = await ask('a session', session, '/sessions', 'POST')
  const path = `/sessions/${encodeURIComponent(begun.id)}`
  if (begun.pickerUri === undefined) throw new SourceError('retry', `${TITLE} returned no address for picking photos.`)
  try {
    request.onAddress(begun.pickerUri)
    let waitedMs = 0
    for (let now = begun; now.mediaItemsSet !== true; now = await ask('the session', session, path)) {
      const { pollInterval, timeoutIn } = now.pollingConfig ?? {}
      if (waitedMs >= (milliseconds(timeoutIn) ?? STANDARD_PATIENCE_MS)) {
        throw new SourceError('retry', 'No photos were picked in time. Run the command again.')
      }
      const pauseMs = milliseconds(pollInterval) ?? STANDARD_PAUSE_MS
      await request.sleep(pauseMs)
      waitedMs += pauseMs
      context.signal.throwIfAborted()
    }
    const photos = await pickedOf(begun.id, gateway)
    if (photos.length > 0) {
      await layDownPicked(context.machine.spoolFolder, context.config.name, photos, context.clock())
    }
    return photos.length
  } finally {
    await end(path, gateway, context)
  }
}

async function pickedOf(sessionId: string, gateway: GoogleGateway): Promise<PickedPhoto[]> {
  const pages = allPages((pageToken) => {
    const query = new URLSearchParams({ sessionId, pageSize: String(AT_ONCE), ...(pageToken && { pageToken }) })
    return gateway.ask({
      title: TITLE,
      asked: 'the picked photos',
      answer: picked,
      send: gateway.fetching(`${API}/mediaItems?${query}`),
    })
  })
  const photos: PickedPhoto[] = []
  for await (const photo of pages) photos.push(photo)
  return photos
}

/** Google ends sessions itself later. */
async function end(path: string, gateway: GoogleGateway, { log }: CheckContext<GoogleConfig>): Promise<void> {
  try {
    await gateway.find({
      title: TITLE,
      asked: 'the end of the picker session',
      answer: z.unknown(),
      send: gateway.fetching(`${API}${path}`, 'DELETE'),
    })
  } catch (error) {
    log.warn({ err: error }, 'the photo picker session could not be ended')
  }
}

/** `5s`, `1.5s` */
function milliseconds(duration: string | undefined): number | undefined {
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(duration ?? '')?.[1]
  return seconds === undefined ? undefined : Number(seconds) * 1000
}
