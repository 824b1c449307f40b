import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type S3Server, startS3Server } from '../fakes/s3-server.ts'
import { runCommand, startUp } from '../lib/command-line.ts'
import { type Answer, httpCall } from '../lib/http-call.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'
import { until } from '../lib/until.ts'

interface Running {
  readonly env: Record<string, string>
  readonly s3: S3Server
  readonly folder: string
  run(...args: string[]): ReturnType<typeof runCommand>
  upload(itemId: string, text: string): Promise<Answer>
  call(path: string, method?: string): Promise<Answer>
  ready(itemId: string): Promise<void>
  stop(): Promise<unknown>
}

/** @param moreEnv given the server, the settings of the service */
async function start(moreEnv: (s3: S3Server) => Record<string, string>): Promise<Running> {
  const s3 = await startS3Server()
  onTestFinished(() => s3[Symbol.asyncDispose]())
  const folder = temporaryFolder()
  const home = join(folder, 'home')
  const env = { RECALLD_HOME: home, ...moreEnv(s3) }
  const service = await startUp(env)
  onTestFinished(async () => void (await service.stop()))
  const { api_key: key } = JSON.parse(readFileSync(join(home, 'credentials.json'), 'utf8'))
  const call = (path: string, method = 'GET') => httpCall(`${service.address}${path}`, { key, method })
  return {
    env,
    s3,
    folder,
    run: (...args) => runCommand(args, env),
    upload: (itemId, text) =>
      httpCall(`${service.address}/v1/memorize`, {
        method: 'POST',
        key,
        form: [
          ['file', new File([text], `${itemId}.txt`, { type: 'text/plain' })],
          ['user_name', 'Ada'],
          ['source_type', 'text'],
          ['item_id', itemId],
        ],
      }),
    call,
    ready: (itemId) =>
      until(async () => {
        const { body } = await call('/v1/files/list?source_type=text')
        const files = body.files as { item_id: string; status: string }[]
        return files.some((file) => file.item_id === itemId && file.status === 'ready')
      }),
    stop: () => service.stop(),
  }
}

/** Without the mark of the database. */
function uploadsIn({ objects }: Pick<S3Server, 'objects'>) {
  return [...objects].filter(([key]) => !key.includes('database/')).map(([, object]) => object)
}

/** More than stays in the database. */
function longNote(sentence: string): string {
  return `${sentence}\n\n${Array.from({ length: 1_000 }, (_, n) => `Line ${n} is about nothing in particular.`).join('\n')}`
}

test('a service with a bucket keeps large uploads there, and goes on with all else while the bucket is away', async () => {
  const { s3, run, upload, call, ready } = await start((server) => ({ RECALLD_BLOB_URL: server.url('home') }))
  const note = longNote('The blue bicycle stands in the cellar.')
  expect(await upload('large', note)).toMatchObject({ status: 200 })
  expect(await upload('small', 'The red bicycle was sold.')).toMatchObject({ status: 200 })
  await ready('large')
  await ready('small')
  expect(uploadsIn(s3).map(({ bytes }) => bytes.toString())).toEqual([note])
  expect((await call('/v1/files/download?item_id=large&source_type=text')).text).toBe(note)
  expect((await run('recall', 'where is the blue bicycle')).stdout).toContain('cellar')

  await s3.goAway()
  for (const answer of [
    await upload('another', note),
    await call('/v1/files/download?item_id=large&source_type=text'),
  ]) {
    expect(answer).toMatchObject({
      status: 503,
      body: { detail: "The object storage can't be used: it can't be reached" },
    })
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  }
  expect((await run('recall', 'where is the blue bicycle')).stdout).toContain('cellar')
  expect((await call('/v1/files/download?item_id=small&source_type=text')).status).toBe(200)
  expect((await call('/v1/health')).status).toBe(200)
  const doctor = await run('doctor', '--json')
  expect(JSON.parse(doctor.stdout)).toContainEqual({
    check: 'blobs',
    result: 'problem',
    message: expect.stringContaining("it can't be reached"),
  })

  await s3.back()
  expect((await call('/v1/files/download?item_id=large&source_type=text')).text).toBe(note)
  expect((await call('/v1/files/text/large', 'DELETE')).status).toBe(200)
  await until(async () => uploadsIn(s3).length === 0)
  const finding = JSON.parse((await run('doctor', '--json')).stdout).find(
    ({ check }: { check: string }) => check === 'blobs',
  )
  expect(finding).toMatchObject({ result: 'ok', message: expect.stringContaining('s3://uploads/home/ at 127.0.0.1') })
  expect(uploadsIn(s3).length).toBe(0)
})

