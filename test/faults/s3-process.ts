import { type S3Fault, startS3Server } from '../fakes/s3-server.ts'

/** The storage of objects, as a process of its own that listens at the address that it is given. The message says what goes wrong with a share of the requests. */
export interface S3Trouble {
  readonly fault: S3Fault | undefined
  /** From 0 to 1. */
  readonly share: number
}

const server = await startS3Server(process.argv[2])
process.on('message', ({ fault, share }: S3Trouble) => {
  server.fault = () => (Math.random() < share ? fault : undefined)
})
process.on('disconnect', () => process.exit())
process.send?.(server.url('recalld'))