test('what was uploaded before there was a bucket is moved there and back by a command', async () => {
  const { env, s3, folder, run, upload, ready } = await start(() => ({}))
  const note = longNote('The green bicycle has a flat tyre.')
  await upload('large', note)
  await ready('large')
  const url = s3.url('home')
  const withBucket = (...args: string[]) => runCommand(args, { ...env, RECALLD_BLOB_URL: url })
  expect((await run('blobs', 'move', '--to', 's3')).stderr).toContain('RECALLD_BLOB_URL')
  expect((await withBucket('blobs', 'move', '--to', 's3')).stdout).toMatch(
    /^Moved 1 upload \(\d+ bytes\) to s3:\/\/uploads\/home\/ at 127/,
  )
  expect(uploadsIn(s3).length).toBe(1)
  const bytes = Buffer.byteLength(note)
  expect(JSON.parse((await withBucket('blobs', 'status', '--json')).stdout)).toMatchObject({
    in_database: { items: 0, bytes: 0 },
    in_storage: { items: 1, bytes },
    garbage: 0,
  })
  expect((await withBucket('blobs', 'check')).stdout).toMatch(/has 1 object \(\d+ bytes\)\.\n$/)
  expect((await run('doctor')).stdout).toMatch(/PROBLEM {2}blobs .*1 upload is stored in a bucket/)
  s3.fault = ({ method }) => (method === 'DELETE' ? 'denied' : undefined)
  const refused = await withBucket('blobs', 'move', '--to', 'database')
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('this key lacks permissions') })
  expect((await run('doctor')).stdout).toMatch(/PROBLEM {2}blobs .*still has 1 object of deleted uploads/)
  s3.fault = undefined
  expect((await withBucket('blobs', 'move', '--to', 'database', '--json')).stdout).toContain('"items": 0')
  expect(uploadsIn(s3).length).toBe(0)
  mkdirSync(join(folder, 'out'))
  expect(
    (await run('download', 'large', '--source-type', 'text', '--output', join(folder, 'out', 'note.txt'))).code,
  ).toBe(0)
  expect(readFileSync(join(folder, 'out', 'note.txt'), 'utf8')).toBe(note)
})

test('an address of a bucket that is wrong is refused at the start, without its secret', async () => {
  const home = join(temporaryFolder(), 'home')
  mkdirSync(home)
  writeFileSync(join(home, 'config.yaml'), 'blob_url: s3://key:hunter2@bucket?endpont=http://127.0.0.1\n')
  const { code, stderr } = await runCommand(['up', '--port', '0'], { RECALLD_HOME: home })
  expect(code).not.toBe(0)
  expect(stderr).toContain('has the unknown option "endpont"')
  expect(stderr).not.toContain('hunter2')
})

test('a download of what the bucket damaged or lost is the fault of the service, and says what helps', async () => {
  const { s3, upload, call, ready } = await start((server) => ({ RECALLD_BLOB_URL: server.url('home') }))
  await upload('large', longNote('The blue bicycle stands in the cellar.'))
  await ready('large')
  const download = () => call('/v1/files/download?item_id=large&source_type=text')
  const [object] = uploadsIn(s3)
  object?.bytes.fill(0)
  const damaged = 'The file is damaged in the object storage. Upload it again or delete it.'
  expect(await download()).toMatchObject({ status: 500, body: { detail: damaged } })
  s3.objects.clear()
  const lost = 'The file is missing from the object storage. Upload it again or delete it.'
  expect(await download()).toMatchObject({ status: 500, body: { detail: lost } })
  const { text } = await call('/metrics')
  expect(text).toContain('recalld_bodies_damaged_total{where="storage"} 2')
})
